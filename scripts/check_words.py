#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no text of the project has a word or phrase of scripts/retired_words.txt: code, comments, documents,
messages and names. Each has its replacement there, and the paths where it is allowed. No comment, docstring or paragraph
opens with "Of". At most 1 of 50 sentences has more than 30 words: of the documents, and of the comments and docstrings.

To quote one nevertheless, put it between the quotation marks “ and ”, or into a Markdown block quote ("> ").
Not searched: LICENSE, data (*.json, labels), golden files, and CHANGELOG.md below its first section.

Example:
  scripts/check_words.py    # every place, with the replacement
"""
import ast
import bisect
import fnmatch
import re
import string
import sys
import typing

import sources

LIST = "scripts/retired_words.txt"
MAX_SENTENCE_WORDS = 30
MAX_LONG_SHARE = 1 / 50
NOT_SEARCHED = ["LICENSE", "*.json", "*.labels.txt", "tests/recorded_runs/*", "*/golden/*", LIST, "tests/docs/check_scripts_test.py"]
QUOTED = re.compile(r"“[^”]*”|^[ \t]*> .*$", re.MULTILINE)
MARKER = re.compile(r'^\s*(?:(?://+|#+|\*|\||--)(?=\s|$)\s*)?"?')

COMMENT = re.compile(r"^[ \t]*(?://+|#)[ \t]*(.*)$")
OPENERS = re.compile(r"""\S[ \t]+(?://+<?|#)[ \t]*Of\b|^[^"]*\"{3}Of\b""")  # after code; of a docstring
SLASH_SUFFIXES = (".cc", ".h", ".c", ".def", ".js", ".sv", ".svh", ".v")
HASH_SUFFIXES = (".py", ".cmake", ".tcl", "CMakeLists.txt")
SLASHES, HASH = re.compile(r"(?:^|\s)//+<?(?: (.*)|$)"), re.compile(r"(?:^|\s)#(?: (.*)|$)")
EXAMPLE = re.compile(r"^(?:  |>>> ).*", re.MULTILINE)
ARGUMENT = re.compile(r"^(?=\w[\w, ]*: )", re.MULTILINE)  # of a docstring's list of arguments
PARAGRAPH = re.compile(r"^(?:[-*] |\| |\d+\. )?Of\b")
ABBREVIATIONS = r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bcf\.)(?<!\bvs\.)"  # their full stop ends no sentence
SENTENCE_END = re.compile(ABBREVIATIONS + r"(?<=[.!?:])[)*\"]*\s+(?=[A-Z`\[(*\"])|" + ABBREVIATIONS + r"(?<=[a-z)][.!?])\s+(?=[a-z])|\n\s*\n|\n(?=\s*(?:[-*|#>]|\d+\. ))| \| ")

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


def opener_lines(path: str, text: str) -> list[int]:
    """The lines where a comment, a docstring or a paragraph opens with "Of"."""
    if not re.search(r"\bOf\b", text):
        return []
    lines, in_comment = [], False
    for number, line in enumerate(text.split("\n"), 1):
        if path.endswith(".md"):
            opens, in_comment = not in_comment and bool(PARAGRAPH.match(line)), bool(line.strip()) and not line.startswith("#")
            opens = opens or bool(PARAGRAPH.match(line)) and not line.startswith("Of")
        else:
            comment = COMMENT.match(line)
            opens = bool(OPENERS.search(line)) or comment is not None and not in_comment and bool(re.match(r"Of\b", comment.group(1)))
            in_comment = comment is not None and bool(comment.group(1).strip())
        lines += [number] if opens else []
    return lines


def opener_problems(texts: dict[str, str]) -> typing.Iterator[str]:
    for path, text in texts.items():
        yield from (f"{path}:{line}: opens with 'Of': name the subject" for line in opener_lines(path, text))


def sentence_lengths(document: str) -> list[int]:
    """Words of each sentence, table cell or heading of a Markdown text, without blocks of code."""
    prose = re.sub(r"```.*?```", "\n\n", document, flags=re.DOTALL)
    prose = re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`\n]*`", "code", prose))
    counts = (sum(bool(re.search(r"\w", word)) for word in part.split()) for part in SENTENCE_END.split(prose))
    return [count for count in counts if count]


def docstrings(source: str) -> str:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = (ast.get_docstring(node) or "" for node in ast.walk(ast.parse(source)) if isinstance(node, documented))
    return "\n\n".join(ARGUMENT.sub("\n", EXAMPLE.sub("", text)) for text in found)


def comments(path: str, text: str) -> str:
    """The comments of a source as paragraphs, without indented examples, and a Python source's docstrings; "" for data."""
    is_python = path.endswith(".py") or text.startswith("#!/usr/bin/env python")
    has_hash = is_python or path.endswith(HASH_SUFFIXES) or text.startswith("#!")
    if not has_hash and not path.endswith(SLASH_SUFFIXES):
        return ""
    lines, column = [docstrings(text)] if is_python else [""], -1
    for line in text.split("\n"):
        comment = (HASH if has_hash else SLASHES).search(line)
        starts = comment.start() if comment else -1
        if starts != column or line[:starts + 1].strip(" /#"):  # elsewhere, or after code
            lines.append("")
        column = starts
        lines.append(EXAMPLE.sub("", comment.group(1) or "") if comment else "")
    return "\n".join(lines)


def length_problems(kind: str, texts: dict[str, str]) -> typing.Iterator[str]:
    lengths = {path: sentence_lengths(text) for path, text in texts.items()}
    longs = {path: sum(length > MAX_SENTENCE_WORDS for length in of_path) for path, of_path in lengths.items()}
    total = sum(map(len, lengths.values()))
    if sum(longs.values()) > MAX_LONG_SHARE * total:
        most = ", ".join(f"{path} {longs[path]}" for path in sorted(longs, key=lambda path: -longs[path])[:5])
        yield (f"{sum(longs.values())} of {total} sentences of {kind} have more than {MAX_SENTENCE_WORDS} words, at most 1 of "
               f"{round(1 / MAX_LONG_SHARE)} may; most: {most}")


def main() -> int:
    sources.take_no_arguments(__doc__)
    words = words_of(sources.read(LIST))
    texts = {path: text for path in filter(is_searched, map(str, sources.files())) if (text := searched_text(path)) is not None}
    found = [(path, *place) for path, text in texts.items() for place in found_in(path, text, words)]
    found.sort(key=lambda place: place[:2])
    problems = [f"{path}:{line}: '{there}': write {word.replacement}" for path, line, there, word in found]
    documents = {path: text for path, text in texts.items() if path.endswith(".md") and path != "CHANGELOG.md"}
    sources_comments = {path: comments(path, text) for path, text in texts.items() if not path.endswith(".md")}
    problems += [*opener_problems(texts), *length_problems("documents", documents), *length_problems("comments", sources_comments)]
    return sources.report("check_words", problems)


if __name__ == "__main__":
    sys.exit(main())
