#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The wheel of scripts/build_wheel is for glibc 2.31 or older. Installed into a fresh virtual environment, it runs the first notebook there, and
its programs run. With the wheel onnxruntime-ep-vta, ONNX Runtime lists its provider.

usage: wheel_in_venv.py    in the clone; needs PyPI
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import venv
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEWEST_GLIBC = 31  # auditwheel's tag says what a wheel needs at least
LIST_DEVICES = """
import onnxruntime, onnxruntime_ep_vta as ep
onnxruntime.register_execution_provider_library("vta", ep.get_library_path())
print([device.ep_name for device in onnxruntime.get_ep_devices() if device.ep_name == ep.get_ep_name()])
"""


def main():
    made = subprocess.run([ROOT / "scripts/build_wheel"], check=True, stdout=subprocess.PIPE, text=True).stdout
    provider, wheel = made.splitlines()[-2:]
    if not (tag := re.search(r"-py3-none-manylinux_2_(\d+)_x86_64\.whl$", wheel)) or int(tag[1]) > NEWEST_GLIBC:
        sys.exit(f"{wheel}: for glibc newer than 2.{NEWEST_GLIBC}")
    with zipfile.ZipFile(wheel) as members:  # on this machine, programs find the clone's files instead of missing ones
        names = set(members.namelist())
    missing = [path for path in subprocess.run(["git", "ls-files", "configs/*.json", "configs/*.jsonl"], check=True, cwd=ROOT, stdout=subprocess.PIPE,
                                               text=True).stdout.split() if f"vta/share/vta/{path}" not in names]
    assert not missing, missing
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VTA_LIBRARY")}
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = pathlib.Path(folder) / "bin/python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", wheel, provider, "onnxruntime", "pytest"], check=True, env=environment)
        subprocess.run([python, "-c", f"import vta; assert vta.__file__.startswith({folder!r}), vta.__file__"],
                       check=True, env=environment, cwd=folder)
        subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", ROOT / "tests/python/notebooks_test.py",
                        "-k", "1_first"], check=True, env=environment, cwd=folder)
        for program in ("vta-sim", "vta-compile", "vta-run", "vta-rpc-server"):
            subprocess.run([python.with_name(program), "--version"], check=True, env=environment, cwd=folder)
        run = subprocess.run([python.with_name("vta-sim"), "run", "digits.json"], check=True, env=environment, cwd=folder, stdout=subprocess.PIPE,
                             text=True)
        assert "#1: 7 (5.125)" in run.stdout, run.stdout
        devices = subprocess.run([python, "-c", LIST_DEVICES], check=True, env=environment, cwd=folder, stdout=subprocess.PIPE, text=True)
        assert devices.stdout == "['VTAExecutionProvider']\n", devices.stdout
    print(f"{pathlib.Path(wheel).name}: runs the first notebook in a fresh environment")


if __name__ == "__main__":
    main()
