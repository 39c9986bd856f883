"""The whole chain on a generated department, compared with what was hidden in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from types import SimpleNamespace

import pytest

from radcal.findings import engines
from radcal.opening import open_department
from radcal.reports.deidentify import side_by_side as deidentifying
from radcal.reports.importing import as_files
from radcal.sample._words import RADIOLOGISTS
from radcal.sample.department import generate
from radcal.system.settings import Settings
from radcal.words.bins import reference_positive
from radcal.words.confirmations import load_confirmations
from radcal.words.phrases import load_lexicon
from radcal.words.records import Confirmation

PAIRS = 750
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory, make: SimpleNamespace) -> Iterator[SimpleNamespace]:
    folder = tmp_path_factory.mktemp("truth")
    sample = generate(folder, PAIRS, 11, radiologists=3)
    settings = Settings(bootstrap=100)
    path = folder / "w.radcal"
    with (
        pytest.MonkeyPatch.context() as patch,
        open_department(path, "plum tree in blossom", create=True, settings=settings) as department,
    ):
        for room in (engines, deidentifying):  # what several processes do is what one does, which begins sooner
            patch.setattr(room, "number_of", lambda wanted, _: wanted or 1)
        department.importing.import_reports(as_files(xray=[sample.xray], ct=[sample.ct]))
        pairing = department.importing.pair()
        summary = department.runs.extract()
        yield SimpleNamespace(
            department=department,
            pairing=pairing,
            summary=summary,
            analysis=department.analyse(),
            truth=make.read(sample.truth),
            sample=sample,
            read=make.read,
        )


def _expected(truth: list[dict[str, str]]) -> dict[tuple[str, str, str], list[float]]:
    """Outcomes by author, topic and phrase, computed from the hidden truth alone."""
    phrases = load_lexicon().phrases
    strength = {p.name: p.alpha / (p.alpha + p.beta) for p in phrases}
    positive = dict(zip((p.name for p in phrases), reference_positive(phrases), strict=True))
    rules = {c.xray: c for c in load_confirmations()}
    said_on_ct: dict[str, dict[str, str]] = defaultdict(dict)
    for row in truth:
        if row["ct_phrase"]:
            said_on_ct[row["ct_accession"]][row["pathology"]] = row["ct_phrase"]
    outcomes: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for row in truth:
        if not row["phrase"]:
            continue
        rule = rules[row["pathology"]]
        on_ct = said_on_ct[row["ct_accession"]]
        references = [said for name in _bearing(rule, row["phrase"], on_ct) if (said := on_ct.get(name))]
        if references:
            outcome = positive[max(references, key=strength.__getitem__)]
        elif rule.silence_is_absent:
            outcome = 0.0
        else:
            continue
        outcomes[row["author"], row["pathology"], row["phrase"]].append(float(outcome))
    return outcomes


DENIALS = {"absent", "very unlikely", "unlikely"}


def _bearing(rule: Confirmation, phrase: str, on_ct: Mapping[str, str]) -> set[str]:
    """The pathologies of a CT report by which a statement of an X-ray report is judged."""
    explained = () if phrase in DENIALS else rule.explained_by
    if on_ct.get(rule.xray) in DENIALS and rule.kind != "descriptor":
        explained = ()
    return {rule.xray, *(name for name in (*rule.ct, *explained) if on_ct.get(name) not in DENIALS)}


def test_every_pair_is_found_and_no_other(chain):
    written = {(f"xray:{r['xray_accession']}", f"ct:{r['ct_accession']}", r["author"]) for r in chain.truth}
    found = chain.department._workspace.pairs()[["xray_id", "ct_id", "author"]].itertuples(index=False, name=None)
    assert len(written) == PAIRS
    assert set(found) == written


def test_reports_that_must_drop_out_are_all_accounted_for(chain):
    attrition = chain.pairing.attrition
    rows = sum(len(chain.read(path)) for path in (chain.sample.xray, chain.sample.ct))
    assert rows == attrition["kept"].iloc[0]
    for modality in ("xray", "ct"):
        rows = attrition[attrition["modality"] == modality]
        assert rows["kept"].iloc[-1] == PAIRS
        assert rows["kept"].iloc[0] - rows["dropped"].sum() == PAIRS


def test_nearly_every_statement_is_recovered(chain):
    """Of X-ray and CT: the phrase on each pathology, and hardly anything that was not said."""
    assert chain.summary.n_done == chain.summary.n_reports == 2 * PAIRS
    assert chain.summary.n_failed == 0
    written = {(f"xray:{r['xray_accession']}", r["pathology"]): r["phrase"] for r in chain.truth if r["phrase"]}
    observed = chain.department._workspace.observations()
    # What the sample's reports say besides is not part of its truth.
    observed = observed[observed["topic"].isin({pathology for _, pathology in written})]
    found = dict(zip(zip(observed["xray_id"], observed["topic"], strict=True), observed["phrase"], strict=True))
    entered = {key: phrase for key, phrase in written.items() if key in found}
    assert len(set(found) - set(written)) <= 0.01 * len(found)
    assert sum(found[key] == phrase for key, phrase in entered.items()) >= 0.97 * len(entered)
    assert len(entered) >= 0.98 * sum(len(outcomes) for outcomes in _expected(chain.truth).values())


def test_confirmed_rates_are_those_of_the_hidden_truth(chain):
    expected = _expected(chain.truth)
    measured = {(r.author, r.topic, p.phrase): p for r in chain.analysis.reliabilities for p in r.phrases if p.n > 0}
    often = {key: outcomes for key, outcomes in expected.items() if len(outcomes) >= 15}
    assert len(often) >= 40
    differing = sum(abs(measured[key].n - len(outcomes)) for key, outcomes in often.items())
    assert differing <= 0.02 * sum(map(len, often.values()))
    read = {key: outcomes for key, outcomes in often.items() if abs(measured[key].n - len(outcomes)) <= 2}
    assert len(read) >= 0.8 * len(often)
    for key, outcomes in read.items():
        # Two statements more or less move the mean of n outcomes by no more than this.
        assert measured[key].rate == pytest.approx(sum(outcomes) / len(outcomes), abs=3 / len(outcomes)), key


def test_the_habits_that_were_written_in_are_found_and_advised_on(chain):
    """Whoever was made to overstate a pathology is told a weaker word for it, and the other way round."""
    strength = {p.name: p.alpha / (p.alpha + p.beta) for p in chain.department.phrases()}
    steps: dict[tuple[str, str], list[float]] = defaultdict(list)
    for advice in chain.analysis.advices:
        for r in advice.recommendations:
            steps[advice.author, advice.topic].append(strength[r.target] - strength[r.source])
    designed = {(a.name, topic): shift for a in RADIOLOGISTS[:3] for topic, shift in a.shifts.items() if abs(shift) > 1}
    assert len(designed) == 3
    for who, shift in designed.items():
        assert steps[who], who
        assert all((step > 0) == (shift > 0) for step in steps[who]), who


def test_what_is_not_mentioned_is_counted_for_each_radiologist(chain):
    rules = {c.xray: c for c in load_confirmations()}
    strength = {p.name: p.alpha / (p.alpha + p.beta) for p in chain.department.phrases()}
    covered: dict[str, set[str]] = defaultdict(set)
    for row in chain.truth:
        if row["phrase"]:
            rule = rules[row["pathology"]]
            covered[row["xray_accession"]] |= {*rule.ct, *(() if row["phrase"] in DENIALS else rule.explained_by)}
    missed = Counter(
        row["author"]
        for row in chain.truth
        if row["ct_phrase"]
        and strength[row["ct_phrase"]] >= 0.5
        and row["pathology"] not in covered[row["xray_accession"]]
    )
    for data in chain.department.pages.inputs():
        counts = dict(data.counts)
        assert counts["not mentioned on X-ray, found on CT"] == pytest.approx(missed[data.author], rel=0.05, abs=3)
        entered = sum(n for author, _, what, n in chain.analysis.counts if (author, what) == (data.author, "entered"))
        assert entered == sum(r.n for r in data.reliabilities)
        assert not [what for what in counts if "could not be read" in what]


def test_pages_speak_of_their_author_alone(chain):
    inputs = list(chain.department.pages.inputs())
    assert [i.author for i in inputs] == sorted(a.name for a in RADIOLOGISTS[:3])
    assert len({i.pseudonym for i in inputs}) == 3
    for data in inputs:
        own = chain.department._workspace.pairs().query("author == @data.author")
        assert data.provenance.n_pairs == len(own) == PAIRS / 3
        assert data.provenance.first_exam == own["xray_time"].min()
        assert data.provenance.last_exam == own["xray_time"].max()
        assert {r.author for r in data.reliabilities} | {a.author for a in data.advices} == {data.author}
    assert {e.topic for e in inputs[1].examples} <= {a.topic for a in inputs[1].advices}
    assert any(i.examples for i in inputs)


def test_evidence_is_what_the_rates_are_made_of(chain, ask):
    for r in chain.analysis.reliabilities[:6]:
        evidence = chain.department.groups.evidence(ask(r.author, r.topic))
        assert len(evidence) == r.n
        assert evidence["xray_time"].is_monotonic_decreasing
        for p in (p for p in r.phrases if p.n > 0):
            own = chain.department.groups.evidence(ask(r.author, r.topic), [p.phrase])
            assert len(own) == p.n
            assert own["outcome"].sum() == pytest.approx(p.positives)
            assert (own["phrase"] == p.phrase).all()
