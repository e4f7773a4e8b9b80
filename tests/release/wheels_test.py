#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The wheels of scripts/build_wheel as their users have them: in an environment of this machine, and in minimal roots of Debian 11, 12, 13
and unstable, which have Python and pip alone.

In each: pip's seconds for both wheels, the programs, the first notebook, the Python examples of README.md. Where PyPI has an ONNX Runtime
that knows plug-in providers, its newest: the tests of the provider, then provider_figures.py. The roots need root and debootstrap; they are
made once, in build/wheel_roots. A line [SKIP] says what was left out, and why.

usage: wheels_test.py [--made] [--data FOLDER] [PLACE...]    in the clone; needs PyPI

--made: the wheels of the last scripts/build_wheel. FOLDER has models/resnet20_cifar.onnx and cifar10/, as for
tests/benchmarks/int8_beside_onnxruntime.py. A place is here, bullseye, bookworm, trixie or sid, by default all; or another Python of this
machine, by its path.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEWEST_GLIBC = 31  # auditwheel's tag says what a wheel needs at least
RELEASES = ("bullseye", "bookworm", "trixie", "sid")
# What the tests read of the clone.
FILES = ("README.md", "python/README.md", "python/notebooks", "configs/networks", "tests/python", "tests/onnx/quantized", "tests/release",
         "tests/benchmarks/int8_beside_onnxruntime.py", "tests/benchmarks/shaped_networks.py", "tools/onnxruntime_ep/python")
DATA = ("models/resnet20_cifar.onnx", "cifar10/test_first932.bin", "cifar10/train_calib.bin")
LIST_DEVICES = """
import onnxruntime, onnxruntime_ep_vta as ep
onnxruntime.register_execution_provider_library("vta", ep.get_library_path())
print([device.ep_name for device in onnxruntime.get_ep_devices() if device.ep_name == ep.get_ep_name()])
"""


class Skipped(Exception):
    """Says why."""


class Here:
    """A folder of this machine."""

    def __init__(self, folder, python):
        self.name, self.python = "this machine", python
        self.outside = self.inside = folder

    def run(self, *command, **options):
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VTA_LIBRARY")}
        return subprocess.run([str(word) for word in command], cwd=self.outside, env=environment, text=True, **options)


class DebianRoot:
    """A folder in a minimal root. Mounts are in a namespace of their own, which ends with each command."""

    def __init__(self, release):
        if os.geteuid() != 0 or not shutil.which("debootstrap"):
            raise Skipped("needs root and debootstrap")
        self.name, self.python, self.root = f"Debian {release}", "/usr/bin/python3", ROOT / "build/wheel_roots" / release
        if not (self.root / ".made").is_file():
            shutil.rmtree(self.root, ignore_errors=True)
            self.root.mkdir(parents=True)
            subprocess.run(["debootstrap", "--variant=minbase", "--include=python3,python3-venv,ca-certificates", release, self.root,
                            "http://deb.debian.org/debian"], check=True, stdout=subprocess.DEVNULL)
            (self.root / ".made").touch()
        for file in ("/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt"):  # also of a proxy in this machine's network
            shutil.copy(file, self.root / file[1:])
        self.inside = pathlib.Path("/tmp/wheels")
        self.outside = self.root / "tmp/wheels"
        shutil.rmtree(self.outside, ignore_errors=True)
        self.outside.mkdir()
        compilers = self.run("sh", "-c", "for program in cc gcc clang clang-19 cmake; do command -v $program; done", stdout=subprocess.PIPE).stdout
        assert not compilers, compilers

    def run(self, *command, **options):
        kept = [f"{name}={value}" for name, value in os.environ.items() if name.lower().endswith("_proxy")]
        inner = f'mount -t proc proc {self.root}/proc && mount --bind /dev {self.root}/dev && exec chroot {self.root} env -i -C {self.inside} "$@"'
        return subprocess.run(["unshare", "--mount", "sh", "-c", inner, "sh", "PATH=/usr/bin:/bin", "HOME=/root", *kept,
                               *(str(word) for word in command)], text=True, **options)


def made_wheels(build):
    """The wheels, by scripts/build_wheel or of its last run."""
    if build:
        subprocess.run([ROOT / "scripts/build_wheel"], check=True, stdout=subprocess.DEVNULL)
    folder = ROOT / "build/wheel"
    (provider, ), (wheel, ) = folder.glob("onnxruntime_ep_vta-*.whl"), folder.glob("vta-*.whl")
    return wheel, provider


