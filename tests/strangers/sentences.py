"""What the radiologists of these departments write: sentences of two languages, each with what it says.

Nothing here is of RadCal or of its sample.  A sentence says one thing of one finding, in a way that leaves no doubt of
how sure it is, so that its reading is right or wrong.  Findings and strengths have the names that RadCal gives them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

PRESENT, ABSENT = "present", "absent"
Said = tuple[str, str]
"""A finding and how sure its sentence is of it."""


@dataclass(frozen=True)
class Language:
    """The words of one language.

    nouns: finding -> what it is called;  ways: strength -> sentences with {t} for the noun ({T} with a capital)
    none_of_two: "{a}" and "{b}" denied in one sentence
    headings: of history, technique, comparison, findings and impression
    """

    nouns: Mapping[str, tuple[str, ...]]
    ways: Mapping[str, tuple[str, ...]]
    none_of_two: tuple[str, ...]
    histories: tuple[str, ...]
    xray_techniques: tuple[str, ...]
    ct_techniques: tuple[str, ...]
    comparisons: tuple[str, ...]
    neutral: tuple[str, ...]
    phoned: tuple[str, ...]
    headings: tuple[str, str, str, str, str]
    addendum: str
    after_ct: str
    special: Mapping[Said, tuple[str, ...]] = field(default_factory=dict)

    def sentence(self, said: Said, draw: Random) -> str:
        """A sentence that says this."""
        finding, strength = said
        if said in self.special:
            return draw.choice(self.special[said])
        noun = draw.choice(self.nouns[finding])
        return draw.choice(self.ways[strength]).format(t=noun, T=noun[:1].upper() + noun[1:])


ENGLISH = Language(
    nouns={
        "infection": ("pneumonia", "right lower lobe pneumonia", "lobar pneumonia", "bronchopneumonia"),
        "edema": ("pulmonary edema", "interstitial edema", "pulmonary oedema"),
        "pleural effusion": ("left pleural effusion", "right pleural effusion", "pleural effusion"),
        "pneumothorax": ("pneumothorax", "left apical pneumothorax", "right pneumothorax"),
        "atelectasis": ("left basilar atelectasis", "subsegmental atelectasis", "lingular atelectasis"),
        "nodule": ("pulmonary nodule", "left upper lobe nodule", "7 mm nodule in the right apex"),
        "fracture": ("acute rib fracture", "left lateral rib fracture", "clavicle fracture"),
        "cardiomegaly": ("cardiomegaly",),
        "emphysema": ("emphysema", "centrilobular emphysema"),
        "hernia": ("hiatal hernia",),
        "lymphadenopathy": ("mediastinal lymphadenopathy", "hilar lymphadenopathy"),
        "pericardial effusion": ("pericardial effusion",),
    },
    ways={
        PRESENT: ("There is {t}.", "{T} is present.", "{T} is noted."),
        ABSENT: ("No {t}.", "There is no {t}.", "No evidence of {t}.", "{T} is not seen."),
        "very unlikely": ("{T} is very unlikely.", "{T} is highly unlikely."),
        "unlikely": ("{T} is unlikely.", "{T} is considered unlikely."),
        "question of": ("Question of {t}.", "Questionable {t}."),
        "possibly": ("Possible {t}.", "{T} is possible.", "Possibly {t}."),
        "may represent": ("This may represent {t}.", "Findings may reflect {t}."),
        "suggestive of": ("Findings are suggestive of {t}.", "The appearance suggests {t}."),
        "suspicious for": ("Findings are suspicious for {t}.", "The appearance is concerning for {t}."),
        "probably": ("Probable {t}.", "Probably {t}."),
        "likely": ("Likely {t}.", "{T} is likely.", "Findings likely represent {t}."),
        "most likely": ("Most likely {t}.", "Findings most likely represent {t}."),
        "highly suggestive of": ("Findings are highly suggestive of {t}.",),
        "compatible with": ("Findings are compatible with {t}.",),
        "consistent with": ("Findings are consistent with {t}.", "The appearance is in keeping with {t}."),
        "diagnostic of": ("Findings are diagnostic of {t}.",),
    },
    none_of_two=("No {a} or {b}.", "There is no {a} or {b}.", "Neither {a} nor {b} is seen."),
    histories=(
        "Cough and fever for four days. Rule out pneumonia.",
        "Shortness of breath, worse on lying down. Edema?",
        "Fall from a ladder, pain on the left. Fracture or pneumothorax?",
        "Preoperative examination. No known heart disease.",
    ),
    xray_techniques=("PA and lateral views of the chest.", "Single portable view, patient semi-upright."),
    ct_techniques=("Helical acquisition with 80 mL of intravenous contrast, 1 mm sections.", "Low dose, no contrast."),
    comparisons=("None.", "Chest radiograph of the previous week.", "No earlier examination is available."),
    neutral=(
        "The trachea is midline.",
        "A right internal jugular catheter ends at the cavoatrial junction.",
        "Sternotomy wires are aligned and intact.",
        "The patient is slightly rotated to the left.",
        "Surgical clips project over the right upper quadrant.",
        "Inspiration is shallow, with eight posterior ribs above the diaphragm.",
        "Degenerative change of the thoracic spine is mild.",
        "The endotracheal tube ends 4 cm above the carina.",
        "An enteric tube passes below the diaphragm, its tip is not included.",
    ),
    phoned=(
        "Discussed by telephone with Dr. Vesterholm at 14:35.",
        "The ward was informed at 09:12 by Dr. Quintrell, who read the message back.",
    ),
    headings=("HISTORY", "TECHNIQUE", "COMPARISON", "FINDINGS", "IMPRESSION"),
    addendum="Addendum: there is a hiatal hernia, which was left out above.",
    after_ct="Addendum: on the CT made afterwards pneumonia and a rib fracture are seen.",
    special={
        ("cardiomegaly", PRESENT): ("The heart is enlarged.", "There is cardiomegaly."),
        ("cardiomegaly", ABSENT): ("Heart size is normal.", "No cardiomegaly."),
    },
)

GERMAN = Language(
    nouns={
        "infection": ("Pneumonie", "Bronchopneumonie", "Unterlappenpneumonie rechts"),
        "edema": ("Lungenödem", "interstitielles Lungenödem"),
        "pleural effusion": ("Pleuraerguss", "Pleuraerguss links"),
        "pneumothorax": ("Pneumothorax", "Pneumothorax rechts"),
        "atelectasis": ("Plattenatelektase", "Atelektase im linken Unterlappen"),
        "nodule": ("Lungenrundherd",),
        "fracture": ("Rippenfraktur", "Klavikulafraktur links"),
        "cardiomegaly": ("Kardiomegalie",),
        "emphysema": ("Lungenemphysem",),
        "hernia": ("Hiatushernie",),
        "lymphadenopathy": ("mediastinale Lymphadenopathie",),
        "pericardial effusion": ("Perikarderguss",),
    },
    ways={
        PRESENT: ("{T} ist nachweisbar.", "{T} nachweisbar.", "Es besteht {t}."),
        ABSENT: ("Kein Hinweis auf {t}.", "{T} nicht nachweisbar.", "{T} ist nicht abgrenzbar."),
        "very unlikely": ("{T} ist sehr unwahrscheinlich.",),
        "unlikely": ("{T} ist unwahrscheinlich.",),
        "question of": ("{T} ist fraglich.", "Fraglich {t}."),
        "possibly": ("Möglicherweise {t}.", "{T} ist möglich."),
        "may represent": ("Dies kann {t} entsprechen.",),
        "suggestive of": ("Die Befunde sind hinweisend auf {t}.",),
        "suspicious for": ("Verdacht auf {t}.", "V. a. {t}."),
        "probably": ("Wahrscheinlich {t}.", "Vermutlich {t}."),
        "likely": ("Eher {t}.",),
        "most likely": ("Am ehesten {t}.", "Mit hoher Wahrscheinlichkeit {t}."),
        "compatible with": ("Die Befunde sind vereinbar mit {t}.",),
        "consistent with": ("Die Befunde sind passend zu {t}.",),
        "diagnostic of": ("Die Befunde sind beweisend für {t}.",),
    },
    none_of_two=("Kein {a}, kein {b}.", "Weder {a} noch {b} nachweisbar."),
    histories=(
        "Husten und Fieber seit vier Tagen. Frage nach Pneumonie.",
        "Luftnot, stärker im Liegen. Stauung?",
        "Sturz von der Leiter, Schmerzen links. Fraktur oder Pneumothorax?",
        "Vor einer Operation. Keine Herzerkrankung bekannt.",
    ),
    xray_techniques=("Thorax in zwei Ebenen im Stehen.", "Bettaufnahme im Liegen, ein Strahlengang."),
    ct_techniques=("Mehrschicht-CT nach 80 ml Kontrastmittel i.v.", "Niedrigdosis, nativ."),
    comparisons=("Keine Voraufnahmen.", "Röntgenaufnahme der Vorwoche."),
    neutral=(
        "Die Trachea steht mittig.",
        "Der zentrale Venenkatheter von rechts endet in der Vena cava superior.",
        "Die Sternalcerclagen sind regelrecht.",
        "Die Aufnahme ist leicht nach links verdreht.",
        "Degenerative Veränderungen der Brustwirbelsäule.",
        "Der Tubus endet 4 cm oberhalb der Carina.",
    ),
    phoned=("Telefonisch besprochen mit Dr. Wiegershausen um 14:35 Uhr.",),
    headings=("Klinische Angaben", "Technik", "Voraufnahmen", "Befund", "Beurteilung"),
    addendum="Nachtrag: Zusätzlich besteht eine Hiatushernie.",
    after_ct="Nachtrag: In der danach angefertigten CT zeigen sich eine Pneumonie und eine Rippenfraktur.",
    special={
        ("cardiomegaly", PRESENT): ("Das Herz ist vergrößert.", "Kardiomegalie."),
        ("cardiomegaly", ABSENT): ("Das Herz ist normal groß.", "Keine Kardiomegalie."),
    },
)
