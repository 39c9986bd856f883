"""Which CT statements confirm an X-ray statement, and the meaning of a silent CT report."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.system.text import Text
from radcal.words.records import Confirmation, Remark
from radcal.words.studies import Laid, StudyWords, laid_over
from radcal.words.tables import Row, read_table
from radcal.words.word_files import CONFIRMATIONS, TERMS, named_in_terms, unknown_pathology

if TYPE_CHECKING:
    from collections.abc import Collection

    from radcal.system.settings import Settings
    from radcal.words.records import Kind

_LISTS = ("confirmed_by", "explained_by", "optional", "refuted_by")
_KINDS: dict[str, Kind] = {"": "finding", "finding": "finding", "diagnosis": "diagnosis", "descriptor": "descriptor"}
_SILENCE = {"absent": True, "left out": False}
_COLUMNS = ("xray", "confirmed_by", "silent_ct")
_MORE = ("kind", "explained_by", "optional", "refuted_by", "silence_reason", "reason")


def load_confirmations(settings: Settings | None = None) -> tuple[Confirmation, ...]:
    """One Confirmation per pathology, in the order of ``confirmations.csv``.

    Columns of the file: xray, the pathology that the X-ray report makes a statement on; kind, "finding" (also where
    empty), "diagnosis" or "descriptor"; confirmed_by, the CT pathologies that confirm it and refute that there is none;
    explained_by, those that bear out that it is there, and do not refute that there is none; optional, those that
    confirm and refute only where the department says so; refuted_by, those that CT denies only where there is none;
    silent_ct, "absent" or "left out"; silence_reason, why;
    reason, for the reader.  Lists are separated by semicolons.

    A department's own file has the same columns, of which xray, confirmed_by and silent_ct are needed; its lines take
    the place of the shipped ones, whose kind they keep if they state none.  A pathology that it only has words for is
    confirmed by itself, and a silent CT is left out.

    Args:
        settings: ``lexicon_dir`` is the department's own folder; ``include_other_confirmations`` switches optional
            pairs "xray>ct" on; ``silence_absent`` and ``silence_left_out`` change what a silent CT means.  None for
            the defaults.

    Raises:
        InputError: a file is broken (the message names file, line and reason), or a setting names a
            pathology or pair that the files do not have.
    """
    rows, _ = _read(laid_over(settings))
    chosen = _chosen_pairs(rows, settings.include_other_confirmations if settings else ())
    silence = _chosen_silence(rows, settings)
    return tuple(
        Confirmation(
            xray=row["xray"],
            ct=tuple(
                dict.fromkeys(
                    (row["xray"], *row.items("confirmed_by"), *(ct for xray, ct in chosen if xray == row["xray"]))
                )
            ),
            silence_is_absent=silence.get(row["xray"], _SILENCE[row["silent_ct"]]),
            explained_by=row.items("explained_by"),
            refuted_by=row.items("refuted_by"),
            kind=_kind(row),
        )
        for row in rows
    )


def descriptors(settings: Settings | None = None) -> frozenset[str]:
    """The pathologies that describe what a film shows, and of which CT names the cause.

    A department's own folder that is not at hand, as with a personal file, is left aside.
    """
    return frozenset(row["xray"] for row in _at_hand(settings) if _kind(row) == "descriptor")


def unadvised(settings: Settings) -> frozenset[str]:
    """The pathologies on which no other word is advised: descriptors, unless the settings say otherwise."""
    return descriptors(settings) if settings.descriptor_advice == "withheld" else frozenset()


def silence_reasons(settings: Settings | None = None) -> dict[str, str]:
    """Why a CT report that does not mention a pathology counts as absent, by pathology, for :func:`silent_ct`.

    Pathologies on which a silent CT is left out are not among them; '' where no reason is known.  A department's own
    folder that is not at hand is left aside.
    """
    named = () if settings is None else settings.silence_absent
    shipped = {row["silence_reason"] for row in _shipped()}
    reasons: dict[str, str] = {}
    for row in _at_hand(settings):
        if row["xray"] in named:
            reasons[row["xray"]] = Text("the department has set it so")
        elif _SILENCE[row["silent_ct"]]:
            reason = row["silence_reason"]
            reasons[row["xray"]] = Text(reason) if reason in shipped else reason
    return reasons


def silent_ct(topic: str, reason: str) -> Text:
    """That a CT report says nothing of a pathology and counts as absent, and why if that is known."""
    if not reason:
        return Text("CT mentions no {topic}; counted as absent.", topic=Text(topic))
    return Text("CT mentions no {topic}; counted as absent, because {reason}.", topic=Text(topic), reason=reason)


def _at_hand(settings: Settings | None) -> list[Row]:
    try:
        return _read(laid_over(settings))[0]
    except InputError:
        return list(_shipped())


def _kind(row: Row) -> Kind:
    return _KINDS[row["kind"]]


def own_confirmations(own: Path) -> tuple[int, list[Remark]]:
    """The number of lines of a department's own file that are in force, and warnings about its lines.

    Raises:
        InputError: a file is broken.
    """
    rows, remarks = _read(own)
    return sum(row.own for row in rows), remarks


def pathology_names(own: Laid | None = None) -> tuple[str, ...]:
    """The pathologies by their canonical names, in the order of ``resources/lexicon/confirmations.csv``.

    One list for rules, bundled model, other models, gold sets and statistics.  That file has one row for each, because
    the statistics need to know what confirms it.  The rules engine finds a pathology by its words in
    ``pathologies_terms.tsv``.  One that is added to both files is read by the rules, and every general model is offered
    it; the bundled model is shown a term that it knows in place of one that it does not.

    Args:
        own: a study's words, whose pathologies alone are named, and a department's folder of words; pathologies that
            it adds stand behind the others.

    Raises:
        InputError: a file is missing or broken.
    """
    return tuple(row["xray"] for row in _read(own)[0])


@cache
def _shipped() -> tuple[Row, ...]:
    return tuple(_read_file(resource("lexicon")))


def _read_file(folder: Path) -> list[Row]:
    rows = read_table(folder / CONFIRMATIONS, _COLUMNS, _MORE)
    for i, row in enumerate(rows):
        _check_line(row, [earlier["xray"] for earlier in rows[:i]])
    return rows


def _read(laid: Laid | None) -> tuple[list[Row], list[Remark]]:
    """The shipped rows, or a study's, with those of a department's own folder over them, and warnings about these."""
    of_study = laid.study.confirmations if isinstance(laid, StudyWords) else None
    rows = {row["xray"]: row for row in (_shipped() if of_study is None else of_study)}
    own = laid.own if isinstance(laid, StudyWords) else laid
    remarks: list[Remark] = []
    if own is not None:
        known = dict.fromkeys((*rows, *named_in_terms(own)))
        for row in _read_file(own) if (own / CONFIRMATIONS).is_file() else ():
            if row["xray"] not in known:
                remarks.append(Remark(row.file, row.line, unknown_pathology(row["xray"], known)))
                continue
            if unknown := [ct for c in _LISTS for ct in row.items(c) if ct not in known]:
                remarks += [Remark(row.file, row.line, unknown_pathology(ct, known)) for ct in unknown]
                kept = {c: "; ".join(ct for ct in row.items(c) if ct in known) for c in _LISTS}
                row = replace(row, cells={**row.cells, **kept})
            if (before := rows.get(row["xray"])) is not None:
                remarks.append(Remark(row.file, row.line, _told_twice(row, before)))
                row = replace(row, cells={**row.cells, **_kept(row, before)})
            rows[row["xray"]] = replace(row, own=True)
        for name in known:
            rows.setdefault(name, Row(TERMS, 0, {"xray": name, "silent_ct": "left out"}))
    return list(rows.values()), remarks


def _kept(row: Row, before: Row) -> dict[str, str]:
    """What a department's line leaves as it is in the shipped one."""
    kept = {"kind": row["kind"] or before["kind"]}
    if row["silent_ct"] == before["silent_ct"]:
        kept["silence_reason"] = row["silence_reason"] or before["silence_reason"]
    return kept


