#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes one source with a sample of the mutants of the given ones, and the list of them. Sources are SystemVerilog, of which
the view for synthesis is taken, or one header with a cycle model.

The sample's file is one line, such as "--count 1000 --seed 1". The sample is drawn from each operator class in proportion to its mutants. The list has a line of JSON
for each mutant: its number, class, place, and what it does.

Usage:
  tests/mutations/write_mutants.py SOURCE... --sample FILE --out FILE --list FILE.jsonl
  tests/mutations/write_mutants.py SOURCE... --classes      the number of mutants in each class

Example:
  tests/mutations/write_mutants.py build/release/sim/rtl/core_tiny_1x8.sv hw/rtl/hls_*.sv --classes
"""
import argparse
import collections
import json
import pathlib
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import model  # noqa: E402
import model_operators  # noqa: E402
import operators  # noqa: E402
import schemata  # noqa: E402
import verilog  # noqa: E402

MAX_COUNT = 65535  # hls_mutant has 16 bits

# text: what is mutated; modules: of Verilog, or a model's processes; mutants: all of them, each with its module
Source = collections.namedtuple("Source", "path text modules mutants")


def is_model(path):
    return path.suffix == ".h"


def read_source(path):
    text = path.read_text() if is_model(path) else verilog.choose_view(path.read_text(), simulation=False)
    language, mutants_of = (model, model_operators.mutants_of) if is_model(path) else (verilog, operators.mutants_of)
    modules = language.parse(text)
    mutants = [(module, mutant) for module in modules for mutant in mutants_of(text, module)]
    return Source(path, text, modules, mutants)


def by_class(sources):
    """Each class's mutants as (source, module, mutant), in the order of the sources."""
    classes = collections.defaultdict(list)
    for source in sources:
        for module, mutant in source.mutants:
            classes[mutant.operator_class].append((source, module, mutant))
    return dict(sorted(classes.items()))


def shares(sizes, count):
    """How many of `count` each class gets: in proportion, and one at least."""
    total = sum(sizes.values())
    exact = {name: max(1.0, count * size / total) for name, size in sizes.items()}
    given = {name: min(int(share), sizes[name]) for name, share in exact.items()}
    for name in sorted(sizes, key=lambda name: exact[name] - int(exact[name]), reverse=True):
        if sum(given.values()) < count and given[name] < sizes[name]:
            given[name] += 1
    return given


def sample(sources, count, seed):
    classes = by_class(sources)
    generator = random.Random(seed)
    given = shares({name: len(all_of) for name, all_of in classes.items()}, count)
    chosen = []
    for name, all_of in classes.items():
        chosen += [all_of[i] for i in sorted(generator.sample(range(len(all_of)), given[name]))]
    return chosen


def line_of_list(number, source, module, mutant):
    text, node = source.text, mutant.node
    begin = text.rfind("\n", 0, node.begin) + 1
    around = text[begin:text.find("\n", node.begin)].strip()
    original = " ".join(text[node.begin:node.end].split())
    return {"mutant": number, "class": mutant.operator_class, "what": mutant.what, "file": source.path.name,
            "module": module.name, "original": original[:300], "replacement": mutant.text[:300], "line": around[:300]}


def read_sample(path):
    """(count, seed)"""
    parser = argparse.ArgumentParser(prog=str(path), add_help=False)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    found = parser.parse_args(path.read_text().split())
    if not 1 <= found.count <= MAX_COUNT:
        parser.error(f"--count: expected 1 to {MAX_COUNT}, got {found.count}")
    return found.count, found.seed


def write(sources, of_sample, out, list_file):
    count, seed = of_sample
    chosen = sample(sources, count, seed)
    numbered = {source.path: [] for source in sources}
    lines = []
    for number, (source, module, mutant) in enumerate(chosen, start=1):
        numbered[source.path].append((number, mutant))
        lines.append(json.dumps(line_of_list(number, source, module, mutant)))
    text = "".join((schemata.write_model if is_model(source.path) else schemata.write)(
        source.text, source.modules, numbered[source.path]) for source in sources)
    out.write_text(text)
    list_file.write_text("\n".join(lines) + "\n")
    print(f"{len(chosen)} mutants of {sum(len(source.mutants) for source in sources)}, seed {seed}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("sources", nargs="+", type=pathlib.Path)
    parser.add_argument("--sample", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--list", type=pathlib.Path)
    parser.add_argument("--classes", action="store_true")
    arguments = parser.parse_args()
    sources = [read_source(path) for path in sorted(arguments.sources)]
    if arguments.classes:
        for name, all_of in by_class(sources).items():
            print(f"{name:<12}{len(all_of)}")
        return
    if None in (arguments.sample, arguments.out, arguments.list):
        parser.error("expected --sample, --out and --list, or --classes")
    write(sources, read_sample(arguments.sample), arguments.out, arguments.list)


if __name__ == "__main__":
    main()
