"""Speed of reading HL7 messages and a FHIR bulk export, compared with the plain parsing of the same bytes.

The peers do less: ``hl7.parse`` splits messages into fields, ``orjson.loads`` reads lines; neither looks for text,
times, people or status, and neither runs in a bounded child.  Also the memory for one line of a gigabyte (``--line``),
read in a process of its own (on Linux), and the time in which an audit log is verified.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import hl7
import orjson
from measuring import SENTENCES, run_times

from radcal.reports.formats import fhir
from radcal.reports.formats import hl7 as hl7_messages
from radcal.reports.formats.hl7.framing import PIECE
from radcal.reports.messages import read_messages
from radcal.system.progress import SILENT
from radcal.workspace.log_check import verify
from radcal.workspace.store import Workspace

MESSAGES = 5_000
ENTRIES = 5_000
RUNS = 3
_PASSPHRASE = "plover granite outlast"  # noqa: S105 - of a file that is deleted at once


def message(i: int) -> str:
    """A report of ten sentences as ORU^R01, its text a line to each OBX."""
    lines = [SENTENCES[(i + k) % len(SENTENCES)] for k in range(10)]
    return "\r".join(
        [
            f"MSH|^~\\&|RIS|HOSP|CAL|HOSP|20240305143000||ORU^R01|{i}|P|2.5.1",
            f"PID|1||P{i // 3:07d}^^^HOSP^MR||Roe^Jane^Q||19500101|F",
            f"OBR|1|A{i:07d}|A{i:07d}|71046^XR CHEST 2 VIEWS^CPT|||20240305142000||||||||||||||||20240305143000||CR|F"
            "|||||||123&Tern&Avery||||",
            *(f"OBX|{n}|TX|71046&GDT^FINDINGS||{line}||||||F" for n, line in enumerate(lines, start=1)),
            "",
        ]
    )


def resources(i: int) -> str:
    """The same report as a line of DiagnosticReport."""
    text = " ".join(SENTENCES[(i + k) % len(SENTENCES)] for k in range(10))
    return json.dumps(
        {
            "resourceType": "DiagnosticReport",
            "id": f"r{i}",
            "status": "final",
            "identifier": [{"value": f"A{i:07d}"}],
            "code": {"text": "XR CHEST 2 VIEWS"},
            "subject": {"reference": f"Patient/{i // 3}", "identifier": {"value": f"P{i // 3:07d}"}},
            "effectiveDateTime": "2024-03-05T14:20:00Z",
            "resultsInterpreter": [{"display": "Avery Tern"}],
            "conclusion": text,
        }
    )


def _line(path: Path) -> None:
    """Read one file of HL7, and print the reports, the faults and the peak of memory in MB."""
    table = read_messages(hl7_messages.FORMAT, path, path.name, SILENT)
    with Path("/proc/self/status").open(encoding="ascii") as file:
        peak = next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))
    sys.stdout.write(f"{len(table.rows) - 1:,} reports and {len(table.faults)} fault, peak {peak:,.0f} MB\n")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--line", action="store_true", help="also one line of a gigabyte")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.read:
        return _line(args.read)
    out = sys.stdout.write
    with tempfile.TemporaryDirectory() as folder:
        for form, name, between, one, plain in (
            (hl7_messages.FORMAT, "m.hl7", "", message, hl7.parse),
            (fhir.FORMAT, "m.ndjson", "\n", resources, orjson.loads),
        ):
            texts = [one(i) for i in range(MESSAGES)]
            path = Path(folder) / name
            path.write_bytes(between.join(texts).encode())
            ours = statistics.median(run_times(lambda: read_messages(form, path, name, SILENT), RUNS))  # noqa: B023
            least = statistics.median(run_times(lambda: [plain(text) for text in texts], RUNS))  # noqa: B023
            out(
                f"{form.title}: {MESSAGES:,} messages in {ours:.2f} s, {1000 * ours / MESSAGES:.2f} ms each; "
                f"{plain.__module__.partition('.')[0]} alone {least:.2f} s, ratio {ours / least:.1f}\n"
            )
        if args.line:
            path = Path(folder) / "line.hl7"
            with path.open("wb") as file:
                file.write(message(0).encode())
                file.write(b"MSH|^~\\&|RIS|HOSP|CAL|HOSP|20240305143000||ORU^R01|1|P|2.5.1\rOBX|1|TX|A||")
                for _ in range((1 << 30) // PIECE):
                    file.write(b"x" * PIECE)
                file.write(b"\r" + message(2).encode())
            [seconds] = run_times(
                lambda: subprocess.run([sys.executable, __file__, "--read", str(path)], check=True),  # noqa: S603
                1,
            )
            out(f"one line of 1 GB between two messages: {seconds:.1f} s\n")
        with Workspace.create(Path(folder) / "w.radcal", _PASSPHRASE) as workspace:
            for i in range(ENTRIES):
                workspace.log("exported", rows=i)
            seconds = statistics.median(run_times(lambda: verify(workspace, ()), RUNS))
        out(f"audit log of {ENTRIES:,} entries verified in {seconds:.2f} s\n")
    return None


if __name__ == "__main__":
    main()
