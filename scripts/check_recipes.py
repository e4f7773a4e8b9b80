#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what a new line of a table requires, or checks scripts/recipes.txt. Every .def of the tree has a recipe, the files
that a recipe names exist, and it names no more files and tests than its limit. The table of recipes in CONTRIBUTING.md is this
list.

Example:
  scripts/check_recipes.py                            # the check
  scripts/check_recipes.py runtime/tensor/ops.def     # the recipe of one table
  scripts/check_recipes.py --write                    # puts the table of recipes into CONTRIBUTING.md
"""
import argparse
import fnmatch
import pathlib
import re
import sys
import typing

import sources

Problems = typing.Iterator[str]  # a line each

LIST = "scripts/recipes.txt"
SUMMARY = re.compile(r"^\| to add \| table \| files, at most \|\n(?:\|.*\n)*", re.MULTILINE)  # in CONTRIBUTING.md
ENFORCED_BY = ("compiler", "linker", "CMake", "scripts/check", "review")
HEAD = re.compile(r"\[(\S+)\] (.+?)(?:; at most (\d+) files?(?: and (\d+) tests?)?)?")


class Step(typing.NamedTuple):
    path: str
    is_optional: bool
    what: str
    enforced_by: str


class Recipe(typing.NamedTuple):
    """`files`, `tests`: limits, or None."""

    table: str
    what: str
    files: int | None
    tests: int | None
    steps: list[Step]


def recipes_of(text: str) -> list[Recipe]:
    """The recipes of a text in the format of recipes.txt."""
    recipes: list[Recipe] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        columns = line.split("\t")
        if head := HEAD.fullmatch(line):
            files, tests = (int(limit) if limit else None for limit in (head[3], head[4]))
            recipes.append(Recipe(head[1], head[2], files, tests, []))
        elif recipes and len(columns) == 3:
            path, what, enforced_by = columns
            recipes[-1].steps.append(Step(path.removeprefix("?"), path.startswith("?"), what, enforced_by))
        else:
            raise ValueError(f"{LIST}:{number}: expected [TABLE] WHAT, or path, text and what enforces it, separated by tabs")
    return recipes


def is_test(step: Step) -> bool:
    return step.path.startswith("tests/") and not step.path.startswith("tests/support/")


def recipe_problems(recipe: Recipe, exists: typing.Callable[[str], bool]) -> Problems:
    """exists: whether a path or pattern names a file."""
    counted = [step for step in recipe.steps if not step.is_optional]
    for name, limit, count in [("files", recipe.files, sum(not is_test(step) for step in counted)),
                               ("tests", recipe.tests, sum(map(is_test, counted)))]:
        if limit is not None and count > limit:
            yield f"{recipe.table}: {count} {name}, at most {limit}"
    for step in recipe.steps:
        if not exists(step.path):
            yield f"{recipe.table}: no file {step.path}"
        if step.enforced_by not in ENFORCED_BY and not exists(step.enforced_by):
            yield f"{recipe.table}: '{step.enforced_by}' is neither a file nor one of {', '.join(ENFORCED_BY)}"


def problems(recipes: list[Recipe], paths: list[pathlib.PurePosixPath]) -> Problems:
    """recipes against the paths of the tree."""
    folders = {str(parent) for path in paths for parent in path.parents}
    names = {str(path) for path in paths} | folders

    def exists(path: str) -> bool:
        return path in names or any(fnmatch.fnmatch(name, path) for name in names)

    listed = {recipe.table for recipe in recipes}
    for path in paths:
        if path.suffix == ".def" and str(path) not in listed:
            yield f"{path}: has no recipe in {LIST}"
    for recipe in recipes:
        if exists(recipe.table):
            yield from recipe_problems(recipe, exists)
        else:
            yield f"{recipe.table}: no such table"


def limits_of(recipe: Recipe) -> str:
    tests = f"{recipe.tests} test{'' if recipe.tests == 1 else 's'}" if recipe.tests else ""
    return " and ".join(filter(None, [str(recipe.files or ""), tests]))


def summary(recipes: list[Recipe]) -> str:
    """The recipes and their limits in Markdown."""
    lines = ["| to add | table | files, at most |", "|---|---|---|"]
    lines += [f"| {recipe.what} | `{recipe.table}` | {limits_of(recipe)} |" for recipe in recipes]
    return "\n".join(lines) + "\n"


def summary_problems(recipes: list[Recipe], text: str) -> Problems:
    if (found := SUMMARY.search(text)) is None:
        yield "CONTRIBUTING.md: has no table of recipes"
    elif found.group() != summary(recipes):
        yield f"CONTRIBUTING.md: its table of recipes is not that of {LIST} (check_recipes.py --write mends it)"


def text_of(recipe: Recipe) -> str:
    lines = [f"{recipe.table}: {recipe.what}"]
    for step in recipe.steps:
        lines.append(f"  {step.path}{' (if needed)' if step.is_optional else ''}: {step.what}; enforced by {step.enforced_by}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("table", nargs="?", help="print the recipe of this table and check nothing")
    action.add_argument("--write", action="store_true", help="write the table of CONTRIBUTING.md and check nothing")
    arguments = parser.parse_args()
    recipes = recipes_of(sources.read(LIST))
    text = sources.read("CONTRIBUTING.md")
    if arguments.write:
        (sources.ROOT / "CONTRIBUTING.md").write_text(SUMMARY.sub(lambda _: summary(recipes), text), encoding="utf-8")
        return 0
    if (table := arguments.table) is None:
        found = [*problems(recipes, sources.files()), *summary_problems(recipes, text)]
        return sources.report("check_recipes", found)
    wanted = [recipe for recipe in recipes if recipe.table == table]
    if not wanted:
        sys.exit(f"check_recipes: no recipe for '{table}'; there are {', '.join(recipe.table for recipe in recipes)}")
    print(text_of(wanted[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
