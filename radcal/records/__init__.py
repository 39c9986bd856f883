"""The records that pass between the rooms of RadCal: frozen data and declared columns, no logic.

Large tables are pandas DataFrames whose columns are declared here; single results are frozen dataclasses.  Arrays in
records are never modified after construction.

words        phrases and their meaning for readers
reports      rows of files, reports and pairs
selection    an author on a topic, in a date range of X-rays
findings     findings and the engines that extract them;  runs  extraction runs
reliability  observations, contingency tables, and agreement of words with the reference
advice       recommended wording;  draft  a draft report and the author's results
analysis     all results of a department, with their provenance
comparison   comparisons of radiologists, and trends;  gold  annotated report sets
copies       backups of a workspace, and page checks
feedback     input and output of the radiologists' pages
"""

from radcal.records.advice import (
    Advice,
    Frontier,
    FrontierPoint,
    HeldOut,
    Judgement,
    Recommendation,
    Substitution,
    WhatIf,
    Withheld,
)
from radcal.records.analysis import Analysis, AuthorPairs, Provenance
from radcal.records.copies import Backup, Checked, Contents, Restored
from radcal.records.feedback import (
    USUAL_SHEET,
    Example,
    FeedbackInput,
    Json,
    OthersRate,
    PageChoice,
    PageImage,
    Paper,
    PdfPage,
    Sheet,
    Standard,
)
from radcal.records.findings import FINDING_COLUMNS, Extraction, ExtractionSummary, Extractor, Finding
from radcal.records.reliability import (
    ALL_AUTHORS,
    ALL_TOPICS,
    CONTESTED_LEFT_OUT,
    ENTERED,
    EVIDENCE_COLUMNS,
    OBSERVATION_COLUMNS,
    SILENT_ABSENT,
    SILENT_LEFT_OUT,
    UNKNOWN_PHRASE,
    UNMENTIONED,
    Contest,
    Curve,
    Matching,
    Mix,
    Monotone,
    Part,
    PhraseRate,
    Reliability,
    Tables,
    Verdict,
    Verification,
    VerifiedRate,
    Wording,
    WordShare,
)
from radcal.records.reports import (
    ATTRITION_COLUMNS,
    PAIR_COLUMNS,
    REJECTED_COLUMNS,
    REPORT_COLUMNS,
    AttritionStep,
    Document,
    Import,
    Modality,
    Pairing,
    RejectedRow,
    Section,
    Sentence,
    Unread,
)
from radcal.records.selection import ALL_DAYS, Days, Group, Selection
from radcal.records.words import ABSENT, OTHER, PRESENT, Confirmation, Phrase, PhraseBins

__all__ = [
    "ABSENT",
    "ALL_AUTHORS",
    "ALL_DAYS",
    "ALL_TOPICS",
    "ATTRITION_COLUMNS",
    "CONTESTED_LEFT_OUT",
    "ENTERED",
    "EVIDENCE_COLUMNS",
    "FINDING_COLUMNS",
    "OBSERVATION_COLUMNS",
    "OTHER",
    "PAIR_COLUMNS",
    "PRESENT",
    "REJECTED_COLUMNS",
    "REPORT_COLUMNS",
    "SILENT_ABSENT",
    "SILENT_LEFT_OUT",
    "UNKNOWN_PHRASE",
    "UNMENTIONED",
    "USUAL_SHEET",
    "Advice",
    "Analysis",
    "AttritionStep",
    "AuthorPairs",
    "Backup",
    "Checked",
    "Confirmation",
    "Contents",
    "Contest",
    "Curve",
    "Days",
    "Document",
    "Example",
    "Extraction",
    "ExtractionSummary",
    "Extractor",
    "FeedbackInput",
    "Finding",
    "Frontier",
    "FrontierPoint",
    "Group",
    "HeldOut",
    "Import",
    "Json",
    "Judgement",
    "Matching",
    "Modality",
    "Mix",
    "Monotone",
    "OthersRate",
    "PageChoice",
    "PageImage",
    "Pairing",
    "Paper",
    "Part",
    "PdfPage",
    "Phrase",
    "PhraseBins",
    "PhraseRate",
    "Provenance",
    "Recommendation",
    "RejectedRow",
    "Reliability",
    "Restored",
    "Section",
    "Selection",
    "Sentence",
    "Sheet",
    "Standard",
    "Substitution",
    "Tables",
    "Unread",
    "Verdict",
    "Verification",
    "VerifiedRate",
    "WhatIf",
    "Withheld",
    "WordShare",
    "Wording",
]
