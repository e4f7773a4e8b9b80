#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the commands of README.md and docs/ run as they stand, and print what the pages show.

The `sh` blocks of a page run in order, in one folder, which has what FILES makes for the page. A `text` block that follows one is what
it prints, tabs as eight spaces; a line `...` stands for any lines. A block fails if, and only if, its output is shown with an error.
NOT_RUN has the commands that need what a test has not.

Example:
  tests/docs/pages_test.py --tools build/release/bin docs/course.md
"""
import argparse
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Commands, or their first words, and why they do not run here.
NOT_RUN = {
    "README.md": {
        "scripts/demo": "installs packages and builds",
        "scripts/test": "runs all tests, this one included",
        "scripts/release": "builds everything once more; tests/release runs its parts",
        "pip install vta-*.whl": "needs the wheel; tests/release/wheels_test.py installs it",
    },
    "docs/board_by_hand.md": {
        "vta-flash --board pynq-z1": "programs the FPGA of a board; flash_cli_test does on a fake one",
        "vta-run /opt": "needs a board's core",
        "vta-rpc-server --make-certificate /etc/vta": "writes to /etc",
        "vta-rpc-server --device uio:": "needs a board's core",
    },
    "docs/board_pool.md": {"labgrid-client": "needs labgrid's coordinator; python_board_pool has one"},
    "docs/many_machines.md": {"sbatch": "needs a Slurm cluster"},
    "docs/onnxruntime.md": {"pip install onnxruntime vta-*.whl": "needs the wheels; tests/release/wheels_test.py installs them"},
    "docs/vivado.md": {"source /opt/Xilinx": "needs Vivado", "hw/fpga/build_bitstream": "needs Vivado"},
}
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
ERROR = re.compile(r"^vta-\w+: error:", re.MULTILINE)


def steps(text):
    """Commands, what they print (None if the page does not show it)."""
    blocks = [(language, textwrap.dedent(code)) for _, language, code in BLOCK.findall(text)]
    for (language, code), (following, shown) in zip(blocks, [*blocks[1:], ("", "")]):
        if language == "sh":
            yield code, shown if following == "text" else None


def without(code, exceptions):
    """The code without commands that begin with one of the exceptions, and the exceptions that were met."""
    commands = re.findall(r"(?:.*\\\n)*.*\n", code)
    met = {start for command in commands for start in exceptions if command.startswith(start)}
    return "".join(command for command in commands if not command.startswith(tuple(exceptions))), met


def pages_with_commands():
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return [page.relative_to(ROOT).as_posix() for page in pages if any(steps(page.read_text()))]


def is_shown(lines, shown):
    """Whether `lines` are the lines that are shown, where `...` stands for any."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in lines)) is not None


def plain(text):
    return [line.expandtabs(8).rstrip() for line in text.splitlines()]


def write_program(path, *lines):
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/bash\n" + "".join(line + "\n" for line in lines))
    path.chmod(0o755)


@contextlib.contextmanager
def digit(folder, _):
    """An image of a digit."""
    shutil.copy(ROOT / "configs/networks/digits/sample.png", folder / "digit.png")
    yield


@contextlib.contextmanager
def quantized_model(folder, _):
    shutil.copy(ROOT / "tests/onnx/quantized/small.qdq_s8.onnx", folder / "model.qdq.onnx")
    yield


