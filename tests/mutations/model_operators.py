# SPDX-License-Identifier: Apache-2.0
"""The mutation operators of the cycle model's C++, by class; see operators.py for those that are the same in Verilog.

No mutant is undefined in C++ by itself: shifts stay below the width of their operand, and numbers of stages and indices are not
changed. A mutant may read past a queue, end in an assertion or not end.
"""
import re

import model
from operators import Mutant, binary_mutants, changed_numbers, conditional_mutants, enable_mutants, text_of, unary_mutants

ARITHMETIC = {"+": "-", "-": "+", "*": "+"}
INT_BITS = 32


def width_of(node, widths):
    """The width of bits<N>(...) or of a variable; None: not known."""
    found = re.fullmatch(r"bits<(\d+)>", node.name) if node.kind == "group" else None
    return int(found[1]) if found else widths.get(node.name.removeprefix("it."))


def shift_mutants(text, node, widths):
    """The place of a field: one bit up or down."""
    left, right = node.children
    width = width_of(left, widths)
    if right.kind != "number" or width is None:
        return
    amount = int(right.name)
    for other, what in ((amount + 1, "one bit up"), (amount - 1, "one bit down")):
        if 0 <= other < width:
            yield "slice", what, f"{text_of(text, left)} {node.name} {other}"


def number_mutants(node, parent, widths):
    """Numbers of bits<N>(number) and operands of operators."""
    size = width_of(parent, widths) if parent.kind == "group" else INT_BITS
    is_truth = parent.kind == "binary" and parent.name == "!=" and node.name == "0"  # "v != 0": a condition, not a number
    is_shift = parent.kind == "binary" and parent.name in ("<<", ">>")
    if size is None or is_truth or is_shift or parent.kind not in ("group", "binary"):
        return
    value = int(node.name.rstrip("u"))
    for what, other in changed_numbers(value, size, (value + len(node.name)) % min(size, 8)):
        if other < 2**INT_BITS:
            yield "constant", what, f"{other}u" if node.name.endswith("u") else str(other)


def group_mutants(text, node):
    if node.name == "max" and len(node.children) == 2:
        for side, kept in (("second", node.children[0]), ("first", node.children[1])):
            yield "max", f"{side} operand of max dropped", text_of(text, kept)


def expression_mutants(text, node, parent, widths):
    if node.kind == "binary":
        yield from binary_mutants(text, node, widths, ARITHMETIC)
        if node.name in ("<<", ">>"):
            yield from shift_mutants(text, node, widths)
    if node.kind == "unary":
        yield from unary_mutants(text, node, widths, negations=("!",))
    if node.kind == "conditional":
        yield from conditional_mutants(text, node, widths, true="true", false="false")
    if node.kind == "number":
        yield from number_mutants(node, parent, widths)
    if node.kind == "group":
        yield from group_mutants(text, node)


def statement_mutants(text, node):
    if node.kind == "if":
        yield from enable_mutants(text, node, true="true", false="false")
    if node.kind == "assign" and node.name in ("assignment", "call"):
        yield Mutant(node, "statement", "assignment", f"{node.name} dropped", "")
    if node.kind == "assign" and node.name == "cycle":
        yield Mutant(node, "statement", "cycle", "dropped", "")
        yield Mutant(node, "twice", "cycle", "one more", text_of(text, node))


def mutants_of(text, process):
    """All mutants of a process, in the order of the text."""
    widths = model.widths(text, process)
    found = []

    def visit(node, parent):
        for operator_class, what, replacement in expression_mutants(text, node, parent, widths):
            found.append(Mutant(node, "expression", operator_class, what, replacement))
        found.extend(statement_mutants(text, node))
        for child in node.children:
            visit(child, node)

    visit(process, process)
    return found
