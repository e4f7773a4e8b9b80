#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the commands of pages run as they stand, and print what the pages show.

The `sh` blocks of a page run in order, in one folder that is empty at first. A `text` block that follows one is what it prints, tabs
as eight spaces; a line `...` stands for any lines. A block fails if, and only if, its output is shown with an error.

Example:
  tests/docs/pages_test.py --tools build/release/bin
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ("docs/coming_from_tvm.md", "docs/course.md")
# Pages whose commands other tests run, or which need what a test has not.
ELSEWHERE = {
    "docs/from_pytorch.md": "readme_commands_test; the last three need a board",
    "docs/tools.md": "readme_commands_test",
    "docs/vta_sim.md": "readme_commands_test",
    "docs/your_own_kernel.md": "hls_new_kernel",
    "docs/many_machines.md": "python_slurm; the script needs a cluster",
    "docs/board_by_hand.md": "needs a board",
    "docs/vivado.md": "needs Vivado",
}
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
ERROR = re.compile(r"^vta-\w+: error:", re.MULTILINE)


def steps(text):
    """Commands, what they print (None if the page does not show it)."""
    blocks = [(language, textwrap.dedent(code)) for _, language, code in BLOCK.findall(text)]
    for (language, code), (following, shown) in zip(blocks, [*blocks[1:], ("", "")]):
        if language == "sh":
            yield code, shown if following == "text" else None


def is_shown(lines, shown):
    """Whether `lines` are the lines that are shown, where `...` stands for any."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in lines)) is not None


def plain(text):
    return [line.expandtabs(8).rstrip() for line in text.splitlines()]


class Pages(unittest.TestCase):
    tools = pathlib.Path()

    def run_page(self, page):
        environment = {**os.environ, "PATH": f"{self.tools}:/usr/bin:{os.environ['PATH']}"}
        found = list(steps((ROOT / page).read_text()))
        self.assertGreater(len(found), 2, page)
        with tempfile.TemporaryDirectory() as folder:
            environment["XDG_CACHE_HOME"] = folder
            for code, shown in found:
                run = subprocess.run(["bash", "-euc", code], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                     text=True, check=False)
                context = f"{page}:\n{code}\nprints\n{run.stdout}"
                self.assertEqual(run.returncode != 0, bool(ERROR.search(shown or "")), context)
                if shown is not None:
                    self.assertTrue(is_shown(plain(run.stdout), plain(shown)), f"{context}\nnot\n{shown}")

    def test_commands_print_what_is_shown(self):
        for page in PAGES:
            with self.subTest(page):
                self.run_page(page)

    def test_every_page_with_commands_has_a_test(self):
        pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md") if "\n```sh\n" in path.read_text()}
        self.assertEqual(pages, {*PAGES, *ELSEWHERE})

    def test_other_output_is_noticed(self):
        self.assertTrue(is_shown(["a", "b", "c"], ["a", "...", "c"]))
        self.assertTrue(is_shown(["a", "c"], ["a", "...", "c"]))
        for shown in (["a", "c"], ["a", "b"], ["a", "...", "b"], []):
            self.assertFalse(is_shown(["a", "b", "c"], shown), shown)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="the folder of vta-sim")
    arguments, rest = parser.parse_known_args()
    Pages.tools = arguments.tools.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
