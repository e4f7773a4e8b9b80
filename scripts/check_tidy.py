#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy-19 with the checks of .clang-tidy on changed files.

Changed are the .cc files that differ from the merge base with the main branch (on the main branch: from the previous
commit), uncommitted ones included, and the .cc files of changed headers. Only files that build/release has compiled are
checked, for their flags and generated headers. Skipped, with a line, where clang-tidy-19 or the build folder is missing.

Example:
  scripts/check_tidy.py                   # changed files, at most 6
  scripts/check_tidy.py hw/isa/assembler.cc
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import sources

TIDY = "clang-tidy-19"
MAIN = ("origin/main", "origin/master", "main", "master")


def git(*arguments: str) -> list[str]:
    """A git command's lines; none if it fails."""
    done = subprocess.run(["git", "-c", "safe.directory=*", *arguments], cwd=sources.ROOT, capture_output=True, text=True)
    return done.stdout.split() if done.returncode == 0 else []


def base() -> str | None:
    """The commit to compare with, or None in a repository of one commit."""
    head = git("rev-parse", "--verify", "-q", "HEAD")
    for branch in MAIN:
        if found := git("merge-base", "HEAD", branch):
            if found != head:
                return found[0]
            break
    return next(iter(git("rev-parse", "--verify", "-q", "HEAD~1")), None)


def changed() -> list[str]:
    commit = base()
    paths = git("diff", "--name-only", "--diff-filter=d", commit or "HEAD", "--", "*.cc", "*.h")
    return sorted({*paths, *git("ls-files", "--others", "--exclude-standard", "--", "*.cc", "*.h")})


def compiled(build: pathlib.Path) -> set[str]:
    """Files that the build folder has compiled, relative to ROOT."""
    files = set()
    for command in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        file = pathlib.Path(command["file"])
        output = re.search(r" -o (\S+)", command["command"])
        if output and (build / output[1]).exists() and file.is_relative_to(sources.ROOT):
            files.add(str(file.relative_to(sources.ROOT)))
    return files


def problems_of(build: pathlib.Path, path: str) -> str:
    done = subprocess.run([TIDY, "-p", build, "--quiet", "--warnings-as-errors=*", path], cwd=sources.ROOT,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return done.stdout or done.stderr if done.returncode != 0 else ""


def skip(why: str) -> int:
    print(f"check_tidy: skipped: {why}")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=sources.ROOT / "build/release", metavar="DIR",
                        help="build folder (default: build/release)")
    parser.add_argument("--limit", type=int, default=6, metavar="N", help="check at most N changed files (default: 6)")
    parser.add_argument("files", nargs="*", metavar="FILE.cc", help="check these instead of the changed files")
    arguments = parser.parse_args()
    if shutil.which(TIDY) is None:
        return skip(f"{TIDY} is not installed (scripts/install_packages)")
    if not (arguments.build / "compile_commands.json").is_file():
        return skip(f"{arguments.build}/compile_commands.json is missing (scripts/build)")
    known = compiled(arguments.build)
    wanted = arguments.files or sorted({path.removesuffix(".h") + ".cc" if path.endswith(".h") else path for path in changed()})
    files = [path for path in wanted if path in known]
    if arguments.files and len(files) < len(wanted):
        return sources.report("check_tidy", [f"{min(set(wanted) - known)}: {arguments.build} has not compiled it"])
    if not files:
        return skip("no compiled file has changed")
    limit = len(files) if arguments.files else arguments.limit
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda path: problems_of(arguments.build, path), files[:limit]))
    if limit < len(files):
        print(f"check_tidy: {limit} of {len(files)} changed files; --limit {len(files)} checks all")
    return sources.report("check_tidy", [text.rstrip() for text in found if text])


if __name__ == "__main__":
    sys.exit(main())
