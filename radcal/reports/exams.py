"""The modality of an examination, and whether it shows the chest."""

from __future__ import annotations

import re
import unicodedata

from radcal.reports.records import Modality

OTHER_MODALITY = "other"
"""A known modality other than X-ray and CT."""

_CODES = {
    Modality.XRAY: "cr dx dr xr rx rg xray xrays cxr dg pxr radiograph radiography radiographs radiographie radiografia"
    " rontgen roentgen konventionell plainfilm plainradiograph plainradiography conventional projectionradiography"
    " digitalradiography computedradiography generalradiography generalxray diagnosticxray radiologie",
    Modality.CT: "ct cta ctscan cat catscan tac tdm scanner computedtomography computertomographie computertomografie"
    " tomografia tomodensitometrie tomografiacomputarizada",
    OTHER_MODALITY: "us mr mri mrt mra irm rm nm pt pet petct ptct spect mg mammo mammography rf fl"
    " fluoro fluoroscopy xa"
    " ir angio bmd dexa dxa es ecg ekg echo io ot sr sc ultrasound sono sonographie ultraschall nuclearmedicine",
}
_OF_CODE = {code: modality for modality, codes in _CODES.items() for code in codes.split()}

_OTHER_EXAM = re.compile(
    r"\b(?:pet(?:[ /-]?ct)?|mr|mri|mra|mrt|irm|us|ultrasound|ultraschall|sono\w*|echo\w*|ecograf\w*|nm|spect|v/?q"
    r"|fluoro\w*|mammo\w*|dexa|dxa|bone density|angiogra(?:m|phy) (?:pulmonary )?catheter|esophagram|biopsy|drainage)\b"
)
_CT_EXAM = re.compile(
    r"\b(?:ct[a-z]?|cct|cta?chest\w*|ctpa|hrct|ldct|cect|ncct|computed tomogra\w*|computertomogra\w*|cat scan|tdm|tac"
    r"|scanner|tomodensito\w*|angio-?ct)\b|\bct(?=[a-z]{0,6}(?:chest|thor|ches|cap|pe)\w*\b)|\b712[567]\d\b"
)
_XRAY_EXAM = re.compile(
    r"\b(?:c?xr|cr|dx|dr|rx|x-?rays?|x ray|radiogra(?:ph|f)\w*|plain films?|ro(?:e)?ntgen\w*|ro(?:e)?\.?(?= )"
    r"|(?:chest|thorax|torax),? (?:im |am )?(?:portable|p\.?a|a\.?p|d\.?v|lat\w*|front\w*|single|one|two|[1-4]|in [12]"
    r"|seitlich\w*|liegend\w*|liegen|stehend\w*|stehen|sitzend\w*|sitzen|bett|mobil\w*|bedside|supine|erect|upright)"
    r"|(?:portable|bedside|mobile) chest|(?:pa|ap) (?:and|&|\+|/) ?lat\w*|[1-4] views?|(?:one|two|single) views?"
    r"|(?:[1-4]|zwei) (?:ebenen|eb)|[a-z]*(?:thorax|lungen|leer|ubersichts|rontgen|ziel|becken)-?aufnahmen?"
    r"|thorax-?(?:bild|ubersicht)|bett-?(?:thorax|lunge))\b"
    # A projection written with full stops is said of radiographs alone; CT and the like are asked for first.
    r"|(?<![\w.])(?:a\.p|p\.a|d\.v)\b"
    r"|\b(?:xr|dx|cr|cxr|rx)(?=[a-z]{0,6}(?:chest|thor|ches|cxr|thx)|[ _-]?\d)|\b710[1234]\d\b"
)
_CHEST = re.compile(
    r"\b(?:chest|thorax|torax|thoracic(?! (?:spine|vert|lumb|and lumbar|inlet|outlet))|thoracique|toracic\w*|lungs?"
    r"|pulm\w*|poumons?|lunge\w*|brustkorb|pecho|cxr\w*|ctpa|hrct|ldct|tap|cap|c/a/p|cap w\w*|pe (?:protocol|study)"
    r"|for pe|rule out pe|thx|bett-?lunge|lungen-?aufnahmen?)\b"
    r"|(?:ct|xr|cr|dx|img|rx|rontgen)[a-z_ -]{0,8}(?:chest|ches|cxr|thx|thor(?:ax)?)"
    r"|\bct[a a-z]{0,4} ?(?:angio\w* )?pe\b|thorax\w*|\b710[1234]\d\b|\b712[567]\d\b"
)
_BONES = re.compile(
    r"\bt(?:horacic)?[ -]?spine|\bspines?\b|\bspinal\b|\bvertebra\w*|thoraco-?lumb\w*|\brachis|columna|wirbelsaule"
    r"|\bbws\b|thoracentesis"
    # the ribs of one side, and those of both: images of bones that leave the lungs dark
    r"|\bhemi-?thorax\w*|\bknochern\w* (?:hemi-?)?thorax\w*"
)
_OF_THE_THORAX = re.compile(r"\b(?:thor(?:ac\w*|ak\w*)?|torac\w*)\b")
"""Adjectives: beside bones they tell which part of them."""


