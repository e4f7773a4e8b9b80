#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""systemd reads the units without complaints and rates the exposure of vta-rpc-server at most 2.5 (10: root without limits).

Usage:
  tests/rpc/systemd_unit.py tools/rpc_server

Status 77 if systemd-analyze is not installed.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MAX_EXPOSURE = 2.5
UNIT = "vta-rpc-server.service"
PROGRAM = "/opt/vta-board/bin/vta-rpc-server"  # on boards only


def analyze(*arguments):
    done = subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def main():
    folder = pathlib.Path(sys.argv[1])
    if shutil.which("systemd-analyze") is None:
        print("[SKIP] no systemd-analyze")
        return 77
    with tempfile.TemporaryDirectory() as place:
        unit = pathlib.Path(place) / UNIT
        text = (folder / UNIT).read_text()
        unit.write_text(text.replace(PROGRAM, "/bin/true"))
        status, said = analyze("verify", str(unit))
        if status != 0 or said:
            print(f"{UNIT}: {said or status}")
            return 1
        flash = pathlib.Path(place) / "vta-flash.service"
        flash.write_text((folder / flash.name).read_text().replace("/opt/vta-board/bin/vta-flash", "/bin/true"))
        status, said = analyze("verify", str(flash))
        if status != 0 or said:
            print(f"{flash.name}: {said or status}")
            return 1
        status, said = analyze("security", "--offline=true", "--no-pager", str(unit))
        found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", said)
        if status != 0 or not found:
            print(f"{UNIT}: {said}")
            return 1
        print(f"exposure {found[1]}, limit {MAX_EXPOSURE}")
        if float(found[1]) > MAX_EXPOSURE:
            return 1
        drop_in = unit.parent / f"{UNIT}.d"
        drop_in.mkdir()
        (drop_in / "flash.conf").write_text((folder / "vta-flash.conf").read_text().replace(PROGRAM, "/bin/true"))
        status, said = analyze("verify", str(unit))
        print(f"with vta-flash.conf: {said or 'verified'}")
        return 1 if status != 0 or said else 0


if __name__ == "__main__":
    sys.exit(main())
