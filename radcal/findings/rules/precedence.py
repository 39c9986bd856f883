"""Which cue governs a finding: the table of rules, in order of precedence.

A sentence is read token by token.  At each token the rules of its kind are tried from top to bottom, and the first one
that applies decides; if none does, nothing changes.  A cue before findings comes into force and governs what follows
until a rule ends it; then cues behind findings look back; then "or" makes what it joins uncertain; a finding that
nothing governs is present.

Every rule states in one sentence what it decides.  ``tests/findings/rules.tsv`` has an example of each, and a similar
sentence that another rule decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from radcal.findings.rules import alternatives, modifiers
from radcal.findings.rules import backward_scope as backward
from radcal.findings.rules import effects as do
from radcal.findings.rules import forward_scope as forward
from radcal.findings.rules.scope import NO_CUE, UNLIKELY, VERSUS, Rule, Scope


@dataclass(frozen=True, slots=True)
class Part:
    """Rules that are tried at the same tokens.

    asks:     the question that they decide
    at:       kinds of tokens, as in cues.tsv; "term", "organ" or "finding" (either) for findings
    in_force: True if they are tried only while a cue is in force
    """

    asks: str
    at: tuple[str, ...]
    rules: tuple[Rule, ...]
    in_force: bool = True


# A rule reads as a paragraph: name, statement, condition and effect.
# fmt: off
BEFORE = (
    Part("Is all denied up to a verb of seeing?", ("small", "finding", "comma", "and", "with"), (
        Rule("inside what was not seen",
             "Nothing ends a denial before the verb of seeing that completes it.",
             lambda s, i: i < s.cue.until, do.goes_on),
    )),
    Part("Does a new statement begin without punctuation?", ("small",), (
        Rule("a size behind a finding",
             "A size right behind a denied or doubted finding begins a new statement.",
             forward.size_begins_statement, do.ends),
        Rule("a size behind nothing",
             'A size behind "no disease" or "no process" begins a new statement.',
             lambda s, i: not s.cue.taken and s.cue.kind == "negation" and s.precedes(i, "unspecific"), do.ends),
    )),
    Part("Does a new statement begin without punctuation?", ("finding",), (
        Rule("an affirmed finding",
             "A finding right behind a denied one is not denied with it if it is affirmed.",
             forward.is_stated_anew, do.ends),
    )),
    Part("Do the words name a finding at all?", ("term",), (
        Rule("words that rule a finding out",
             "A term in a context that gives it another meaning states nothing.",
             forward.is_ruled_out, do.states_nothing),
        Rule("a sign of what is named",
             "A sign states nothing of its own if its disease is named behind it.",
             forward.is_sign_of_named, do.states_nothing),
        Rule("a finding behind a history",
             "An article behind the finding of a history begins the current findings.",
             forward.follows_history, do.ends),
    ), in_force=False),
    Part("What does the state of an organ express, and does a cue reach it?", ("organ",), (
        Rule("health denied or asked about",
             "A healthy state that is denied or asked about states nothing.",
             lambda s, _: s.organ.absent and s.cue.kind in ("negation", "silence") and forward.reaches_organ(s),
             do.organ_states_nothing),
        Rule("a healthy organ among what it may be",
             'A healthy organ behind the "or" of a hedge states nothing.',
             forward.is_healthy_alternative, do.organ_states_nothing),
        Rule("a healthy organ",
             "A healthy organ means that its disease is absent, whatever cue precedes.",
             lambda s, _: s.organ.absent, do.is_healthy),
        Rule("an organ that was not seen",
             "The state in which an organ was not seen is denied, however far behind it stands.",
             forward.is_of_denied_organ, do.is_denied_with_organ),
        Rule("an organ behind the cue",
             "A cue before an organ does not reach a state stated behind the organ.",
             lambda s, _: not s.organ.joined and not forward.reaches_organ(s), do.ends),
    ), in_force=False),
    Part("Does the finding take the cue in force?", ("term", "organ"), (
        Rule("no cue before the finding",
             "If no cue is in force, or it is resting, a cue behind the finding may govern it.",
             forward.has_no_cue, do.goes_on),
        Rule("a landmark",
             'A finding with "the" that only locates another does not take its cue.',
             lambda s, i: s.cue.kind != "silence" and s.cue.taken > 0 and s.precedes(i, "beside the"), do.goes_on),
        Rule("an organ with words of its own",
             "An organ without a state takes a hedge only right before several, and a list's denial only at its end.",
             forward.is_bare_beyond, do.goes_on),
        Rule("a finding that is only asked about",
             "A finding behind words of history, question or request is not asserted.",
             lambda s, _: s.cue.kind == "silence", do.is_not_asserted),
        Rule("a finding behind its cue",
             "Otherwise a finding takes the cue in force.",
             do.always, do.takes_cue),
    ), in_force=False),
    Part("Do words about change, age or quality affect the cue?", ("over",), (
        Rule("a denied change ends a denial",
             '"No change in" ends the denial before it: what has not changed is present.',
             forward.denies_change_only, do.ends),
        Rule("words read over",
             "Words about change, age or quality leave the cue in force, unless they hedge a finding.",
             lambda s, i: not forward.hedges_next(s, i), do.goes_on),
    ), in_force=False),
    Part("Which of two cues is in force, the new one or the old one?", ("over", "hedge", "negation", "silence"), (
        Rule("a finding that has not changed",
             '"No nodule has grown" denies only the growth: the nodules are present.',
             modifiers.denies_change, do.ends),
        Rule("a change in question",
             "Whether a finding is new is a question about its age: it is present.",
             modifiers.asks_about_change, do.goes_on),
        Rule("a cue that looks back",
             "A cue behind its finding does not come into force for what follows.",
             forward.looks_back, do.goes_on),
        Rule("an unopposed cue",
             "A cue comes into force if none is, or if one over a clause has no finding yet.",
             lambda s, _: s.cue is NO_CUE or (s.cue.clause and not s.cue.taken and s.cue.kind != "negation"),
             do.begins),
        Rule("a question about resolution",
             'A request continues through "resolution of" and the like.',
             forward.asks_whether_gone, do.goes_on),
        Rule("a hedge inside a hedged clause",
             "A hedge inside a clause replaces the hedge over the clause; what precedes it is present.",
             forward.hedges_within_clause, do.begins_within),
        Rule("an absence that excludes nothing",
             "An absence that does not exclude a finding leaves it possible.",
             forward.absence_excludes_not, do.begins),
        Rule("a denied hedge",
             "A hedge behind a negation, with no comma between, is denied with its finding.",
             forward.hedge_is_denied, do.goes_on),
        Rule("a hedge asked about",
             "A hedge behind words of history or question is part of what is asked.",
             forward.hedge_is_asked_about, do.goes_on),
        Rule("an opinion and its hedge",
             "A hedge replaces words of mere opinion right before it.",
             lambda s, i: forward.hedges_hedge(s, i) and s.at(s.cue.index, "opinion"), do.begins),
        Rule("two hedges",
             "Of two hedges in a row the weaker prevails.",
             forward.hedges_hedge, do.weaker_begins),
        Rule("a hedged history",
             "Words of history right behind a hedge, or German ones behind a denial, do not silence what it governs.",
             forward.hedges_history, do.goes_on),
        Rule("the newer cue",
             "Otherwise the newer cue replaces the older.",
             do.always, do.begins),
    ), in_force=False),
    Part('How certain is a finding behind "over" or "than"?', ("instead",), (
        Rule("the likelier of two",
             "A finding that another is less likely than is likely.",
             forward.is_likelier, do.begins_as(forward.LIKELIER)),
        Rule("the less favored of two",
             'A finding behind "over" or "rather than" is unlikely if a hedge precedes.',
             forward.is_less_favored, do.begins_as(UNLIKELY)),
    ), in_force=False),
    Part('Do blanked words, "either" or "versus" stand for a cue?', ("blank", "either", "versus"), (
        Rule("a blanked hedge",
             "A blanked word between a shadow and its cause is read as a lost hedge.",
             forward.is_lost_hedge, do.begins_as(forward.LOST)),
        Rule("alternatives without a cue",
             '"Either" and "versus" make what follows possible if nothing else governs it.',
             lambda s, i: s.cue is NO_CUE and s.tokens[i].kind != "blank", do.begins_as(VERSUS)),
    ), in_force=False),
    Part("Does a differential's list begin?", ("lists", "colon"), (
        Rule("a differential and its list",
             'The subject of a differential is present; its list begins behind "includes" or a colon.',
             forward.lists_begin, do.resumes),
    )),
    Part("Does the cue hold behind a colon?", ("colon",), (
        Rule("a history and its colon",
             "Words of history and request reach past their colon.",
             lambda s, i: s.cue.kind == "silence" and s.cue.index == i - 1 and not s.tokens[i].gap, do.goes_on),
        Rule("a hedge or a negation and its colon",
             "One of several words, or a differential, reaches past its colon through the whole list.",
             forward.leads_on, do.reaches_list),
    )),
    Part("Does the cue hold where a new part of the sentence begins?", ("stop", "colon"), (
        Rule("a cue that waits for its clause",
             "A cue whose finding can only be in the clause that begins here continues.",
             forward.awaits_clause, do.goes_on),
        Rule("the end of a part",
             "Otherwise a new part of the sentence ends the cue.",
             do.always, do.ends),
    )),
    Part("Does the cue hold behind a verb?", ("verb",), (
        Rule("what an examination shows",
             'Words of examination without a finding end before "shows": what follows is seen.',
             lambda s, i: s.cue.kind == "silence" and not s.cue.taken and s.at(i, "shows"), do.ends),
        Rule("an earlier question",
             "A verb ends words of an earlier question: what follows is a current finding.",
             lambda s, _: s.cue.kind == "silence" and s.cue.reach == "near", do.ends),
        Rule("a hedge over a clause",
             "A hedge over a clause applies to the clause's predicate; the subject is present.",
             forward.is_about_verb, do.is_about_what_follows),
        Rule("a verb behind the finding",
             'A cue whose finding is followed by a verb ends at the next comma or "and".',
             lambda s, _: s.cue.taken > 0, do.closes),
    )),
    Part('Does the cue hold behind "with", "due to" and the like?', ("with",), (
        Rule("an alternative cause",
             '"Or due to" continues the alternatives.',
             lambda s, i: s.tokens[i - 1].kind in ("or", "versus") and not s.tokens[i].gap, do.goes_on),
        Rule("a companion of a hedged finding",
             "A finding that only accompanies a hedged one is hedged with it.",
             forward.goes_with_hedged, do.resumes),
        Rule("a companion with its own statement",
             'Otherwise a hedge that has its finding rests behind "with".',
             lambda s, _: s.cue.kind == "hedge", do.rests),
        Rule("a companion of a denied finding",
             'A negation that has its finding, or a comma behind it, ends before "with", and so does a history.',
             lambda s, i: s.cue.taken > 0 or s.cue.kind == "silence" or s.tokens[i - 1].kind in ("comma", "and"),
             do.ends),
    )),
    Part("Does the cue hold behind a comma or bracket?", ("comma", "bracket"), (
        Rule('a comma before "or"',
             "A cue continues to the end of an alternative.",
             lambda s, i: s.tokens[i + 1].kind in ("or", "versus"), do.goes_on),
        Rule("the same in other words",
             'A cue continues through "that is" and the like.',
             lambda s, i: s.follows(i, "that is") or s.precedes(i, "that is"), do.goes_on),
        Rule("the same in brackets",
             "A hedge continues into a bracket behind its finding that holds nothing but another name for it.",
             forward.names_again, do.goes_on),
        Rule("a comma behind a complete statement",
             "A cue whose statement is complete, or that reaches only the next finding, ends at a comma.",
             lambda s, _: s.cue.closing or s.cue.reach == "near", do.ends),
        Rule("a subordinate clause",
             'A hedge in a clause with "while" or "although" ends with the clause.',
             forward.ends_subordinate, do.ends),
        Rule("an aside",
             "A bracket that opens with an article begins a statement of its own.",
             lambda s, i: s.flat.startswith("(", s.tokens[i].start) and s.follows(i, "one"), do.ends),
        Rule("a denial that ends at a comma",
             'A denial ends before a size or an affirmed finding, unless a later "or" continues its list.',
             forward.denial_ends_at_comma, do.ends),
        Rule("a denied list",
             "A denial reaches through the commas of its list.",
             lambda s, _: s.cue.kind == "negation", do.goes_on),
        Rule("a question that ends",
             "Words of history or question without a finding end at a comma.",
             lambda s, _: not s.cue.taken and s.cue.kind != "hedge", do.ends),
        Rule("a hedge at the end of its statement",
             'A hedge right before a comma and "with" does not apply to what follows.',
             lambda s, i: s.cue.index == i - 1 and s.tokens[i + 1].kind == "with", do.ends),
        Rule("a hedge before an affirmed finding",
             "A hedge that has no finding yet ends before an affirmed one.",
             forward.hedge_ends_before_affirmed, do.ends),
        Rule("a hedge without a finding",
             "Otherwise a hedge that has no finding yet continues.",
             lambda s, _: not s.cue.taken, do.goes_on),
        Rule("a size behind a hedged finding",
             "A size behind a comma begins a new statement.",
             lambda s, i: forward.leads_to_size(s, i) and not s.follows(i, "of an alternative"), do.ends),
        Rule("a differential",
             "A differential reaches through the commas of its list.",
             lambda s, _: s.cue.reach == "list", do.goes_on),
        Rule("the next alternative",
             'A hedge over findings joined by "or" reaches the finding right behind the comma.',
             lambda s, i: s.cue.alternative and s.holds[i + 1] and not s.tokens[i + 1].gap, do.goes_on),
        Rule("the comma before the last",
             'A hedge before a list "A, B, and C" reaches C.',
             lambda s, i: s.cue.listed and s.tokens[i + 1].kind == "and" and not s.tokens[i + 1].gap, do.goes_on),
        Rule("a hedged list",
             'A hedge reaches through a list "A, B, or C".',
             forward.is_in_list, do.is_listed),
        Rule("a comma behind a hedged finding",
             "Otherwise a hedge that has its finding ends at a comma, and so does a history.",
             do.always, do.ends),
    )),
    Part('Does the cue hold behind "and"?', ("and",), (
        Rule('"and" behind a complete statement',
             'A cue whose statement is complete, or that reaches only the next finding, ends at "and".',
             lambda s, _: s.cue.closing or s.cue.reach == "near", do.ends),
        Rule("a size inside a list",
             'A size behind "and" belongs to a list if a comma or a later "or" shows one.',
             forward.size_in_list, do.goes_on),
        Rule('a size behind "and"',
             'A size behind "and" begins a new statement.',
             forward.leads_to_size, do.ends),
        Rule('a denial that ends at "and"',
             "A denial ends before an affirmed finding.",
             lambda s, i: s.cue.kind == "negation" and forward.affirms_next(s, i), do.ends),
        Rule('a finding far behind "and"',
             'A cue does not reach a finding more than four words behind "and".',
             lambda s, i: s.holds[i + 1] and s.tokens[i + 1].gap > forward.AND_GAP, do.ends),
    )),
    Part('What does "or" do to the cue?', ("or", "versus"), (
        Rule("an alternative under a cue",
             'A cue continues behind "or", even behind a verb.',
             do.always, do.has_alternative),
    )),
)

BEHIND = (
    Part("Is anything excepted from a denial?", ("stop",), (
        Rule("an exception",
             "An exception from a denial is present.",
             backward.excepts, do.states_exception),
    )),
    Part("Which finding does a cue behind it govern?", ("hedge", "negation", "silence"), (
        Rule("the former or the latter",
             "The cue of the former or the latter, or behind German 'auf ...', prevails over all others.",
             backward.is_of_one_of_two, do.has_last_word),
        Rule("a condition",
             "What follows a condition on the course to come is not asserted.",
             backward.depends, do.takes_assertion),
        Rule("two sides with one name",
             "A cue before one side is about the finding that is named with the other.",
             backward.shares_name, do.states_another),
        Rule("a cue that has its finding",
             "A cue that governs a finding behind it, or is the state of an organ, does not look back.",
             lambda s, i: i in s.used or i in s.organs, do.goes_on),
        Rule("an answer",
             "A cue alone behind a question mark answers it.",
             backward.answers, do.has_last_word),
        Rule("another one",
             '"One" behind a cue stands for the finding before it.',
             backward.names_another, do.states_another),
        Rule("a cue that looks ahead",
             "A cue for what follows, or one that more words follow, does not look back.",
             backward.looks_ahead, do.goes_on),
        Rule("a hedge about something else",
             "A hedge with an article or a cause behind it applies to that, even if it is no listed finding.",
             backward.is_of_what_follows, do.goes_on),
        Rule("a hedge about what is no pathology",
             "A hedge behind a comma and the name of something else is about that.",
             backward.is_of_unlisted, do.is_about_else),
        Rule("neither can be excluded",
             '"Neither ... nor" with "can be excluded" leaves the findings possible.',
             backward.denies_exclusion, do.leaves_possible),
        Rule("another of the same",
             'A cue with only words such as "the left" in its part applies to another finding of the same kind.',
             backward.is_of_another, do.states_another),
        Rule("a setting",
             '"In the right clinical setting" applies to what follows it.',
             backward.is_setting, do.is_about_else),
        Rule("the cause of a finding",
             "A cue behind the cause, age or nature of a finding is not about the finding itself.",
             backward.is_of_attribute, do.is_about_else),
        Rule("something inside a finding",
             "A cue about something else that is in a known finding is not about that finding.",
             backward.is_of_something_there, do.is_about_else),
        Rule("out of sight",
             "Words of the past, or of a known finding that a radiograph does not show, leave nothing asserted.",
             backward.takes_back, do.takes_assertion),
        Rule("a cue behind its finding",
             "A cue governs the finding up to twelve words before it, and those joined to that one.",
             backward.governs_before, do.governs_found),
    )),
)

AFTER = (
    Part('Does "versus" make what it joins uncertain?', ("versus",), (
        Rule("versus",
             'Findings on both sides of "versus" are possible if no cue governs them.',
             alternatives.joins_by_versus, do.leaves_possible),
    )),
    Part('Does "or" make what it joins uncertain?', ("or",), (
        Rule("unchanged alternatives",
             'Unchanged findings on both sides of "or" are present.',
             alternatives.joins_unchanged, do.goes_on),
        Rule("some or all of a list",
             '"Or both" makes the findings listed before it possible.',
             alternatives.names_no_other, do.leaves_possible),
        Rule("different alternatives",
             'Different findings on both sides of "or" are possible; two names of one shadow are present.',
             alternatives.joins_different, do.leaves_possible),
        Rule("an alternative that is no pathology",
             "A finding joined by \"or\" to something that is not one of the pathologies is possible.",
             alternatives.joins_unlisted, do.leaves_possible),
        Rule("an unlikelier alternative",
             'A finding before "or less likely" is possible.',
             alternatives.other_is_unlikelier, do.leaves_possible),
    )),
)

HEADINGS = (
    Part("Is a finding only the heading of one behind it? (Asked from the end of the sentence.)", ("finding",), (
        Rule("a heading",
             "A finding before a colon that is named again behind it is a heading.",
             alternatives.is_heading, do.drops_heading),
    )),
)

REST = (
    Part("What if nothing governs a finding?", ("finding",), (
        Rule("an organ that is only named",
             "An organ without a state that nothing denies or doubts states nothing.",
             Scope.is_bare, do.states_nothing),
        Rule('a term that says "or"',
             'The findings of a term that contains "or" are possible.',
             alternatives.says_or, alternatives.is_doubted_by_name),
        Rule("a doubt that no rule reads",
             "A finding that nothing governs is unread beside words of doubt or denial that no rule has used.",
             alternatives.is_unexplained, do.is_unread),
        Rule("a plain statement",
             "A finding that nothing governs is present.",
             do.always, do.is_present),
    )),
)
# fmt: on

PARTS = (*BEFORE, *BEHIND, *AFTER, *HEADINGS, *REST)
RULES = tuple(rule for part in PARTS for rule in part.rules)
"""All rules in order of precedence."""
