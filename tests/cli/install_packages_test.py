#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/install_packages, with programs in place of dpkg-query, id and apt-get: it waits while another program holds the
lock of the package manager, says so once, and does not repeat other errors. With --tools it installs no packages of tests.

Usage:
  tests/cli/install_packages_test.py SOURCE_DIR
"""
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1])

# Fails `$FAILURES` times with the message $MESSAGE; writes its arguments to calls.
APT_GET = """#!/bin/sh
echo "$@" >>"$FOLDER/calls"
[ "$(wc -l <"$FOLDER/calls")" -gt "$FAILURES" ] || { echo "$MESSAGE"; exit 100; }
"""
LOCKED = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 12 (unattended-upgr)"


def install(failures, message, *options):
    with tempfile.TemporaryDirectory() as folder:
        programs = {"apt-get": APT_GET, "dpkg-query": "#!/bin/sh\nexit 1\n", "id": "#!/bin/sh\necho 0\n"}
        for name, text in programs.items():
            path = pathlib.Path(folder) / name
            path.write_text(text)
            path.chmod(0o755)
        environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "FOLDER": folder, "MESSAGE": message,
                                    "FAILURES": str(failures), "VTA_LOCK_POLL_SECONDS": "0"}
        done = subprocess.run([SOURCE / "scripts/install_packages", *options], env=environment, capture_output=True, text=True,
                              timeout=60)
        calls = (pathlib.Path(folder) / "calls").read_text().splitlines()
    return done.returncode, done.stdout, done.stderr, calls


def expect(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


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
    print("waits for a lock, and for nothing else; --tools installs less")


main()
