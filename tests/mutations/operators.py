# SPDX-License-Identifier: Apache-2.0
"""The mutation operators of Verilog, by class: what each does to a node of verilog.py.

A mutant of an expression is another expression of the same width and signedness, so that
`(hls_mutant == ID ? mutant : original)` is the original whenever its ID is not selected. No mutant reads a net that the
original does not read, so none makes a combinational loop.
"""
import collections

import verilog

# form: "expression", text replaces the node's; "statement", the node is not executed; "twice", it is executed twice; "shallow",
# the queue is full one item early.
Mutant = collections.namedtuple("Mutant", "node form operator_class what text")

ARITHMETIC = {"+": "-", "-": "+", "*": "+", "<<": ">>", ">>": "<<", ">>>": "<<"}
COMPARISON = {"==": ("!=",), "!=": ("==",), "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<")}
LOGICAL = {"&": "|", "|": "&", "^": "&", "&&": "||", "||": "&&"}
QUEUES = ("hls_fifo", "hls_tokens")


def text_of(text, node):
    return text[node.begin:node.end]


def with_operator(text, node, operator):
    left, right = node.children
    return f"{text_of(text, left)} {operator} {text_of(text, right)}"


def binary_mutants(text, node, _, arithmetic=ARITHMETIC):
    if node.name in arithmetic:
        sign = arithmetic[node.name]
        yield "arithmetic", f"{node.name} to {sign}", with_operator(text, node, sign)
    for sign in COMPARISON.get(node.name, ()):
        yield "comparison", f"{node.name} to {sign}", with_operator(text, node, sign)
    if node.name in LOGICAL:
        sign = LOGICAL[node.name]
        yield "logical", f"{node.name} to {sign}", with_operator(text, node, sign)
        for side, kept in (("right", node.children[0]), ("left", node.children[1])):
            yield "logical", f"{side} operand of {node.name} dropped", text_of(text, kept)


def unary_mutants(text, node, _, negations=("~", "!")):
    if node.name in negations:
        yield "logical", "negation dropped", text_of(text, node.children[0])


def conditional_mutants(text, node, _, true="1'b1", false="1'b0"):
    condition, yes, no = (text_of(text, child) for child in node.children)
    yield "mux", "arms swapped", f"({condition}) ? ({no}) : ({yes})"
    yield "mux", "always the first arm", f"{true} ? ({yes}) : ({no})"  # the width is that of the wider arm
    yield "mux", "always the second arm", f"{false} ? ({yes}) : ({no})"


def parsed_number(token):
    """(width or None, "s" or "", value), or None: '0 has no width of its own."""
    if "'" not in token:
        return None, "", int(token)
    width, _, digits = token.partition("'")
    if width == "":
        return None
    signed = "s" if digits[0] == "s" else ""
    base = digits[len(signed)]
    return int(width), signed, int(digits[len(signed) + 1:].replace("_", ""), {"b": 2, "d": 10, "h": 16}[base])


def changed_numbers(value, size, bit):
    """Pairs of what is changed and another number of `size` bits; `bit` is flipped."""
    changed = {"one more": (value + 1) % 2**size, "a bit flipped": value ^ 1 << bit, "one less": (value - 1) % 2**size}
    seen = {value}
    for what, other in changed.items():
        if other not in seen:
            seen.add(other)
            yield what, other


def number_mutants(text, node, _):
    parsed = parsed_number(node.name)
    if parsed is None:
        return
    width, signed, value = parsed
    size = 32 if width is None else width
    for what, other in changed_numbers(value, size, node.begin % min(size, 8)):
        yield "constant", what, str(other) if width is None else f"{width}'{signed}h{other:X}"


def select_mutants(text, node, widths):
    """Constant slices, one bit up or down. `position` is the text of the bounds."""
    high, _, low = (node.position or "").partition(":")
    if not high.isdigit() or (low and not low.isdigit()):
        return
    high, low = int(high), int(low) if low else None
    bottom = high if low is None else low
    for step, what in ((1, "up"), (-1, "down")):
        if bottom + step < 0 or high + step >= widths.get(node.name, 0):
            continue
        bounds = f"{high + step}" if low is None else f"{high + step}:{low + step}"
        yield "slice", f"one bit {what}", f"{node.name}[{bounds}]"


EXPRESSIONS = {"binary": binary_mutants, "unary": unary_mutants, "conditional": conditional_mutants,
               "number": number_mutants, "select": select_mutants}


def enable_mutants(text, node, true="1'b1", false="1'b0"):
    condition = node.children[0]
    for what, replacement in (("condition negated", f"!({text_of(text, condition)})"), ("always", true), ("never", false)):
        yield Mutant(condition, "expression", "enable", what, replacement)


def statement_mutants(text, node):
    if node.kind == "if":
        yield from enable_mutants(text, node)
    if node.kind == "assign" and node.name == "nonblocking":
        yield Mutant(node, "statement", "assignment", "dropped", "")
    if node.kind == "instance" and node.name in QUEUES:
        yield Mutant(node, "shallow", "depth", "one item less", "")


def mutants_of(text, module):
    """All mutants of a module, in the order of the text."""
    widths = verilog.widths(text, module)
    found = []

    def visit(node):
        for operator_class, what, replacement in EXPRESSIONS.get(node.kind, lambda *_: ())(text, node, widths):
            found.append(Mutant(node, "expression", operator_class, what, replacement))
        found.extend(statement_mutants(text, node))
        for child in node.children:
            visit(child)

    visit(module)
    return found
