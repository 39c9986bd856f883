"""Checks for the system libraries that Qt loads, before Qt is asked to load them.

Qt itself stops the program with a terse line when one is missing; this names the packages instead.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Mapping

# Library: (Debian and Ubuntu package, Fedora and RHEL package)
_ALWAYS: Mapping[str, tuple[str, str]] = {
    "libEGL.so.1": ("libegl1", "libglvnd-egl"),
    "libGL.so.1": ("libgl1", "libglvnd-glx"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig"),
    "libfreetype.so.6": ("libfreetype6", "freetype"),
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon"),
}
_X11: Mapping[str, tuple[str, str]] = {
    "libX11-xcb.so.1": ("libx11-xcb1", "libX11-xcb"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11"),
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms"),
    "libxcb-randr.so.0": ("libxcb-randr0", "libxcb"),
    "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil"),
    "libxcb-shape.so.0": ("libxcb-shape0", "libxcb"),
    "libxcb-xkb.so.1": ("libxcb-xkb1", "libxcb"),
}


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def missing_libraries(*, x11: bool, loads: Callable[[str], bool] = _loads) -> dict[str, tuple[str, str]]:
    """The libraries that Qt needs and this system lacks, with the packages that hold them."""
    needed = {**_ALWAYS, **(_X11 if x11 else {})}
    return {library: packages for library, packages in needed.items() if not loads(library)}


def message(missing: Mapping[str, tuple[str, str]]) -> str:
    """The message on missing libraries: names, and installation commands."""
    debian = " ".join(sorted({packages[0] for packages in missing.values()}))
    fedora = " ".join(sorted({packages[1] for packages in missing.values()}))
    return (
        f"RadCal's window needs system libraries that are not installed: {', '.join(missing)}.\n"
        f"  Debian, Ubuntu:  sudo apt-get install {debian}\n"
        f"  Fedora, RHEL:    sudo dnf install {fedora}\n"
        "Everything but the window works without them: radcal --help"
    )


def check() -> str:
    """An empty string, or why no window can be opened on this system."""
    if not sys.platform.startswith("linux"):
        return ""
    platform = os.environ.get("QT_QPA_PLATFORM", "").split(":")[0]
    x11 = platform == "xcb" or (not platform and bool(os.environ.get("DISPLAY")))
    if not platform and not x11 and not os.environ.get("WAYLAND_DISPLAY"):
        return "There is no display, so no window can be opened. Everything but the window works: radcal --help"
    missing = missing_libraries(x11=x11)
    return message(missing) if missing else ""


if __name__ == "__main__":
    sys.exit(check() or 0)
