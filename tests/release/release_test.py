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


# What stands for the scripts that build parts: without a network and its Debian packages.
SCRIPTS = {
    "build": "",
    "build_board": "echo 'E: no mirror of ARM'; exit 100",
    "build_package": "mkdir -p build/package && echo deb >build/package/vta_0_amd64.deb",
    "build_site": "echo '[SKIP] no mkdocs'; exit 77",
    "build_wheel": "echo 'E: no mirror'; exit 100",
}
TOOLS = ("apt-get", "dpkg-deb", "help2man", "dpkg-shlibdeps", "clang++-19", "ld.lld-19", "llvm-strip-19")


def write_program(path, text):
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)
    return path


class Release(InAFolder):
    def setUp(self):
        """A clone with what the part bitstreams needs, and scripts that build nothing: the tests' own may have changes."""
        super().setUp()
        self.clone = self.folder / "clone"
        self.programs = self.folder / "bin"
        (self.clone / "scripts").mkdir(parents=True)
        self.programs.mkdir()
        for name, text in SCRIPTS.items():
            write_program(self.clone / "scripts" / name, text)
        for name, text in {**dict.fromkeys(TOOLS, ""), "uname": "echo x86_64"}.items():
            write_program(self.programs / name, text)
        for name in (".gitignore", "CMakeLists.txt", "scripts/release", "scripts/write_sbom.py"):
            shutil.copy(ROOT / name, self.clone / name)
        shutil.copytree(ROOT / "hw/fpga/bitstreams", self.clone / "hw/fpga/bitstreams")
        git = ("git", "-C", self.clone, "-c", "user.name=A", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false")
        environment = {**os.environ, "GIT_AUTHOR_DATE": DATE, "GIT_COMMITTER_DATE": DATE}
        for arguments in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "A commit")):
            subprocess.run((*git, *arguments), check=True, env=environment)

    def release(self, *arguments):
        return run(self.clone / "scripts/release", *arguments, env={**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}"})

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

    def test_keeps_files_that_are_not_of_a_release(self):
        mine = self.folder / "Downloads"
        mine.mkdir()
        (mine / "letter.txt").write_text("mine\n")
        for sums in ("", f"{'0' * 64}  letter.txt\n"):
            if sums:
                (mine / "SHA256SUMS").write_text(sums)
            before = {path.name: path.read_bytes() for path in mine.iterdir()}
            refused = self.release("--only", "bitstreams", mine)
            self.assertEqual(refused.returncode, 1)
            self.assertIn(f"release: {mine} has files, but no SHA256SUMS of a release; name a new or empty folder", refused.stderr)
            self.assertEqual({path.name: path.read_bytes() for path in mine.iterdir()}, before)
        self.assertEqual(self.release("--only", "bitstreams", self.clone).returncode, 1)
        self.assertTrue((self.clone / "scripts/release").exists())
        self.assertIn("is a file; name a folder", self.release("--only", "bitstreams", mine / "letter.txt").stderr)

    def test_replaces_only_the_files_of_the_earlier_release(self):
        first = self.files_of_a_release()
        out = self.folder / "out"
        (out / "letter.txt").write_text("mine\n")
        (out / "photos").mkdir()
        older = ("vta-older.whl", "onnxruntime_ep_vta-older.whl")
        for name in older:
            (out / name).write_text("of an earlier release\n")
        with (out / "SHA256SUMS").open("a") as sums:
            sums.write("".join(f"{'0' * 64}  {name}\n" for name in (*older, "../clone/CMakeLists.txt", "letter.txt")))
        made = self.release("--only", "bitstreams", out)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertTrue((self.clone / "CMakeLists.txt").exists())
        self.assertTrue((out / "photos").is_dir())
        self.assertEqual({path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}, {**first, "letter.txt": b"mine\n"})

    def test_a_release_that_fails_keeps_the_earlier_one(self):
        first = self.files_of_a_release()
        for mark in ("tools", "older", "newer"):
            (self.clone / "build/wheel" / mark).mkdir(parents=True)
            (self.clone / "build/wheel" / mark / ".packages").touch()
        (self.clone / "build/onnxruntime-headers").mkdir()
        (self.clone / "build/onnxruntime-headers/.packages").touch()
        failed = self.release(self.folder / "out")
        self.assertEqual(failed.returncode, 1, failed.stdout)
        self.assertIn("E: no mirror\n", failed.stderr)
        self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "out").iterdir()}, first)
        self.assertEqual(list((self.clone / "build").glob("release.*")), [])

    def test_leaves_parts_out_whose_tools_or_downloads_are_missing(self):
        made = self.release(self.folder / "out")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual([line for line in made.stdout.splitlines() if line.startswith("[SKIP]")], [
            "[SKIP] wheel: scripts/build_wheel has not all of its downloads: E: no mirror",
            "[SKIP] board-armhf: scripts/build_board has not all of its downloads: E: no mirror of ARM",
            "[SKIP] board-arm64: scripts/build_board has not all of its downloads: E: no mirror of ARM",
            "[SKIP] site: no mkdocs"])
        self.assertEqual({path.name.split("-")[1].split("_")[0] for path in (self.folder / "out").glob("vta-*.tar.gz")}, {"bitstreams"})
        self.assertTrue((self.folder / "out/vta_0_amd64.deb").exists())
        refused = self.release("--only", "wheel", self.folder / "wheels")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("release: no wheel: scripts/build_wheel has not all of its downloads", refused.stderr)

    def test_leaves_the_wheel_out_on_other_processors(self):
        write_program(self.programs / "uname", "echo riscv64")
        made = self.release(self.folder / "out")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("[SKIP] wheel: wheels are made on 64-bit x86, this is riscv64\n", made.stdout)

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
        self.refused_by_cmake("clang++-of-nowhere")

    def test_cmake_says_so_in_a_build_folder_that_had_another_compiler(self):
        run("cmake", "-S", ROOT, "-B", self.folder / "build", "-DCMAKE_CXX_COMPILER=true")  # a program, but not a compiler
        self.assertTrue((self.folder / "build/CMakeCache.txt").exists())
        self.refused_by_cmake("clang++-of-nowhere")

    def refused_by_cmake(self, compiler):
        refused = run("cmake", "-S", ROOT, "-B", self.folder / "build", f"-DCMAKE_CXX_COMPILER={compiler}")
        self.assertEqual(refused.returncode, 1)
        self.assertIn(f"no {compiler}: scripts/install_packages", refused.stderr)
        self.assertNotIn("not a full path", refused.stderr)

    def test_man_pages_of_a_tool_with_a_long_help(self):
        """As help2man a program that writes its arguments: the summary is one of them."""
        tool = write_program(self.folder / "tool", "echo 'Does a thing.'; for i in {1..20000}; do echo 'More of the help'; done")
        write_program(self.folder / "help2man", 'while [ $# -gt 1 ]; do [ "$1" != --name ] || name=$2; [ "$1" != --output ] || out=$2; shift; done; echo "$name" >"$out"')
        made = run(ROOT / "scripts/build_man_pages", self.folder / "man", tool, env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"})
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual((self.folder / "man/tool.1").read_text(), "Does a thing\n")


if __name__ == "__main__":
    unittest.main()