@contextlib.contextmanager
def model_and_board(folder, tools):
    """A model of ten classes, their names, photographs, and a board named pynq: a folder, and a server on loopback."""
    photograph = ROOT / "configs/networks/samples/landscape_32.png"
    shutil.copy(ROOT / "tests/onnx/quantized/small.qdq_s8.onnx", folder / "resnet18.onnx")
    shutil.copy(photograph, folder / "cat.jpg")
    (folder / "labels.txt").write_text("".join(f"{name}\n" for name in "abcdefghij"))
    for name, count in (("photos/all", 200), ("val/cats", 500), ("val/dogs", 500)):
        (folder / name).mkdir(parents=True)
        for i in range(count):
            (folder / name / f"{i}.png").symlink_to(photograph)
    server = subprocess.Popen([tools / "vta-rpc-server", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    try:
        port = re.search(r"port (\d+)", server.stdout.readline()).group(1)
        (folder / "board").mkdir()
        fakes, sim, run = folder / "fakes", shlex.quote(str(tools / "vta-sim")), shlex.quote(str(tools / "vta-run"))
        write_program(fakes / "scp", '[ "${!#}" = xilinx@pynq: ] && cp "${@:1:$#-1}" board')
        write_program(fakes / "vta-run", f'cd board && exec {run} --device functional "$@"')
        write_program(fakes / "vta-sim", f'exec {sim} "${{@/#rpc:\\/\\/pynq:9091/rpc://127.0.0.1:{port}}}"')
        yield
    finally:
        server.terminate()
        server.communicate()


FILES = {
    "docs/from_pytorch.md": model_and_board,
    "docs/quantized_models.md": quantized_model,
    "docs/tools.md": digit,
}


class Pages(unittest.TestCase):
    tools = pathlib.Path()
    pages = []

    def run_block(self, page, code, shown, folder, environment):
        run = subprocess.run(["bash", "-euc", code], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             check=False)
        context = f"{page}:\n{code}\nprints\n{run.stdout}"
        self.assertEqual(run.returncode != 0, bool(ERROR.search(shown or "")), context)
        if shown is not None:
            self.assertTrue(is_shown(plain(run.stdout), plain(shown)), f"{context}\nnot\n{shown}")

    def run_page(self, page, folder):
        exceptions, met = NOT_RUN.get(page, {}), set()
        environment = {**os.environ, "PATH": f"{folder}/fakes:{self.tools}:/usr/bin:{os.environ['PATH']}", "XDG_CACHE_HOME": str(folder),
                       "PYTHONPATH": str(ROOT / "python"), "PYTHONDONTWRITEBYTECODE": "1", "VTA_LIBRARY": str(self.tools.parent / "lib/libvta.so")}
        with FILES.get(page, lambda *_: contextlib.nullcontext())(folder, self.tools):
            for code, shown in steps((ROOT / page).read_text()):
                code, left_out = without(code, exceptions)
                met |= left_out
                if code.strip():
                    self.run_block(page, code, None if left_out else shown, folder, environment)
        self.assertEqual(met, set(exceptions), f"{page}: NOT_RUN names commands that the page does not have")

    def test_commands_print_what_is_shown(self):
        for page in self.pages or pages_with_commands():
            with self.subTest(page), tempfile.TemporaryDirectory() as folder:
                self.run_page(page, pathlib.Path(folder))

    def test_exceptions_are_of_pages_with_commands(self):
        self.assertLessEqual({*NOT_RUN, *FILES}, set(pages_with_commands()))

    def test_commands_that_are_not_run_are_cut_with_their_continuations(self):
        code = "a b\nc d \\\n  e\nf\n"
        self.assertEqual(without(code, {"c": "no c"}), ("a b\nf\n", {"c"}))
        self.assertEqual(without(code, {}), (code, set()))

    def test_other_output_is_noticed(self):
        self.assertTrue(is_shown(["a", "b", "c"], ["a", "...", "c"]))
        self.assertTrue(is_shown(["a", "c"], ["a", "...", "c"]))
        for shown in (["a", "c"], ["a", "b"], ["a", "...", "b"], []):
            self.assertFalse(is_shown(["a", "b", "c"], shown), shown)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="the folder of vta-sim")
    parser.add_argument("pages", nargs="*", help="pages, instead of all that have commands")
    arguments, rest = parser.parse_known_args()
    Pages.tools, Pages.pages = arguments.tools.resolve(), arguments.pages
    unittest.main(argv=[sys.argv[0], *rest])
