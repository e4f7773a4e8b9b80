#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no text of the project has a word or phrase of scripts/retired_words.txt: code, comments, documents,
messages and names. Each has its replacement there, and the paths where it is allowed.

To quote one nevertheless, put it between the quotation marks “ and ”, or into a Markdown block quote ("> ").
Not searched: LICENSE, data (*.json, labels), golden files, and CHANGELOG.md below its first section.

Example:
  scripts/check_words.py    # every place, with the replacement
"""
import bisect
import fnmatch
import re
import string
import sys
import typing

import sources

LIST = "scripts/retired_words.txt"
NOT_SEARCHED = ["LICENSE", "*.json", "*.labels.txt", "tests/golden/*", "*/golden/*", LIST, "tests/docs/check_scripts_test.py"]
QUOTED = re.compile(r"“[^”]*”|^[ \t]*> .*$", re.MULTILINE)
MARKER = re.compile(r'^\s*(?:(?://+|#+|\*|\||--)(?=\s|$)\s*)?"?')

ASCII_LOWER = {ord(c): c.lower() for c in string.ascii_uppercase}  # keeps the length of a text


class Word(typing.NamedTuple):
    """`allowed`: patterns of the paths where it is allowed."""

    expression: re.Pattern[str]
    ignores_case: bool
    replacement: str
    allowed: list[str]


def words_of(text: str) -> list[Word]:
    """The words of a list in the format of retired_words.txt."""
    words = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        columns = line.split("\t")
        if len(columns) not in (2, 3) or not all(columns):
            raise ValueError(f"{LIST}:{number}: expected expression, replacement and optionally paths, separated by tabs")
        letters = re.sub(r"\\.", "", columns[0])
        allowed = columns[2].split() if len(columns) == 3 else []
        words.append(Word(re.compile(columns[0]), letters == letters.lower(), columns[1], allowed))
    return words


class Prose:
    """A file's text as one line: without quotations, comment markers and the quotation marks around split strings."""

    def __init__(self, text: str) -> None:
        self.starts: list[int] = []
        parts: list[str] = []
        length = 0
        for line in QUOTED.sub(lambda m: re.sub(r"[^\n]", "", m.group()), text).split("\n"):
            line = MARKER.sub("", line).rstrip().removesuffix("\\").rstrip().removesuffix('"').rstrip()
            self.starts.append(length)
            parts.append(line or "\n")  # an empty line ends a sentence
            length += len(parts[-1]) + 1
        self.text = " ".join(parts)
        self.lower = self.text.translate(ASCII_LOWER)

    def line_of(self, offset: int) -> int:
        return bisect.bisect_right(self.starts, offset)


def is_searched(path: str) -> bool:
    return not any(fnmatch.fnmatch(path, pattern) for pattern in NOT_SEARCHED)


def searched_text(path: str) -> str | None:
    """None for files that are not text."""
    try:
        text = sources.read(path)
    except UnicodeDecodeError:
        return None
    if path == "CHANGELOG.md":
        text = "\n## ".join(text.split("\n## ")[:2])  # its head and the newest section
    return None if "\0" in text else text


def found_in(path: str, text: str, words: list[Word]) -> typing.Iterator[tuple[int, str, Word]]:
    """(line, what is there, the word) of every place."""
    prose = Prose(text)
    for word in words:
        if any(fnmatch.fnmatch(path, pattern) for pattern in word.allowed):
            continue
        for match in word.expression.finditer(prose.lower if word.ignores_case else prose.text):
            yield prose.line_of(match.start()), prose.text[match.start():match.end()], word


def main() -> int:
    sources.take_no_arguments(__doc__)
    words = words_of(sources.read(LIST))
    found = []
    for path in filter(is_searched, map(str, sources.files())):
        if (text := searched_text(path)) is not None:
            found += [(path, *place) for place in found_in(path, text, words)]
    found.sort(key=lambda place: place[:2])
    problems = [f"{path}:{line}: '{there}': write {word.replacement}" for path, line, there, word in found]
    return sources.report("check_words", problems)


if __name__ == "__main__":
    sys.exit(main())
