# SPDX-License-Identifier: Apache-2.0
"""The files that the check_*.py scripts read: files that git tracks, and untracked ones that it does not ignore."""
import argparse
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def files(*patterns: str) -> list[pathlib.PurePosixPath]:
    """Paths relative to ROOT of files that match any of the git pathspecs, sorted."""
    # In containers the checkout may belong to another user.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = sorted(set(filter(None, listed.split("\0"))))
    return [pathlib.PurePosixPath(path) for path in paths if (ROOT / path).is_file()]


def read(path: pathlib.PurePosixPath | str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def take_no_arguments(description: str | None) -> None:
    """Accepts --help only."""
    argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()


def report(name: str, problems: list[str]) -> int:
    """Prints the problems and returns the exit status."""
    for problem in problems:
        print(problem)
    print(f"{name}: {len(problems)} problem(s)" if problems else f"{name}: ok")
    return 1 if problems else 0
