#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/release, of its SBOM, and of what a machine without the tools of the build is told. Without network and compiler.

Example:
  tests/release/release_test.py
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import write_sbom  # noqa: E402

DATE = "2026-01-02T03:04:05Z"


def run(*command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, **options)


class InAFolder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)


class Release(InAFolder):
    def setUp(self):
        """A clone with what the part bitstreams needs: the tests' own may have changes."""
        super().setUp()
        self.clone = self.folder / "clone"
        (self.clone / "scripts").mkdir(parents=True)
        for name in ("CMakeLists.txt", "scripts/release", "scripts/write_sbom.py"):
            shutil.copy(ROOT / name, self.clone / name)
        shutil.copytree(ROOT / "hw/fpga/bitstreams", self.clone / "hw/fpga/bitstreams")
        git = ("git", "-C", self.clone, "-c", "user.name=A", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false")
        environment = {**os.environ, "GIT_AUTHOR_DATE": DATE, "GIT_COMMITTER_DATE": DATE}
        for arguments in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "A commit")):
            subprocess.run((*git, *arguments), check=True, env=environment)

    def release(self, *arguments):
        return run(self.clone / "scripts/release", *arguments)

    def files_of_a_release(self):
        out = self.folder / "out"
        made = self.release("--only", "bitstreams", out)
        self.assertEqual(made.returncode, 0, made.stderr)
        return {path.name: path.read_bytes() for path in out.iterdir()}

    def test_gives_the_same_bytes_twice(self):
        first = self.files_of_a_release()
        self.assertEqual(len(first), 3, first.keys())
        for path in (self.clone / "hw/fpga/bitstreams").iterdir():
            os.utime(path)
        self.assertEqual(self.files_of_a_release(), first)

    def test_lists_the_sum_of_each_file_in_both_lists(self):
        files = self.files_of_a_release()
        sums = dict(reversed(line.split("  ")) for line in files.pop("SHA256SUMS").decode().splitlines())
        self.assertEqual(sums, {name: hashlib.sha256(data).hexdigest() for name, data in files.items()})
        sbom = json.loads(next(data for name, data in files.items() if name.endswith(".spdx.json")))
        listed = {entry["fileName"]: entry["checksums"][1]["checksumValue"] for entry in sbom["files"]}
        self.assertEqual(listed, {f"./{name}": sums[name] for name in files if name.endswith(".tar.gz")})
        self.assertEqual(sbom["creationInfo"]["created"], DATE)

    def test_refuses_files_that_no_commit_has(self):
        (self.clone / "notes.txt").write_text("mine\n")
        refused = self.release("--only", "bitstreams", self.folder / "out")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("notes.txt", refused.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_an_unknown_part_is_wrong_usage(self):
        refused = self.release("--only", "wheels", self.folder / "out")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("no part 'wheels'", refused.stderr)


class Sbom(InAFolder):
    def packages_of(self, *libraries):
        wheel = self.folder / "vta-1.0-py3-none-manylinux_2_31_x86_64.whl"
        with zipfile.ZipFile(wheel, "w") as members:
            for name in libraries:
                members.writestr(f"vta.libs/{name}", "")
        for release, packages in (("older", (package for package, _ in write_sbom.SHARED.values())), ("newer", write_sbom.STATIC)):
            (self.folder / release).mkdir(exist_ok=True)
            (self.folder / release / ".versions").write_text("".join(f"{package} 1:2.0+b1 \n" for package in packages))
        return list(write_sbom.debian_packages(wheel, self.folder))

    def test_names_the_package_of_each_library(self):
        packages = self.packages_of("libdnnl-0123abcd.so.2.0", "libboost_context-89abcdef.so.1.74.0", "libpng16-11223344.so.16.37.0")
        self.assertEqual([package for package, *_ in packages[:3]], ["libboost-context1.74.0", "libdnnl2", "libpng16-16"])
        self.assertEqual(packages[1], ("libdnnl2", "1:2.0+b1", "Apache-2.0", "bullseye"))
        self.assertEqual({package for package, *_ in packages[3:]}, set(write_sbom.STATIC))

    def test_refuses_a_library_of_no_package(self):
        with self.assertRaisesRegex(SystemExit, "libother: no package of Debian bullseye"):
            self.packages_of("libother-0123abcd.so.1")

    def test_a_purl_has_no_plus_and_no_colon(self):
        entry = write_sbom.debian_entry("libstdc++-12-dev", "1:2.0+b1", "MIT", "bookworm")
        self.assertEqual(entry["externalRefs"][0]["referenceLocator"],
                         "pkg:deb/debian/libstdc%2B%2B-12-dev@1%3A2.0%2Bb1?arch=amd64&distro=bookworm")


class WithoutTools(InAFolder):
    def test_cmake_says_what_installs_the_compiler(self):
        refused = run("cmake", "-S", ROOT, "-B", self.folder / "build", "-DCMAKE_CXX_COMPILER=clang++-of-nowhere")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("no clang++-of-nowhere: scripts/install_packages", refused.stderr)
        self.assertNotIn("not a full path", refused.stderr)

    def test_man_pages_of_a_tool_with_a_long_help(self):
        """As help2man a program that writes its arguments: the summary is one of them."""
        def program(name, text):
            path = self.folder / name
            path.write_text(f"#!/bin/bash\n{text}\n")
            path.chmod(0o755)
            return path

        tool = program("tool", "echo 'Does a thing.'; for i in {1..20000}; do echo 'More of the help'; done")
        program("help2man", 'while [ $# -gt 1 ]; do [ "$1" != --name ] || name=$2; [ "$1" != --output ] || out=$2; shift; done; echo "$name" >"$out"')
        made = run(ROOT / "scripts/build_man_pages", self.folder / "man", tool, env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"})
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual((self.folder / "man/tool.1").read_text(), "Does a thing\n")


if __name__ == "__main__":
    unittest.main()
