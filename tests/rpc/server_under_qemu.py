#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cross-built server on an emulated ARM processor serves a whole network over TLS.

usage: server_under_qemu.py VTA_SIM ARCHITECTURE BOARD_PACKAGE

Exit status 77, after a line with the reason, if the emulator or the package (scripts/build_board) is missing.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import emulated

TIMED = {"device", "device_seconds", "host_seconds", "compile_seconds", "wall_seconds"}


def result(vta_sim, device):
    run = subprocess.run([vta_sim, "run", "digits.json", "--json", "--device", device], check=True,
                         stdout=subprocess.PIPE, text=True)
    return {key: value for key, value in json.loads(run.stdout).items() if key not in TIMED}


def resident_kib(process):
    with open(f"/proc/{process.pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+) kB", status.read()).group(1))


def main():
    vta_sim, architecture, package = sys.argv[1:]
    server = os.path.join(package, "bin/vta-rpc-server")
    qemu = emulated.emulator(architecture, server)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([qemu, server, "--make-certificate", folder], check=True)
        process = subprocess.Popen(
            [qemu, server, "--listen", "127.0.0.1:0", "--certificate", f"{folder}/certificate.pem",
             "--key", f"{folder}/key.pem", "--token-file", f"{folder}/token"],
            stdout=subprocess.PIPE, text=True)
        try:
            port = re.search(r"on port (\d+), TLS, token", process.stdout.readline()).group(1)
            print(f"idle: {resident_kib(process)} KiB, the emulator included")
            uri = f"rpc://127.0.0.1:{port}?ca={folder}/certificate.pem&token-file={folder}/token"
            remote, local = result(vta_sim, uri), result(vta_sim, "functional")
            if remote != local:
                sys.exit(f"results differ:\n{remote}\n{local}")
        finally:
            process.terminate()
            status = process.wait()
        if status != 0:
            sys.exit(f"the server ended with status {status}")
    print("the same results and counters as the functional simulator's")


if __name__ == "__main__":
    main()
