# SPDX-License-Identifier: Apache-2.0
"""One source with all mutants: each is selected by its number, 0 is the original.

In Verilog, the number is on the port hls_mutant: every module gets the port and passes it on; a queue also gets hls_shallow,
which makes it full one item early. In a cycle model, it is a variable of that name.
"""
import re

from verilog import Node

PORT = "\n  input wire [15:0] hls_mutant,"
SHALLOW_PORT = "\n  input wire hls_shallow,"
VARIABLE = "\nextern uint16_t hls_mutant;\n"
SHALLOW_FULL = {"hls_fifo": "assign full = is_full | (hls_shallow & (count == COUNT_BITS'(DEPTH - 1)));",
                "hls_tokens": "assign full = is_full | (hls_shallow & (count == BITS'(DEPTH - 1)));"}


class Writer:
    """Writes Verilog."""

    @staticmethod
    def is_selected(number):
        return f"hls_mutant == 16'd{number}"

    def __init__(self, text, numbered):
        """numbered: pairs of a number and a Mutant."""
        self.text = text
        self.of = {}
        for number, mutant in numbered:
            self.of.setdefault(id(mutant.node), []).append((number, mutant))

    def inside(self, node, insertion=""):
        """The text of a node with those of its children; `insertion` is put at its position."""
        pieces, at = [], node.begin
        if insertion:
            pieces.append(self.text[at:node.position] + insertion)
            at = node.position
        for child in node.children:
            pieces += [self.text[at:child.begin], self.written(child)]
            at = child.end
        return "".join(pieces) + self.text[at:node.end]

    def written(self, node):
        own = self.of.get(id(node), [])
        if node.kind == "module":
            return self.module(node)
        if node.kind == "instance":
            return self.instance(node, own)
        text = self.inside(node)
        for number, mutant in own:
            if mutant.form in ("statement", "twice"):
                text = self.statement(number, mutant, text)
            else:
                text = f"({self.is_selected(number)} ? ({mutant.text}) : ({text}))"
        return text

    def statement(self, number, _, text):
        return f"begin if (!({self.is_selected(number)})) {text} end"

    def module(self, node):
        text = self.inside(node, PORT + (SHALLOW_PORT if node.name in SHALLOW_FULL else ""))
        if node.name in SHALLOW_FULL:
            text, places = re.subn(r"assign full\s*= is_full;", SHALLOW_FULL[node.name], text)
            if places != 1:
                raise ValueError(f"{node.name} does not assign is_full to full")
        return text

    def instance(self, node, own):
        ports = ".hls_mutant(hls_mutant), "
        if node.name in SHALLOW_FULL:
            shallow = " | ".join(f"({self.is_selected(number)})" for number, _ in own) or "1'b0"
            ports += f".hls_shallow({shallow}), "
        return self.inside(node, ports)


class ModelWriter(Writer):
    """Writes a cycle model."""

    @staticmethod
    def is_selected(number):
        return f"hls_mutant == {number}"

    def statement(self, number, mutant, text):
        if mutant.form == "twice":
            return f"{{ if ({self.is_selected(number)}) {{ {mutant.text} }} {text} }}"
        return f"{{ if (!({self.is_selected(number)})) {{ {text} }} }}"

    def module(self, node):
        return self.inside(node)


def write_model(text, processes, numbered):
    """The source of a cycle model with its mutants, as the struct MutatedModel."""
    text_node = Node("list", 0, len(text), processes)
    written = ModelWriter(text, numbered).inside(text_node)
    written, places = re.subn(r"(?<=^namespace vta::process_network \{\n)", VARIABLE, written, flags=re.MULTILINE)
    if places != 1:
        raise ValueError("the model is not in the namespace vta::process_network")
    return re.sub(r"\bModel_\w+", "MutatedModel", written)


def write(text, modules, numbered):
    """The source of a file of one view with its mutants."""
    writer = Writer(text, numbered)
    return "\n".join(writer.written(module) for module in modules) + "\n"
