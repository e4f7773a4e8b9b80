#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""vta-board installs and removes the services below a folder, with the programs of this machine and the real systemctl.

Usage:
  tests/rpc/board_setup_test.py SOURCE_DIR PROGRAMS_DIR

PROGRAMS_DIR: vta-flash and vta-rpc-server. Status 77 if systemctl is not installed.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, PROGRAMS = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
UNITS = ("vta-flash.service", "vta-rpc-server.service")


def bitstream():
    """The smallest .bit file: Xilinx's header, and words from the synchronization word on."""
    fields = b"".join(key + len(text).to_bytes(2, "big") + text for key, text in (
        (b"a", b"vta_zynq_top\0"), (b"b", b"7z020clg400\0"), (b"c", b"2026/11/22\0"), (b"d", b"01:02:03\0")))
    words = bytes.fromhex("ffffffffaa99556620000000")
    return bytes.fromhex("00090ff00ff00ff00ff0000001") + fields + b"e" + len(words).to_bytes(4, "big") + words


class BoardSetup(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.package, self.root = pathlib.Path(place.name) / "vta-board", pathlib.Path(place.name) / "root"
        self.make_package()
        self.manager = self.root / "sys/class/fpga_manager/fpga0"
        self.manager.mkdir(parents=True)
        (self.manager / "firmware").touch()
        for number, name in enumerate(("audio-codec-ctrl", "fabric")):
            node = self.root / f"sys/class/uio/uio{number}"
            node.mkdir(parents=True)
            (node / "name").write_text(name + "\n")

    def make_package(self):
        (self.package / "bin").mkdir(parents=True)
        for kind in ("boards", "cores"):
            shutil.copytree(SOURCE / "configs" / kind, self.package / "share/vta/configs" / kind)
        tool = SOURCE / "tools/rpc_server"
        for file in (*UNITS, "60-vta.rules"):
            shutil.copy(tool / file, self.package)
        shutil.copy(tool / "vta-board", self.package / "bin")
        for program in ("vta-flash", "vta-rpc-server"):
            shutil.copy(PROGRAMS / program, self.package / "bin")  # not a link: a program finds its installation by its own place
        shutil.copytree(SOURCE / "hw/fpga/bitstreams", self.package / "share/vta/bitstreams")
        (self.package / "vta.bit").write_bytes(bitstream())

    def run_tool(self, *words, path=()):
        environment = {**os.environ, "PATH": ":".join([*map(str, path), os.environ["PATH"]])}
        done = subprocess.run([self.package / "bin/vta-board", *words, "--root", self.root], capture_output=True, text=True, timeout=60,
                              env=environment)
        return done.returncode, done.stdout + done.stderr

    def installed(self):
        """Everything below etc: contents by name, targets of links."""
        return {str(file.relative_to(self.root)): str(file.readlink()) if file.is_symlink() else file.read_bytes()
                for file in sorted((self.root / "etc").rglob("*")) if file.is_symlink() or file.is_file()}

    def refused(self, expected, *words, path=()):
        status, said = self.run_tool("setup", *words, path=path)
        self.assertEqual(status, 1, said)
        self.assertIn(expected, said)
        self.assertFalse((self.root / "etc").exists(), "a refused setup has written something")

    def test_setup_enables_the_services_and_the_server_requires_the_bitstream(self):
        status, said = self.run_tool("setup", "--board", "pynq-z1", "--core", "tiny_1x8")
        self.assertEqual(status, 0, said)
        files = self.installed()
        for link in ("multi-user.target.wants/vta-rpc-server.service", "vta-rpc-server.service.requires/vta-flash.service"):
            self.assertIn(f"etc/systemd/system/{link}", files)
        self.assertEqual(files["etc/vta/vta.bit"], bitstream())
        self.assertEqual(files["etc/vta/flash.env"], b"VTA_FLASH_OPTIONS=--board pynq-z1 --core tiny_1x8 /etc/vta/vta.bit\n")
        self.assertEqual(files["etc/vta/server.env"], b"VTA_DEVICE=uio:\n")
        self.assertLessEqual({f"etc/vta/{name}" for name in ("certificate.pem", "key.pem", "token")}, files.keys())

    def test_setup_without_a_file_takes_the_bitstream_that_ships(self):
        self.assertEqual(self.run_tool("setup")[0], 0)
        (self.package / "vta.bit").unlink()
        for words, options in (((), "vta_1x16"), (("--core", "tiny_1x8"), "--core tiny_1x8 tiny_1x8"), (("--bitstream", "tiny_1x8@50"), "tiny_1x8@50")):
            status, said = self.run_tool("setup", *words)
            self.assertEqual(status, 0, said)
            files = self.installed()
            self.assertEqual(files["etc/vta/flash.env"].decode(), f"VTA_FLASH_OPTIONS=--board pynq-z1 {options}\n")
            self.assertNotIn("etc/vta/vta.bit", files)

    def test_a_second_setup_changes_nothing(self):
        self.assertEqual(self.run_tool("setup")[0], 0)
        (self.root / "etc/vta/server.env").write_text("VTA_DEVICE=uio:fabric\n")
        first = self.installed()
        self.assertEqual(self.run_tool("setup")[0], 0)
        self.assertEqual(self.installed(), first)

    def test_undo_leaves_only_the_keys(self):
        self.assertEqual(self.run_tool("setup")[0], 0)
        for _ in range(2):
            status, said = self.run_tool("undo")
            self.assertEqual(status, 0, said)
            self.assertTrue(all(name.endswith((".pem", "token")) for name in self.installed()), self.installed().keys())
            self.assertIn("etc/vta/token", self.installed())

    def test_boards_that_cannot_run_the_core_are_refused(self):
        (self.root / "sys/class/uio/uio1/name").unlink()
        self.refused("no UIO device is called 'vta' or 'fabric'")
        (self.manager / "firmware").unlink()
        self.refused("has no attribute 'firmware'")
        self.manager.rmdir()
        self.refused("no FPGA manager")

    def test_a_systemd_without_credentials_is_refused(self):
        old = self.package / "old"
        old.mkdir()
        (old / "systemctl").write_text("#!/bin/sh\necho 'systemd 245 (245.4-4ubuntu3.13)'\n")
        (old / "systemctl").chmod(0o755)
        self.refused("systemd 245 is installed, the services need 247", path=[old])

    def test_a_bitstream_that_cannot_be_copied_enables_nothing(self):
        stubs = self.package / "stubs"
        stubs.mkdir()
        (stubs / "cp").write_text(f"#!/bin/sh\ncase $2 in *.new) echo 'cp: No space left on device' >&2; exit 1;; esac\n"
                                  f"exec {shutil.which('cp')} \"$@\"\n")
        (stubs / "cp").chmod(0o755)
        status, said = self.run_tool("setup", path=[stubs])
        self.assertEqual(status, 1, said)
        self.assertFalse((self.root / "etc/systemd/system/multi-user.target.wants").exists(), "an incomplete setup is enabled")

    def test_unusable_bitstreams_are_refused(self):
        self.refused("unknown board 'zybo': expected one of arty-z7-20 ebaz4205 pynq-z1 pynq-z2 zedboard zybo-z7-10 zybo-z7-20",
                     "--board", "zybo")
        self.refused("unknown core 'vta_9x99'", "--core", "vta_9x99")
        (self.package / "vta.bit").write_bytes(bitstream()[:-4])
        self.refused("nothing was changed")
        (self.package / "second.bit").write_bytes(bitstream())
        self.refused("2 bitstreams")
        for file in self.package.glob("*.bit"):
            file.unlink()
        self.refused("no such file", "--bitstream", "missing.bit")
        self.refused("'tiny_1x8@1' is neither a file nor a bitstream that ships: ", "--bitstream", "tiny_1x8@1")
        self.refused("has core tiny_1x8, --core is vta_1x16", "--bitstream", "tiny_1x8@50", "--core", "vta_1x16")
        shutil.rmtree(self.package / "share/vta/bitstreams")
        (self.package / "share/vta/bitstreams").mkdir()
        packed = next((SOURCE / "hw/fpga/bitstreams").glob("tiny_1x8@50.bit.gz"))
        (self.package / "share/vta/bitstreams" / packed.name).write_bytes(packed.read_bytes()[:-1])
        shutil.copy(packed.with_name("tiny_1x8@50.json"), self.package / "share/vta/bitstreams")
        self.refused("the file is damaged", "--core", "tiny_1x8")


if __name__ == "__main__":
    if shutil.which("systemctl") is None:
        print("[SKIP] no systemctl")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
