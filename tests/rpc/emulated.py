# SPDX-License-Identifier: Apache-2.0
"""What the tests of cross-built programs share: the emulator of a processor, and its Python. Architectures have Debian's names."""
import os
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parents[2]
PROCESSORS = {"armhf": "arm", "arm64": "aarch64"}  # QEMU's names
TRIPLES = {"armhf": "arm-linux-gnueabihf", "arm64": "aarch64-linux-gnu"}

PYTHON_VERSION = "python3.11"  # Debian 12's
PYTHON = f"usr/bin/{PYTHON_VERSION}"
PYTHON_LIBRARY = f"usr/lib/{PYTHON_VERSION}"
# Classifies images with the wheel's package: PROGRAM DEVICE IMAGE...
PYTHON_CLIENT = """
import sys, json, vta
program = vta.Program.load(sys.argv[1])
with vta.Session(program, device=sys.argv[2]) as session:
    for image in sys.argv[3:]:
        scores = session.run(program.read_input(image))[0]
        top = [{"index": int(i), "score": float(scores[0][i])} for i in vta.top_classes(scores, 5)]
        print(json.dumps({"input": image, "top": top, "cycles": session.report.cycles}))
"""


def skip(why):
    print(f"[SKIP] {why}")
    sys.exit(SKIPPED)


def emulator(architecture, program):
    """The emulator that runs `program`; ends the test if one of them is missing."""
    name = f"qemu-{PROCESSORS[architecture]}"
    path = shutil.which(f"{name}-static") or shutil.which(name)
    if path is None:
        skip(f"no {name}: scripts/install_packages --board")
    if not os.path.exists(program):
        skip(f"no {program}: run scripts/build_board --architecture {architecture}")
    return path


def python_root(architecture, package):
    """Debian's Python with NumPy, unpacked next to the package; None if it cannot be fetched."""
    root = package.parent / "python"
    fetched = subprocess.run([ROOT / "scripts/fetch_packages", architecture, root, "python3-minimal", "python3-numpy", "libstdc++6"])
    return root if fetched.returncode == 0 else None
