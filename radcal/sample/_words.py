"""Wordings of pathologies and phrases in the sample.

Anchors describe a visible finding without naming a pathology of the closed list, so that the phrase governs a single
pathology: "Blunting of the left costophrenic angle, likely small pleural effusion."  Brackets mark certainty words.
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
    absent:  specific sentences (terse, full) that deny it, instead of "No ..."
    soft:    True for interpretations rather than visible findings, which are hedged more often
    """

    things: tuple[str, ...]
    negated: tuple[str, ...]
    organ: str
    anchors: tuple[tuple[str, bool], ...] = ()
    countable: bool = False
    present: tuple[tuple[str, str], ...] = ()
    absent: tuple[tuple[str, str], ...] = ()
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
            ("Lungs [clear].", "The lungs are [clear]."),
            ("[Clear] lungs.", "Both lungs are [clear]."),
            ("[No] focal opacity.", "There is [no] focal opacity."),
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
            ("Heart size [normal].", "Heart size is [normal]."),
            ("[Normal] heart size.", "The heart is [normal] in size."),
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
    """Sentences with a phrase.

    A is an anchor, t the thing, at the thing with its article, T and At the same capitalised; ``is`` and
    ``represents`` agree with the anchor in number.
    """

    terse: tuple[str, ...]
    full: tuple[str, ...] = ()


FRAMES: dict[str, Frames] = {
    "present": Frames(("{T}.",), ("There is {at}.", "{At} is present.", "{At} is seen.", "{T}.", "{At} is noted.")),
    "likely": Frames(
        ("{A}, [likely] {t}.", "[Likely] {t}.", "{A}, [favor] {t}."),
        (
            "{A} [likely] {represents} {at}.",
            "{A} {is} [felt to be] due to {at}.",
            "There is [likely] {at}.",
            "{At} is [likely].",
        ),
    ),
    "most likely": Frames(
        ("{A}, [most likely] {t}.", "[Most likely] {t}."),
        ("{A} [most likely] {represents} {at}.", "{A} {is} [very likely] {at}."),
    ),
    "may represent": Frames(
        ("{A}, [may represent] {t}.", "[May be] {t}.", "{A}, [might be] {t}."),
        ("{A} [may represent] {at}.", "{A} [may reflect] {at}.", "{A} [might represent] {at}.", "There [may be] {at}."),
    ),
    "possibly": Frames(
        ("[Possible] {t}.", "{A}, [possibly] {t}.", "{T} [not excluded]."),
        ("{A} [could represent] {at}.", "{At} [cannot be excluded].", "{At} is [possible]."),
    ),
    "maybe": Frames(("[Maybe] {t}.", "{A}, [maybe] {t}.")),
    "question of": Frames(
        ("[Questionable] {t}.", "[Question of] {t}.", "{A}, [query] {t}."),
        ("There is a [question of] {t}.", "{At} is [questionable]."),
    ),
    "probably": Frames(
        ("[Probable] {t}.", "{A}, [probably] {t}.", "{A}, [presumably] {t}."),
        ("There is [probably] {at}.", "{A} [probably] {represents} {at}."),
    ),
    "suggestive of": Frames(
        ("{A} [suggestive of] {t}.", "Findings [suggest] {t}."),
        ("{A} {is} [suggestive of] {t}.", "The appearance [suggests] {at}.", "{A}, [suggesting] {t}."),
    ),
    "highly suggestive of": Frames(
        ("{A} [highly suggestive of] {t}.", "Findings [highly suggestive of] {t}."),
        ("{A} {is} [highly suggestive of] {t}.",),
    ),
    "suspicious for": Frames(
        ("{A} [suspicious for] {t}.", "{A} [concerning for] {t}.", "[Suspected] {t}."),
        ("{A} {is} [suspicious for] {t}.", "Findings are [concerning for] {t}."),
    ),
    "worrisome for": Frames(
        ("{A} [worrisome for] {t}.", "Findings [worrisome for] {t}."), ("{A} {is} [worrisome for] {t}.",)
    ),
    "compatible with": Frames(
        ("{A} [compatible with] {t}.", "Findings [compatible with] {t}."), ("{A} {is} [compatible with] {t}.",)
    ),
    "consistent with": Frames(
        ("{A} [consistent with] {t}.", "Findings [consistent with] {t}.", "{A}, [in keeping with] {t}."),
        ("{A} {is} [consistent with] {t}.", "Findings are [in keeping with] {t}."),
    ),
    "diagnostic of": Frames(
        ("{A} [diagnostic of] {t}.", "Findings [diagnostic of] {t}."), ("{A} {is} [diagnostic of] {t}.",)
    ),
    "unlikely": Frames(
        ("{T} [unlikely].", "{A}, [unlikely to represent] {t}."), ("{At} is [unlikely].", "{At} is [doubtful].")
    ),
    "very unlikely": Frames(
        ("{T} [very unlikely].",), ("{At} is [very unlikely].", "{A} {is} [very unlikely] to represent {at}.")
    ),
}

DIFFERENTIALS: dict[str, tuple[str, ...]] = {
    "possibly": ("{A}, {t} [versus] {u}.", "{A}, [possibly] {t} or {u}."),
    "may represent": ("{A} [may represent] {t} or {u}.",),
    "likely": ("{A}, [likely] {t} versus {u}.",),
    "suspicious for": ("{A} [concerning for] {t} or {u}.",),
    "consistent with": ("{A} [consistent with] {t} and {u}.",),
}
"""Sentences with two pathologies under one phrase."""

NO = ("[No] {t}.", "There is [no] {t}.", "[No evidence of] {t}.")

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
