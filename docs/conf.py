# SPDX-License-Identifier: Apache-2.0
"""Sphinx's configuration. The pages are the READMEs where they are, the pages of docs, the notebooks of the Python package, which
run while the site is built, and docs/python.md from docstrings."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))

project = "VTA toolkit"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton", "nbsphinx"]
root_doc = "docs/index"
source_suffix = {".md": "markdown"}
PAGES = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "*.md", "*.ipynb"], check=True,
                       stdout=subprocess.PIPE, text=True).stdout.split()
include_patterns = PAGES
html_theme = "furo"
html_theme_options = {"announcement": "search"}  # site/templates/page.html replaces it
html_title = project
html_static_path = ["site"]
html_css_files = ["site.css"]
templates_path = ["site/templates"]
html_copy_source = False
html_show_copyright = False
# Kernels import the package and squares.py from where they are, and write their files into a folder that is removed.
NOTEBOOK_FILES = tempfile.TemporaryDirectory()
os.environ |= {"PYTHONPATH": f"{ROOT / 'python'}:{ROOT / 'python/notebooks'}", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
nbsphinx_execute = "always"
nbsphinx_execute_arguments = [f"--IPKernelApp.exec_lines=import os; os.chdir({NOTEBOOK_FILES.name!r})",
                              "--InlineBackend.figure_formats=svg"]
nbsphinx_timeout = 300  # seconds a cell
nbsphinx_requirejs_path = ""  # no page loads anything from elsewhere
copybutton_prompt_text = r"\$ |In \[\d*\]: "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .go"

myst_heading_anchors = 4
autodoc_mock_imports = ["onnx", "onnxruntime"]
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"

LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)#\s]+)(#[^)\s]*)?\)")
# "name: what it is", also of several names, and the lines after it.
PARAMETER = re.compile(r"^(\w+(?:, \w+)*): ")


def link_pages_only(_, name, source):
    """Replaces links to other files and to folders without a README by their text."""
    folder = pathlib.PurePosixPath(name).parent

    def link(match):
        text, target, anchor = match.groups()
        if re.match("[a-z]+:", target):
            return match.group()
        path = (ROOT / folder / target).resolve()
        if path.is_dir() and (path / "README.md").is_file():
            return f"[{text}]({target.rstrip('/')}/README.md{anchor or ''})"
        is_page = path.is_relative_to(ROOT) and path.relative_to(ROOT).as_posix() in PAGES
        return match.group() if is_page else text

    source[0] = LINK.sub(link, source[0])


def list_parameters(_, what, name, thing, options, lines):
    """Parameters, "name: what it is" with indented further lines, become a list; code spans have one backtick."""
    result = []
    for line in lines:
        line = re.sub(r"(?<!`)`([^`\n]+)`(?!`)", r"``\1``", line)
        is_parameter = PARAMETER.match(line)
        if is_parameter:
            result += ["", f"* ``{is_parameter.group(1)}``: {line[is_parameter.end():]}"]
        elif result and line.startswith("    ") and result[-1].startswith(("* ", "  ")):
            result.append("  " + line.strip())
        else:
            ends_list = result and result[-1].startswith(("* ", "  ")) and line
            result += ["", line] if ends_list else [line]
    lines[:] = result


def setup(app):
    app.connect("source-read", link_pages_only)
    app.connect("autodoc-process-docstring", list_parameters)
