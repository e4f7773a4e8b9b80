#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that everything the documents name exists: links, paths, commands and their options, scripts; that every field of the
configuration files, every reason of the host and every file of vta-hlsc's stages is documented; and that READMEs are short.

Example:
  scripts/check_docs.py
"""
import json
import pathlib
import re
import sys
import typing

import sources

Problems = typing.Iterator[str]  # a line each

TOOLS = {"vta-sim": "tools/sim", "vta-compile": "tools/compile", "vta-hlsc": "hw/hlsc/tool",
         "vta-flash": "tools/flash", "vta-run": "tools/run", "vta-rpc-server": "tools/rpc_server"}
MAX_README_LINES = 150
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
PATH = re.compile(r"(?<![\w/.$-])((?:%s)/[\w./*-]*[\w*])")
COMMAND = re.compile(r"\b(vta-sim|vta-compile|vta-hlsc|vta-flash|vta-rpc-server|vta-run)\b([^\n`|;]*)")
SCRIPT = re.compile(r"(?<![\w/])(scripts/[\w.]+)")


def heading_anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def link_problems(path: pathlib.PurePosixPath, text: str) -> Problems:
    for target in LINK.findall(re.sub(CODE, "", text)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (sources.ROOT / path).parent / name if name else sources.ROOT / path
        if not file.exists():
            yield f"link to {target}: no such file"
        elif anchor and file.suffix == ".md" and anchor not in heading_anchors(file.read_text()):
            yield f"link to {target}: no such heading"


def path_problems(text: str, folders: list[str]) -> Problems:
    """Paths in code spans that start with a folder of the root. Patterns must match a file."""
    pattern = re.compile(PATH.pattern % "|".join(folders))
    for code in CODE.findall(text):
        for name in pattern.findall(code):
            if "*" in name:
                if not any(sources.ROOT.glob(name)):
                    yield f"{name}: no file matches"
            elif not (sources.ROOT / name).exists():
                yield f"{name}: no such file"


def tool_sources(tool: str) -> str:
    folder = sources.ROOT / TOOLS[tool]
    shared = ["base/command_line/command_line.cc"] + ["tools/compile/network_arguments.cc"] * (tool == "vta-sim")
    return "\n".join(file.read_text() for file in [*sorted(folder.glob("*.cc")), *(sources.ROOT / name for name in shared)])


def command_problems(text: str) -> Problems:
    """Subcommands and options of the project's tools, searched as strings in their sources."""
    known = {tool: tool_sources(tool) for tool in TOOLS}
    for code in CODE.findall(text):
        for tool, arguments in COMMAND.findall(code):
            words = arguments.split("#")[0].split()
            if tool == "vta-sim" and words and re.fullmatch(r"[a-z]+", words[0]):
                if f'"{words[0]}"' not in known[tool]:
                    yield f"{tool} {words[0]}: no such subcommand"
            for option in re.findall(r"(?<!\S)\[?(--[a-z][\w-]*)", arguments):
                if option != "--help" and not re.search(re.escape(option) + r'[",]', known[tool]):
                    yield f"{tool} {option}: no such option"


def field_problems() -> Problems:
    """Fields of configuration files that configs/README.md does not describe."""
    for folder, chapter in [("configs/cores", "configs/README.md"), ("configs/boards", "configs/README.md")]:
        if not (sources.ROOT / chapter).is_file():
            yield f"{chapter}: missing"
            continue
        text = sources.read(chapter)
        for file in sorted((sources.ROOT / folder).glob("*.json")):
            for field in json.loads(file.read_text()):
                if f"`{field}`" not in text:
                    yield f"{chapter}: field {field} of {file.name} is not described"


def reason_problems() -> Problems:
    """Reasons of the host that its page does not explain."""
    page = "docs/from_pytorch.md"
    text = sources.read(page)
    for name in re.findall(r"VTA_HOST_REASON\(k\w+, (\w+),", (sources.ROOT / "runtime/tensor/host_reasons.def").read_text()):
        if f"| `{name}` |" not in text:
            yield f"{page}: reason {name} of runtime/tensor/host_reasons.def is not explained"


def length_problems(path: pathlib.PurePosixPath, text: str) -> Problems:
    lines = text.count("\n")
    if path.name == "README.md" and lines > MAX_README_LINES:
        yield f"{lines} lines, at most {MAX_README_LINES}; move what is not purpose, files, invariants or how to extend to a page of docs"


def file_problems(readme: pathlib.Path, stated_elsewhere: set[str]) -> Problems:
    """C++ files beside a README that it does not name. Patterns such as `split_*` name all that match."""
    names = set(re.findall(r"[\w*]+", " ".join(re.findall(r"`([^`\n]+)`", readme.read_text())))) | stated_elsewhere
    patterns = [name for name in names if name.endswith("*")]
    for stem in sorted({path.stem for path in readme.parent.iterdir() if path.suffix in (".h", ".cc")} - names):
        if not any(pathlib.PurePath(stem).match(pattern) for pattern in patterns):
            yield f"does not name {stem}"


def hlsc_file_problems() -> Problems:
    """Files of the stages of vta-hlsc that their READMEs do not name; hw/hlsc/passes/passes.def states the passes."""
    for readme in sorted((sources.ROOT / "hw/hlsc").glob("*/README.md")):
        table = readme.parent / "passes.def"
        passes = set(re.findall(r"VTA_HLSC_PASS\((\w+),", table.read_text())) if table.is_file() else set()
        for problem in file_problems(readme, passes):
            yield f"{readme.relative_to(sources.ROOT)}: {problem}"


def main() -> int:
    sources.take_no_arguments(__doc__)
    folders = sorted({path.parts[0] for path in sources.files() if len(path.parts) > 1})
    problems = [*field_problems(), *reason_problems(), *hlsc_file_problems()]
    for path in sources.files("*.md"):
        text = sources.read(path)
        found = [*link_problems(path, text), *path_problems(text, folders), *command_problems(text),
                 *length_problems(path, text)]
        problems += [f"{path}: {problem}" for problem in found]
    for path in sources.files():
        if len(path.parts) == 1 and path.suffix == ".md":
            missing = {s for s in SCRIPT.findall(sources.read(path)) if not (sources.ROOT / s).exists()}
            problems += [f"{path}: {script}: no such script" for script in sorted(missing)]
    return sources.report("check_docs", problems)


if __name__ == "__main__":
    sys.exit(main())