def check_contents(wheel):
    if not (tag := re.search(r"-py3-none-manylinux_2_(\d+)_x86_64\.whl$", wheel.name)) or int(tag[1]) > NEWEST_GLIBC:
        sys.exit(f"{wheel}: for glibc newer than 2.{NEWEST_GLIBC}")
    with zipfile.ZipFile(wheel) as members:  # on this machine, programs find the clone's files instead of missing ones
        names = set(members.namelist())
    configs = subprocess.run(["git", "ls-files", "configs/*.json", "configs/*.jsonl"], check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout
    missing = [path for path in configs.split() if f"vta/share/vta/{path}" not in names]
    assert not missing, missing


def copy_files(place, data):
    clone = place.outside / "clone"
    for name in subprocess.run(["git", "ls-files", "-z", *FILES], check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout.split("\0")[:-1]:
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    for name in DATA if data else ():
        (place.outside / "data" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(data / name, place.outside / "data" / name)


def check_toolkit(place, bin_folder, wheels):
    """The wheels alone."""
    for wheel in wheels:
        shutil.copy(wheel, place.outside)
    start = time.monotonic()
    place.run(bin_folder / "pip", "install", "--quiet", "--no-cache-dir", *(place.inside / wheel.name for wheel in wheels), check=True)
    version = place.run(bin_folder / "python", "--version", check=True, stdout=subprocess.PIPE).stdout.strip()
    print(f"{place.name}, {version}: pip install {time.monotonic() - start:.1f} s", flush=True)
    for program in ("vta-sim", "vta-compile", "vta-run", "vta-rpc-server"):
        place.run(bin_folder / program, "--version", check=True, stdout=subprocess.DEVNULL)
    run = place.run(bin_folder / "vta-sim", "run", "digits.json", check=True, stdout=subprocess.PIPE)
    assert "#1: 7 (5.125)" in run.stdout, run.stdout
    place.run(bin_folder / "python", "-c", f"import vta; assert vta.__file__.startswith('{place.inside}'), vta.__file__", check=True)


def check_provider(place, bin_folder, data):
    """With PyPI's newest ONNX Runtime for this Python."""
    installed = place.run(bin_folder / "pip", "install", "--quiet", "--no-cache-dir", "onnxruntime>=1.23", "onnx", stderr=subprocess.PIPE)
    if "No matching distribution" in installed.stderr:
        raise Skipped("PyPI has no onnxruntime 1.23 or later and onnx for this Python: " + installed.stderr.strip().splitlines()[-1])
    assert installed.returncode == 0, installed.stderr
    devices = place.run(bin_folder / "python", "-c", LIST_DEVICES, check=True, stdout=subprocess.PIPE)
    assert devices.stdout == "['VTAExecutionProvider']\n", devices.stdout
    pytest(place, bin_folder, "provider_test.py")
    version = place.run(bin_folder / "python", "-c", "import onnxruntime; print(onnxruntime.__version__)", check=True, stdout=subprocess.PIPE).stdout
    if tuple(int(number) for number in version.split(".")[:2]) < (1, 24):
        raise Skipped(f"the provider's figures need onnxruntime 1.24, this is {version.strip()}")
    place.run(bin_folder / "python", "clone/tests/release/provider_figures.py", *(["--data", "data"] if data else []), check=True)


def pytest(place, bin_folder, *arguments):
    place.run(bin_folder / "python", "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", f"clone/tests/python/{arguments[0]}", *arguments[1:], check=True)


def check(place, wheels, data):
    bin_folder = place.inside / "venv/bin"
    place.run(place.python, "-m", "venv", place.inside / "venv", check=True)
    copy_files(place, data)
    check_toolkit(place, bin_folder, wheels)
    place.run(bin_folder / "pip", "install", "--quiet", "pytest", check=True)
    pytest(place, bin_folder, "documents_test.py")
    pytest(place, bin_folder, "notebooks_test.py", "-k", "1_first")
    check_provider(place, bin_folder, data)


def open_place(name, folder):
    if name in RELEASES:
        return DebianRoot(name)
    if name == "here":
        return Here(folder, "/usr/bin/python3")
    if not os.access(name, os.X_OK):
        sys.exit(f"{name}: neither here, {', '.join(RELEASES)}, nor the path of a Python")
    return Here(folder, name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--made", action="store_true")
    parser.add_argument("--data", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("places", nargs="*", metavar="PLACE", default=("here", *RELEASES))
    arguments = parser.parse_args()
    wheels = made_wheels(build=not arguments.made)
    check_contents(wheels[0])
    print(*(f"{wheel.name}: {wheel.stat().st_size:,} bytes" for wheel in wheels), sep="\n", flush=True)
    for name in arguments.places:
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(open_place(name, pathlib.Path(folder)), wheels, arguments.data)
            except Skipped as why:
                print(f"[SKIP] {name}: {why}", flush=True)


if __name__ == "__main__":
    main()
