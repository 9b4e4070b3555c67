"""What a command costs: its processor time, wall time and peak memory, as the system counted them."""

import os
import subprocess
import time
from pathlib import Path
from typing import NamedTuple


class Cost(NamedTuple):
    wall: float
    cpu: float
    peak_mb: float
    said: str


def measure(command: list[str | Path], *, folder: Path, env: dict[str, str]) -> Cost:
    """Run a command in a folder; a failure raises with the end of what it said."""
    said, complained = folder / "stdout", folder / "stderr"
    begin = time.perf_counter()
    with said.open("w") as out, complained.open("w") as errors:
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=out, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command[0]}: exit {process.returncode}: {complained.read_text()[-2000:]}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, said.read_text())


def describe_machine() -> str:
    """Name the processor, the cores and the load of the last minute."""
    info = Path("/proc/cpuinfo")
    models = (
        [line for line in info.read_text().splitlines() if line.startswith("model name")]
        if info.exists()
        else []
    )
    name = models[0].partition(":")[2].strip() if models else "unknown processor"
    return f"{os.cpu_count()} cores of {name}, load {os.getloadavg()[0]:.1f}"
