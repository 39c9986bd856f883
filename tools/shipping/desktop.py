"""How a desktop knows RadCal: its entry in the menu, and workspaces as a kind of files that it opens.

Sources: the Desktop Entry Specification 1.4 and the Shared MIME-info Specification 0.21 of freedesktop.org.
"""

from __future__ import annotations

from xml.etree import ElementTree as Xml

NAME = "radcal-gui"
"""The name of the program, which is how desktops find the entry of a window."""
WORKSPACE = "application/x-radcal-workspace"
SUFFIX = ".radcal"
_MIME = "http://www.freedesktop.org/standards/shared-mime-info"
_ENTRY = {
    "Type": "Application",
    "Version": "1.4",
    "Name": "RadCal",
    "GenericName": "Certainty Words of Radiology Reports",
    "GenericName[de]": "Wörter der Gewissheit in Befunden",
    "Comment": "Do the certainty words of radiologists mean what readers take them to mean?",
    "Comment[de]": "Bedeuten die Wörter der Gewissheit von Radiologen, was Leser darunter verstehen?",
    "Exec": f"{NAME} %f",
    "Icon": "radcal",
    "Terminal": "false",
    "Categories": "Science;MedicalSoftware;DataVisualization;Qt;",
    "Keywords": "radiology;report;calibration;uncertainty;",
    "Keywords[de]": "Radiologie;Befund;Kalibrierung;Unsicherheit;",
    "MimeType": f"{WORKSPACE};",
    "StartupNotify": "true",
    "StartupWMClass": NAME,
}


def entry() -> str:
    """The entry in the menu."""
    return "[Desktop Entry]\n" + "".join(f"{key}={value}\n" for key, value in _ENTRY.items())


def mime() -> str:
    """The kind of files that workspaces are. They are encrypted, so only the name tells."""
    Xml.register_namespace("", _MIME)
    root = Xml.Element(f"{{{_MIME}}}mime-info")
    kind = Xml.SubElement(root, f"{{{_MIME}}}mime-type", type=WORKSPACE)
    for language, text in ((None, "RadCal workspace"), ("de", "Arbeitsbereich von RadCal")):
        comment = Xml.SubElement(kind, f"{{{_MIME}}}comment")
        comment.text = text
        if language:
            comment.set("{http://www.w3.org/XML/1998/namespace}lang", language)
    Xml.SubElement(kind, f"{{{_MIME}}}icon", name="radcal")
    Xml.SubElement(kind, f"{{{_MIME}}}glob", pattern=f"*{SUFFIX}")
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