def _told_twice(row: Row, before: Row) -> Text:
    same = all(set(row.items(c)) == set(before.items(c)) for c in (*_LISTS, "silent_ct"))
    if same:
        return Text("RadCal's own line on {name!r} says the same. Remove one that is not needed.", name=row["xray"])
    return Text("This line takes the place of RadCal's own on {name!r}.", name=row["xray"])


def _check_line(row: Row, earlier: Collection[str]) -> None:
    """Refuse a line that contradicts itself or one above."""
    if not row["xray"]:
        raise row.error(Text("xray is empty. Write a pathology or remove the line."))
    if row["xray"] in earlier:
        raise row.error(Text("{row!r} is already listed. Join the two lines.", row=row["xray"]))
    if row["silent_ct"] not in _SILENCE:
        raise row.error(Text("silent_ct is {row!r}. Write 'absent' or 'left out'.", row=row["silent_ct"]))
    if row["kind"] not in _KINDS:
        raise row.error(
            Text("kind is {kind!r}. Write 'finding', 'diagnosis' or 'descriptor', or leave it empty.", kind=row["kind"])
        )
    for column in ("explained_by", "optional"):
        for ct in row.items(column):
            if ct in (row["xray"], *row.items("confirmed_by")):
                raise row.error(
                    Text(
                        "{ct!r} confirms {xray!r} in any case. Remove it from {column}.",
                        ct=ct,
                        xray=row["xray"],
                        column=column,
                    )
                )


def _chosen_pairs(rows: list[Row], wanted: Collection[str]) -> list[tuple[str, str]]:
    offered = {f"{row['xray']}>{ct}": (row["xray"], ct) for row in rows for ct in row.items("optional")}
    chosen = []
    for pair in wanted:
        written = ">".join(part.strip() for part in pair.split(">"))
        if written not in offered:
            raise InputError(
                "Setting include_other_confirmations: {file} offers no optional confirmation "
                "{pair!r}. It offers {offered}.",
                file=CONFIRMATIONS,
                pair=pair,
                offered=", ".join(offered) or "none",
            )
        chosen.append(offered[written])
    return chosen


def _chosen_silence(rows: list[Row], settings: Settings | None) -> dict[str, bool]:
    if settings is None:
        return {}
    names = {row["xray"] for row in rows}
    for setting in ("silence_absent", "silence_left_out"):
        for name in getattr(settings, setting):
            if name not in names:
                raise InputError(
                    "Setting {setting}: {file} has no pathology {name!r}.",
                    setting=setting,
                    file=CONFIRMATIONS,
                    name=name,
                )
    if both := set(settings.silence_absent) & set(settings.silence_left_out):
        raise InputError(
            "Settings silence_absent and silence_left_out both name {n!r}. Remove it from one of them.", n=min(both)
        )
    return dict.fromkeys(settings.silence_absent, True) | dict.fromkeys(settings.silence_left_out, False)
