# SPDX-License-Identifier: Apache-2.0
"""Mutants without effect: equivalent.jsonl has a line of JSON for each, with the reason. They are not counted; one that is
noticed is wrong there."""
import json
import pathlib

PATH = pathlib.Path(__file__).resolve().parent / "equivalent.jsonl"
KEYS = ("module", "class", "what", "original", "replacement", "line")  # what identifies a mutant in any sample


def read_lines(path):
    """Lines of JSON. A line that a crash has cut off is not one."""
    found = []
    if path.exists():
        for line in path.read_text().splitlines():
            try:
                found.append(json.loads(line))
            except json.JSONDecodeError:
                continue
    return found


def key_of(mutant):
    return tuple(mutant[key] for key in KEYS)


def entry_of(mutant, reason):
    return {key: mutant[key] for key in KEYS} | {"reason": reason}


def reasons(path=PATH):
    """From keys of mutants to reasons."""
    return {key_of(entry): entry["reason"] for entry in read_lines(path)}