def classify(modality: str, exam: str, body_part: str) -> tuple[str, bool]:
    """The modality ('xray', 'ct', OTHER_MODALITY or '' if unknown) and whether the chest is examined.

    The modality column decides; if it is empty or unknown, the exam's name or code does.  A CT of chest, abdomen and
    pelvis is a chest CT; an X-ray of the thoracic spine or of ribs is not a chest X-ray.
    """
    name = _plain(f"{exam} ")
    region = _plain(body_part)
    kind = _of_column(modality) or _of_exam(name)
    rest = _OF_THE_THORAX.sub(" ", _BONES.sub(" ", name)) if _BONES.search(name) else name
    bones_only = rest != name and _CHEST.search(rest) is None
    chest = (_CHEST.search(name) is not None or _CHEST.search(region) is not None) and not bones_only
    return kind, chest


PORTABLE, FIXED = "portable", "fixed"
"""How a chest X-ray was taken: with a portable unit or lying, or at a fixed unit, in two views or upright."""
_PORTABLE = re.compile(
    r"\b(?:port(?:able)?s?|mobile|bedside|supine|decubitus|semi-?(?:erect|upright)|bett\w*|liegend\w*|liegen|mobil\w*"
    r"|au lit|portatif|portatile|portatil(?:es)?|sangliggande|liggande|sangplats|icu|itu|nicu|picu|intensiv\w*)\b"
)
_FIXED = re.compile(
    r"\b(?:p\.?a|(?:pa|ap) ?(?:and|&|\+|/|,|u\.?|und|et|y) ?lat\w*|lat(?:eral)?|(?:2|two|3|three|4|four)[ -]?views?"
    r"|upright|erect|standing|(?:in )?(?:2|zwei) ebenen|stehend\w*|stehen|face et profil|profil|de pie|bipedestacion"
    r"|d\.?v)\b|\b(?:7104[678]|710[23]\d)\b"
)
_ANTERIOR = re.compile(r"\b(?:a\.?p|anteroposterior|antero-posterior|a\.?-p)\b")


def projection(exam: str) -> str:
    """PORTABLE, FIXED, or '' where the name of a chest X-ray does not tell.

    A single AP view that is not said to be upright is taken at the bedside as a rule, and counts as portable.
    """
    name = _plain(exam)
    if _PORTABLE.search(name):
        return PORTABLE
    if _FIXED.search(name):
        return FIXED
    return PORTABLE if _ANTERIOR.search(name) else ""


def is_modality(cell: str) -> bool:
    """Whether a cell is the code or name of a modality, such as 'CR', 'CT\\SR' or 'MRI', and nothing more."""
    parts = [re.sub(r"[^a-z]", "", part) for part in re.split(r"[\\,;|/]", _plain(cell))]
    return any(parts) and all(part in _OF_CODE for part in parts if part)


def _of_column(cell: str) -> str:
    # DICOM separates the modalities of a study by backslashes: CT\SR
    parts = [re.sub(r"[^a-z]", "", part) for part in re.split(r"[\\,;|]", _plain(cell))]
    found = [_OF_CODE[p] for p in parts if p in _OF_CODE]
    if "pt" in parts or "pet" in parts:
        return OTHER_MODALITY
    wanted = [f for f in found if f != OTHER_MODALITY]
    return (wanted or found or [_of_exam(_plain(cell))])[0]


def _of_exam(name: str) -> str:
    if _OTHER_EXAM.search(name):
        return OTHER_MODALITY
    if _CT_EXAM.search(name):
        return Modality.CT
    if _XRAY_EXAM.search(name):
        return Modality.XRAY
    return ""


def _plain(text: str) -> str:
    if text.isascii():
        return text.casefold().replace("_", " ")
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in folded if not unicodedata.combining(c)).replace("_", " ")
