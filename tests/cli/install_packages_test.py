#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/install_packages, with programs in place of dpkg-query, id and apt-get: it waits while another program holds the
lock of the package manager, says so once, and does not repeat other errors. With --tools it installs no packages of tests.
Where llvm-19-dev is not installed, it unpacks that package's headers into the clone, whole or not at all.

Usage:
  tests/cli/install_packages_test.py SOURCE_DIR
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1])

# Fails `$FAILURES` times with the message $MESSAGE; writes its arguments to calls. A download fails until lists are updated.
APT_GET = """#!/bin/sh
echo "$@" >>"$FOLDER/calls"
case "$*" in *download*) grep -q update "$FOLDER/calls" && touch llvm-19-dev_19.deb; exit ;; esac
[ "$(wc -l <"$FOLDER/calls")" -gt "$FAILURES" ] || { echo "$MESSAGE"; exit 100; }
"""
# dpkg-deb -x FILE FOLDER
DPKG_DEB = """#!/bin/sh
mkdir -p "$3/usr/lib/llvm-19/include/llvm/IR" "$3/usr/lib/llvm-19/lib"
touch "$3/usr/lib/llvm-19/include/llvm/IR/Module.h" "$3/usr/lib/llvm-19/lib/libLLVMCore.a"
exit "${BROKEN:-0}"
"""
LOCKED = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 12 (unattended-upgr)"


def run(folder, failures, message, *options, **variables):
    """Runs the script in a clone in `folder`. Returns its status, its outputs and the calls of apt-get."""
    programs = {"apt-get": APT_GET, "dpkg-deb": DPKG_DEB, "dpkg-query": f"#!/bin/sh\necho {variables.pop('status', 'missing')}\n", "id": "#!/bin/sh\necho 0\n"}
    for name, text in programs.items():
        path = folder / name
        path.write_text(text)
        path.chmod(0o755)
    script = folder / "clone/scripts/install_packages"
    script.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(SOURCE / "scripts/install_packages", script)
    (folder / "calls").write_text("")
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "FOLDER": str(folder), "MESSAGE": message,
                                "FAILURES": str(failures), "VTA_LOCK_POLL_SECONDS": "0", "VTA_LLVM_INCLUDE": str(folder)} | variables
    done = subprocess.run([script, *options], env=environment, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr, (folder / "calls").read_text().splitlines()


def install(failures, message, *options):
    """Where llvm-19-dev is installed."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "llvm").mkdir()
        return run(folder, failures, message, *options)


def expect(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


def headers_are_unpacked():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        build = folder / "clone/build"
        status, _, _, calls = run(folder, 0, "", status="installed", BROKEN="1")
        expect(status != 0 and not list(build.iterdir()), f"status {status}, {list(build.iterdir())} after an unpacking that failed")
        status, out, err, calls = run(folder, 0, "", status="installed")
        expect(status == 0, err)
        expect([call.split()[-1] for call in calls] == ["llvm-19-dev", "update", "llvm-19-dev"], calls)
        files = sorted(path.name for path in build.rglob("*") if path.is_file())
        expect(files == ["Module.h"] and [path.name for path in build.iterdir()] == ["llvm-headers"], files)
        status, out, err, calls = run(folder, 0, "", status="installed")
        expect((status, out, err, calls) == (0, "", "", []), calls)


def main():
    status, out, _, calls = install(3, LOCKED)
    expect(status == 0, f"status {status} after a lock was released")
    expect(out.count("waiting for another package manager") == 1, out)
    expect("unattended-upgr" in out, out)
    expect([call.split()[1] for call in calls] == ["update"] * 4 + ["install"], calls)
    status, out, err, calls = install(3, "E: Unable to locate package clang-19")
    expect(status != 0 and len(calls) == 1, calls)
    expect("Unable to locate package" in err and "waiting" not in out, err)
    def packages(*options):
        return set(install(0, "", *options)[3][-1].split())
    tools, full = packages("--tools"), packages()
    expect(tools < full and {"clang-19", "cmake"} <= tools, tools)
    expect(not {"verilator", "libgtest-dev", "llvm-19-dev", "git"} & tools, tools)
    expect("llvm-19-dev" not in full, full)
    headers_are_unpacked()
    print("waits for a lock, and for nothing else; --tools installs less; headers are unpacked whole")


main()
