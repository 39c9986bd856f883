"""Work on extraction runs in the worker: progress, reading, retrying."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.findings.engines import pair_reader
from radcal.system import key_store, policy
from radcal.system.errors import InputError
from radcal.system.text import Text
from radcal.words.extraction_words import for_reading

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.findings.engines import EngineFit
    from radcal.findings.readers.pairs import PairReader
    from radcal.findings.readers.trial import Trial
    from radcal.findings.run_records import EngineStatus, RunSummary
    from radcal.findings.served.server import ServerCheck
    from radcal.system.progress import Progress
    from radcal.system.settings import Settings


@dataclass(frozen=True, slots=True, eq=False)
class Extractions:
    """The state of extraction.

    settings: as stored;  runs: latest first
    accuracies: the measured accuracy of each shipped engine by its name, '' if none was measured
    served: the server to which the engine in the settings sends reports, '' for none
    agreed: whoever is at this computer has agreed to that
    """

    settings: Settings
    status: EngineStatus
    runs: tuple[RunSummary, ...]
    accuracies: Mapping[str, str]
    served: str = ""
    agreed: bool = True


def look(department: Department, _progress: Progress) -> Extractions:
    """Progress of the engines."""
    from radcal.findings.served.agreed import is_agreed
    from radcal.findings.served.server import served_host

    runs, settings = department.runs, department.settings
    status, host = runs.status(), served_host(settings)
    return Extractions(
        settings=settings,
        served=host,
        agreed=not host or is_agreed(host),
        status=status,
        runs=runs.all(),
        accuracies=runs.accuracies(),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Ended:
    """A finished reading.  ``shown``: the run that the results come from, if it is another one."""

    read: RunSummary
    shown: RunSummary | None


def tried(values: Mapping[str, Any], department: Department, _progress: Progress) -> Trial | None:
    """The trial of the model in unsaved settings, None if it was never tried as it is now."""
    from radcal.findings.readers.trial import known_trial

    with closing(_reader(values, department)) as reader:
        return known_trial(department.workspace, reader)


def try_model(values: Mapping[str, Any], department: Department, progress: Progress) -> Trial:
    """Try the model in unsaved settings with sentences of RadCal's own, and remember the outcome; sends no report."""
    from radcal.findings.readers.trial import keep_trial, try_reader

    with closing(_reader(values, department)) as reader:
        file = Path(department.settings.changed(**values).model_file).name
        trial = try_reader(reader, getattr(reader, "model_name", file), progress)
    if not department.read_only:
        keep_trial(department.workspace, trial)
    return trial


def _reader(values: Mapping[str, Any], department: Department) -> PairReader:
    settings = department.settings.changed(**values)
    which = "served" if settings.reads_at_server else settings.model_file
    policy.in_use().refuse({"engine": settings.engine, "second": settings.second})
    return pair_reader(which, settings, for_reading(department.lexicon))


def fit(values: Mapping[str, Any], department: Department, progress: Progress) -> EngineFit:
    """How the engine of unsaved settings would run on this machine."""
    return department.runs.fit(values, progress)


@dataclass(frozen=True, slots=True, eq=False)
class ServerLook:
    """What can be said of the server in unsaved settings without asking it.

    values: the unsaved settings, by name;  host: of the server, '' if the address is none
    faults: what is wrong with a setting, by its name
    """

    values: Mapping[str, Any]
    host: str
    faults: Mapping[str, Text]


def look_at_server(values: Mapping[str, Any], department: Department, _progress: Progress) -> ServerLook:
    """Whether a server can be used as it is set; nothing is sent anywhere."""
    from radcal.findings.served.server import served_host, server_faults

    settings = department.settings.changed(**values)
    return ServerLook(values, served_host(settings), server_faults(settings))


@dataclass(frozen=True, slots=True, eq=False)
class ServerChecked:
    """What a server said when it was asked with these unsaved settings."""

    values: Mapping[str, Any]
    found: ServerCheck


def check(values: Mapping[str, Any], department: Department, progress: Progress) -> ServerChecked:
    """Ask the server what it is and offers; no report is sent."""
    from radcal.findings.served.server import check_server

    progress.start(None, Text("Checking the server"))
    return ServerChecked(values, check_server(department.settings.changed(**values), progress))


@dataclass(frozen=True, slots=True, eq=False)
class KeyState:
    """Whether the key store has a key for a server.

    url: of the server;  store: what the key store is called, '' if this computer has none that can be used
    given: a key is used until RadCal is closed
    """

    url: str
    kept: bool
    store: str
    given: bool = False


def key_state(url: str, _department: Department, _progress: Progress) -> KeyState:
    """What is known of the key for a server; InputError if the address is none."""
    from radcal.findings.served.keys import server_key, server_key_remembered

    kept = server_key_remembered(url)
    try:
        store = key_store.name()
    except InputError:
        store = ""
    return KeyState(url, kept, store, given=not kept and bool(server_key(url)))


def keep_key(url: str, key: str, department: Department, progress: Progress) -> KeyState:
    """Keep the key for a server in the key store; without one, use it until RadCal is closed.

    Raises:
        InputError: it is no key, or the key store refuses it.
    """
    from radcal.findings.served.keys import remember_server_key, use_server_key

    if key_state(url, department, progress).store:
        remember_server_key(url, key)
    else:
        use_server_key(url, key)
    return key_state(url, department, progress)


def forget_key(url: str, department: Department, progress: Progress) -> KeyState:
    """Have the key store forget the key for a server."""
    from radcal.findings.served.keys import forget_server_key

    forget_server_key(url)
    return key_state(url, department, progress)


def reports_as_read(department: Department, _progress: Progress) -> int:
    """The number of reports that are stored as they were read, with the names in them."""
    return department.importing.deidentifying.as_read()


def switch_off(department: Department, _progress: Progress) -> None:
    """Have the rules read from now on, and no server; results stay those of the run on show."""
    runs, second = department.runs, department.settings.second
    before = runs.used() or runs.shown()
    runs.choose({"engine": "rules", "second": "bundled" if second == "served" else second})
    runs.use(None if before == runs.own() else before)


def read(department: Department, progress: Progress, *, values: Mapping[str, Any]) -> Ended | None:
    """Store the engine choice, agree to its server, and let it read the remaining reports; None if there are none."""
    from radcal.findings.served.agreed import agree
    from radcal.findings.served.server import served_host

    agree(served_host(department.runs.choose(values)))
    return _read(department, progress)


def retry(department: Department, progress: Progress, *, report_ids: tuple[str, ...] | None) -> Ended | None:
    """Let the selected engine retry failed reports; None for all of them."""
    department.runs.retry(report_ids)
    return _read(department, progress)


def _read(department: Department, progress: Progress) -> Ended | None:
    department.runs.read(progress)
    used, runs = department.runs.used(), department.runs.all()
    own = next((run for run in runs if run.chosen), None)
    return None if own is None else Ended(own, next((run for run in runs if run.run_id == used), None))
