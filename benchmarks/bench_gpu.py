"""The GPU path: the same reports read on the CPU and on a GPU, findings compared, speeds stated.

    python benchmarks/bench_gpu.py [--python PATH] [--model FILE.gguf] [--reports 20]

PATH is the Python of an environment whose llama-cpp-python was built for a GPU (docs/gpu.md), by default this one; it
reads both times, so that nothing but the device differs.  Without a GPU, Mesa's software device for Vulkan shows that
the path works, not how fast one is: GGML_VK_VISIBLE_DEVICES=0 makes llama.cpp take it.

Exit status 1 if a report failed on the GPU, or the same report gave other findings.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from measuring import SENTENCES, report_of

from radcal.findings.model.local_pairs import LocalPairReader
from radcal.findings.model.options import LlamaOptions
from radcal.findings.model.process import abilities
from radcal.findings.readers.alone import ReadingAlone
from radcal.system.progress import SILENT


def read(model: Path | None, reports: int, gpu_layers: int | None) -> dict[str, Any]:
    """Findings by report, failures by report, seconds without loading, the engine's notes, and the GPUs found."""
    random = np.random.default_rng(0)
    documents = [
        report_of(f"xray:{i}", [f"{i} days later: {SENTENCES[k]}" for k in random.permutation(len(SENTENCES))[:8]])
        for i in range(reports)
    ]
    options = LlamaOptions(gpu_layers=gpu_layers, keep_state=False)
    reader = LocalPairReader(model, options)
    with ReadingAlone(reader) as engine:
        notes = list(reader.start())
        began = time.perf_counter()
        found = list(engine.extract(documents, SILENT))
        seconds = time.perf_counter() - began
    return {
        "findings": {e.report_id: sorted([f.start, f.pathology, f.phrase] for f in e.findings) for e in found},
        "failures": {e.report_id: e.failure for e in found if e.failure},
        "seconds": seconds,
        "notes": notes,
        "gpus": [device.name for device in abilities().devices],
    }


def asked(chosen: argparse.Namespace, gpu_layers: int) -> dict[str, Any]:
    """What the other Python read; ``gpu_layers`` below 0: as many as fit."""
    command = [chosen.python, __file__, "--child", str(gpu_layers), "--reports", str(chosen.reports)]
    if chosen.model is not None:
        command += ["--model", str(chosen.model)]
    root = str(Path(__file__).resolve().parents[1])
    done = subprocess.run(  # noqa: S603 - the user's own Python
        command, env={**os.environ, "PYTHONPATH": root}, stdout=subprocess.PIPE, check=True
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def main() -> int:
    """Read on both, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--reports", type=int, default=20)
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.child is not None:
        layers = None if chosen.child < 0 else chosen.child
        print(json.dumps(read(chosen.model, chosen.reports, layers)))
        return 0
    cpu = asked(chosen, 0)
    if not cpu["gpus"]:
        print("This llama.cpp finds no GPU, so there is nothing to compare; docs/gpu.md leads to one that does.")
        return 0
    gpu = asked(chosen, -1)
    print("\n".join(gpu["notes"]))
    for name, result in (("CPU", cpu), ("GPU", gpu)):
        rate = chosen.reports * 60 / result["seconds"]
        count = sum(map(len, result["findings"].values()))
        print(f"{name}  {rate:10,.0f} reports/min, {count} findings, {len(result['failures'])} reports failed")
    for report, failure in gpu["failures"].items():
        print(f"{report}: {failure}")
    both = [r for r in gpu["findings"] if r not in gpu["failures"]]
    other = [r for r in both if gpu["findings"][r] != cpu["findings"][r]]
    print(f"{len(both) - len(other)} of {len(both)} reports with the same findings {' '.join(other)}")
    return int(bool(gpu["failures"] or other))


if __name__ == "__main__":
    sys.exit(main())
