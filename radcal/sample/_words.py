"""Wordings of pathologies and phrases in the sample.

Anchors describe a visible finding without naming a pathology of the closed list, so that the phrase governs a single
pathology: "Blunting of the left costophrenic angle, likely small pleural effusion."
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Words:
    """Wordings of a pathology.

    things:  noun phrases without article for positive statements; the first has no location
    countable: True if a thing takes an article ("a nodule", but "edema")
    negated: noun phrases after "No"
    organ:   section of a structured report
    anchors: (noun phrase, plural), descriptions of suspicious findings
    present: specific sentences (terse, full) that affirm it
    absent:  specific sentences (terse, full), with their certainty words, that deny it, instead of "No ..."
    soft:    True for interpretations rather than visible findings, which are hedged more often
    """

    things: tuple[str, ...]
    negated: tuple[str, ...]
    organ: str
    anchors: tuple[tuple[str, bool], ...] = ()
    countable: bool = False
    present: tuple[tuple[str, str], ...] = ()
    absent: tuple[tuple[str, str, str], ...] = ()
    soft: bool = False


LUNGS, PLEURA, HEART, MEDIASTINUM, BONES = "Lungs", "Pleura", "Heart", "Mediastinum", "Bones"
ORGANS = (LUNGS, PLEURA, HEART, MEDIASTINUM, BONES)

TOPICS: dict[str, Words] = {
    "edema": Words(
        ("pulmonary edema", "interstitial edema", "mild pulmonary edema", "interstitial pulmonary edema"),
        ("pulmonary edema", "edema", "interstitial edema"),
        LUNGS,
        (
            ("indistinct perihilar vessels", True),
            ("vascular congestion", False),
            ("thickened septal lines", True),
            ("increased perihilar markings", True),
        ),
        soft=True,
    ),
    "atelectasis": Words(
        (
            "atelectasis",
            "left basilar atelectasis",
            "right basilar atelectasis",
            "bibasilar atelectasis",
            "subsegmental atelectasis",
        ),
        ("atelectasis",),
        LUNGS,
        (
            ("linear markings at the left base", True),
            ("crowded markings at the right base", True),
            ("elevation of the right hemidiaphragm", False),
            ("low lung volumes", True),
        ),
        soft=True,
    ),
    "infection": Words(
        (
            "pneumonia",
            "right lower lobe pneumonia",
            "left lower lobe pneumonia",
            "early pneumonia",
            "pulmonary infection",
        ),
        ("pneumonia", "evidence of pneumonia", "evidence of infection"),
        LUNGS,
        (
            ("increased markings at the right base", True),
            ("asymmetric markings behind the heart", True),
            ("focal silhouetting of the left hemidiaphragm", False),
            ("peribronchial cuffing", False),
        ),
        soft=True,
    ),
    "aspiration": Words(
        ("aspiration", "aspiration at the right base", "recent aspiration"),
        ("evidence of aspiration",),
        LUNGS,
        (("dependent changes at both bases", True), ("patchy changes in the dependent lung", True)),
        soft=True,
    ),
    "consolidation": Words(
        (
            "consolidation",
            "right lower lobe consolidation",
            "left lower lobe consolidation",
            "retrocardiac airspace disease",
            "airspace disease at the right base",
        ),
        ("focal consolidation", "consolidation", "airspace disease"),
        LUNGS,
        (("air bronchograms behind the heart", True), ("loss of the right heart border", False)),
        soft=True,
    ),
    "opacity": Words(
        (
            "right basilar opacity",
            "left basilar opacity",
            "patchy opacity in the right lower lung",
            "hazy opacity in the left mid lung",
            "retrocardiac opacity",
        ),
        ("focal opacity", "opacity", "infiltrate"),
        LUNGS,
        absent=(
            ("Lungs clear.", "The lungs are clear.", "clear"),
            ("Clear lungs.", "Both lungs are clear.", "clear"),
            ("No focal opacity.", "There is no focal opacity.", "no"),
        ),
    ),
    "malignancy": Words(
        ("malignancy", "neoplasm", "primary lung cancer", "metastatic disease"),
        ("evidence of malignancy",),
        LUNGS,
        (("rounded focus in the left upper lung", False), ("irregular right hilar contour", False)),
        soft=True,
    ),
    "mass": Words(
        ("lung mass", "right upper lobe mass", "left hilar mass", "4 cm mass in the left lower lung"),
        ("mass", "lung mass"),
        LUNGS,
        (("convex contour of the left hilum", False),),
        countable=True,
    ),
    "nodule": Words(
        (
            "pulmonary nodule",
            "8 mm nodule in the right upper lobe",
            "left lower lobe nodule",
            "12 mm nodule in the left mid lung",
        ),
        ("pulmonary nodule", "suspicious nodule"),
        LUNGS,
        (("rounded focus over the right mid lung", False),),
        countable=True,
    ),
    "granuloma": Words(
        ("calcified granuloma", "calcified granuloma in the left upper lobe"),
        ("granuloma",),
        LUNGS,
        (("punctate calcification in the right lung", False),),
        countable=True,
        soft=True,
    ),
    "emphysema": Words(
        ("emphysema", "upper lobe emphysema"),
        ("emphysema",),
        LUNGS,
        (("hyperinflated lungs", True), ("flattened diaphragms", True)),
        soft=True,
    ),
    "fibrosis": Words(
        ("pulmonary fibrosis", "basilar fibrosis", "scarring at the left base"),
        ("fibrosis",),
        LUNGS,
        (("coarse peripheral markings", True), ("reticular markings at both bases", True)),
        soft=True,
    ),
    "pleural effusion": Words(
        (
            "small pleural effusion",
            "small left pleural effusion",
            "small right pleural effusion",
            "moderate left pleural effusion",
            "trace right pleural effusion",
        ),
        ("pleural effusion", "effusion"),
        PLEURA,
        (
            ("blunting of the left costophrenic angle", False),
            ("blunting of the right costophrenic angle", False),
            ("meniscus along the left lateral chest wall", False),
        ),
        countable=True,
    ),
    "pneumothorax": Words(
        (
            "small pneumothorax",
            "small right pneumothorax",
            "small left apical pneumothorax",
            "right apical pneumothorax",
        ),
        ("pneumothorax",),
        PLEURA,
        (("thin line at the right apex", False),),
        countable=True,
    ),
    "pleural thickening": Words(
        ("pleural thickening", "left lateral pleural thickening"), ("pleural thickening",), PLEURA
    ),
    "cardiomegaly": Words(
        ("cardiomegaly", "mild cardiomegaly", "moderate cardiomegaly"),
        ("cardiomegaly",),
        HEART,
        present=(
            ("Heart enlarged.", "The heart is enlarged."),
            ("Enlarged heart.", "The cardiac silhouette is enlarged."),
        ),
        absent=(
            ("Heart size normal.", "Heart size is normal.", "normal"),
            ("Normal heart size.", "The heart is normal in size.", "normal"),
        ),
    ),
    "pericardial effusion": Words(
        ("small pericardial effusion", "pericardial effusion"),
        ("pericardial effusion",),
        HEART,
        (("globular cardiac contour", False),),
        countable=True,
    ),
    "lymphadenopathy": Words(
        ("hilar lymphadenopathy", "mediastinal lymphadenopathy", "right hilar adenopathy"),
        ("lymphadenopathy", "mediastinal or hilar lymphadenopathy"),
        MEDIASTINUM,
        (("fullness of the right hilum", False), ("widening of the right paratracheal stripe", False)),
    ),
    "hernia": Words(
        ("hiatal hernia", "small hiatal hernia"),
        ("hiatal hernia",),
        MEDIASTINUM,
        (("retrocardiac air-fluid level", False),),
        countable=True,
        soft=True,
    ),
    "pulmonary embolism": Words(("pulmonary embolism",), ("pulmonary embolism",), MEDIASTINUM),
    "fracture": Words(
        ("rib fracture", "fracture of the right sixth rib", "compression fracture of T8"),
        ("acute fracture", "displaced rib fracture", "fracture"),
        BONES,
        (("cortical irregularity of a left lower rib", False),),
        countable=True,
    ),
}

CT_TOPICS = {name: replace(words, anchors=()) for name, words in TOPICS.items()} | {
    "opacity": Words(
        ("ground-glass opacity", "ground-glass opacity in the right lower lobe", "patchy opacity in the lingula"),
        ("ground-glass opacity", "parenchymal opacity"),
        LUNGS,
    )
}
"""Wordings of CT reports: without anchors, and with ground-glass opacities."""


@dataclass(frozen=True, slots=True)
class Frames:
    """Sentences with a phrase: (template, certainty words).

    A is an anchor, t the thing, at the thing with its article, T and At the same capitalised; ``is`` and
    ``represents`` agree with the anchor in number.
    """

    terse: tuple[tuple[str, str], ...]
    full: tuple[tuple[str, str], ...] = ()


FRAMES: dict[str, Frames] = {
    "present": Frames(
        (("{T}.", ""),),
        (("There is {at}.", ""), ("{At} is present.", ""), ("{At} is seen.", ""), ("{T}.", ""), ("{At} is noted.", "")),
    ),
    "likely": Frames(
        (("{A}, likely {t}.", "likely"), ("Likely {t}.", "likely"), ("{A}, favor {t}.", "favor")),
        (
            ("{A} likely {represents} {at}.", "likely"),
            ("{A} {is} felt to be due to {at}.", "felt to be"),
            ("There is likely {at}.", "likely"),
            ("{At} is likely.", "likely"),
        ),
    ),
    "most likely": Frames(
        (("{A}, most likely {t}.", "most likely"), ("Most likely {t}.", "most likely")),
        (("{A} most likely {represents} {at}.", "most likely"), ("{A} {is} very likely {at}.", "very likely")),
    ),
    "may represent": Frames(
        (("{A}, may represent {t}.", "may represent"), ("May be {t}.", "may be"), ("{A}, might be {t}.", "might be")),
        (
            ("{A} may represent {at}.", "may represent"),
            ("{A} may reflect {at}.", "may reflect"),
            ("{A} might represent {at}.", "might represent"),
            ("There may be {at}.", "may be"),
        ),
    ),
    "possibly": Frames(
        (
            ("Possible {t}.", "possible"),
            ("{A}, possibly {t}.", "possibly"),
            ("{T} not excluded.", "not excluded"),
        ),
        (
            ("{A} could represent {at}.", "could represent"),
            ("{At} cannot be excluded.", "cannot be excluded"),
            ("{At} is possible.", "possible"),
        ),
    ),
    "maybe": Frames((("Maybe {t}.", "maybe"), ("{A}, maybe {t}.", "maybe"))),
    "question of": Frames(
        (
            ("Questionable {t}.", "questionable"),
            ("Question of {t}.", "question of"),
            ("{A}, query {t}.", "query"),
        ),
        (("There is a question of {t}.", "question of"), ("{At} is questionable.", "questionable")),
    ),
    "probably": Frames(
        (("Probable {t}.", "probable"), ("{A}, probably {t}.", "probably"), ("{A}, presumably {t}.", "presumably")),
        (("There is probably {at}.", "probably"), ("{A} probably {represents} {at}.", "probably")),
    ),
    "suggestive of": Frames(
        (("{A} suggestive of {t}.", "suggestive of"), ("Findings suggest {t}.", "suggest")),
        (
            ("{A} {is} suggestive of {t}.", "suggestive of"),
            ("The appearance suggests {at}.", "suggests"),
            ("{A}, suggesting {t}.", "suggesting"),
        ),
    ),
    "highly suggestive of": Frames(
        (
            ("{A} highly suggestive of {t}.", "highly suggestive of"),
            ("Findings highly suggestive of {t}.", "highly suggestive of"),
        ),
        (("{A} {is} highly suggestive of {t}.", "highly suggestive of"),),
    ),
    "suspicious for": Frames(
        (
            ("{A} suspicious for {t}.", "suspicious for"),
            ("{A} concerning for {t}.", "concerning for"),
            ("Suspected {t}.", "suspected"),
        ),
        (("{A} {is} suspicious for {t}.", "suspicious for"), ("Findings are concerning for {t}.", "concerning for")),
    ),
    "worrisome for": Frames(
        (("{A} worrisome for {t}.", "worrisome for"), ("Findings worrisome for {t}.", "worrisome for")),
        (("{A} {is} worrisome for {t}.", "worrisome for"),),
    ),
    "compatible with": Frames(
        (("{A} compatible with {t}.", "compatible with"), ("Findings compatible with {t}.", "compatible with")),
        (("{A} {is} compatible with {t}.", "compatible with"),),
    ),
    "consistent with": Frames(
        (
            ("{A} consistent with {t}.", "consistent with"),
            ("Findings consistent with {t}.", "consistent with"),
            ("{A}, in keeping with {t}.", "in keeping with"),
        ),
        (
            ("{A} {is} consistent with {t}.", "consistent with"),
            ("Findings are in keeping with {t}.", "in keeping with"),
        ),
    ),
    "diagnostic of": Frames(
        (("{A} diagnostic of {t}.", "diagnostic of"), ("Findings diagnostic of {t}.", "diagnostic of")),
        (("{A} {is} diagnostic of {t}.", "diagnostic of"),),
    ),
    "unlikely": Frames(
        (("{T} unlikely.", "unlikely"), ("{A}, unlikely to represent {t}.", "unlikely to represent")),
        (("{At} is unlikely.", "unlikely"), ("{At} is doubtful.", "doubtful")),
    ),
    "very unlikely": Frames(
        (("{T} very unlikely.", "very unlikely"),),
        (("{At} is very unlikely.", "very unlikely"), ("{A} {is} very unlikely to represent {at}.", "very unlikely")),
    ),
}

DIFFERENTIALS: dict[str, tuple[tuple[str, str], ...]] = {
    "possibly": (("{A}, {t} versus {u}.", "versus"), ("{A}, possibly {t} or {u}.", "possibly")),
    "may represent": (("{A} may represent {t} or {u}.", "may represent"),),
    "likely": (("{A}, likely {t} versus {u}.", "likely"),),
    "suspicious for": (("{A} concerning for {t} or {u}.", "concerning for"),),
    "consistent with": (("{A} consistent with {t} and {u}.", "consistent with"),),
}
"""Sentences with two pathologies under one phrase."""

NO = (("No {t}.", "no"), ("There is no {t}.", "no"), ("No evidence of {t}.", "no evidence of"))

DEVICES = (
    "The endotracheal tube ends 4 cm above the carina.",
    "A right internal jugular line ends in the superior vena cava.",
    "The feeding tube passes below the diaphragm.",
    "Median sternotomy wires are intact.",
    "A left chest pacemaker is unchanged.",
    "The aorta is tortuous.",
    "There are degenerative changes of the thoracic spine.",
    "Surgical clips project over the right upper abdomen.",
    "The patient is rotated to the left.",
)
INDICATIONS = (
    "Shortness of breath.",
    "Cough and fever, evaluate for pneumonia.",
    "Chest pain after a fall, rule out fracture.",
    "Hypoxia. History of breast cancer.",
    "Line placement, check for pneumothorax.",
    "Leg swelling, question of edema.",
    "Sepsis, source unknown.",
    "Preoperative examination.",
)
NOTHING = (
    "No acute cardiopulmonary abnormality.",
    "No acute disease.",
    "Unremarkable examination for age.",
    "No significant change.",
)
CT_OTHER = (
    "Coronary artery calcifications are moderate.",
    "The airways are patent.",
    "The upper abdomen is unremarkable.",
    "There are degenerative changes of the spine.",
    "The thyroid gland is unremarkable.",
    "The central venous catheter ends at the cavoatrial junction.",
    "Simple cyst in the left kidney.",
)
