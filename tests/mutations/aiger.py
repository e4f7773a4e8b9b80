# SPDX-License-Identifier: Apache-2.0
"""And-inverter graphs as AIGER files (binary, format 1.9), and their simplification by structural hashing.

A literal is 2 * variable, plus 1 if it is negated; 0 and 1 are the constants.
"""
import collections

# inputs, latches: variables; nexts, outputs: literals; gates: from a variable to two literals, in topological order;
# names: from ("input" | "latch" | "output", index) to (name, bit)
Graph = collections.namedtuple("Graph", "inputs latches nexts outputs gates names")


def _read_delta(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def _delta(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def read(path, map_path):
    """An AIGER file and the map that yosys' write_aiger -map has written with it."""
    data = path.read_bytes()
    end = data.index(b"\n")
    _, num_inputs, num_latches, num_outputs, num_gates = map(int, data[:end].split()[1:6])
    at = end + 1
    lines = []
    for _ in range(num_latches + num_outputs):
        end = data.index(b"\n", at)
        lines.append(int(data[at:end].split()[0]))
        at = end + 1
    gates = {}
    first = num_inputs + num_latches + 1
    for variable in range(first, first + num_gates):
        delta, at = _read_delta(data, at)
        left = 2 * variable - delta
        delta, at = _read_delta(data, at)
        gates[variable] = (left, left - delta)
    names = {}
    for line in map_path.read_text().splitlines():
        kind, index, bit, name = line.split()[:4]
        if kind in ("input", "output"):
            names[kind, int(index)] = (name, int(bit))
    return Graph(list(range(1, num_inputs + 1)), list(range(num_inputs + 1, first)), lines[:num_latches], lines[num_latches:],
                 gates, names)


class Builder:
    """A graph that is built gate by gate; equal gates are one."""

    def __init__(self):
        self.gates = {}  # from two literals to a variable, in topological order
        self.next_variable = 1

    def variable(self):
        self.next_variable += 1
        return self.next_variable - 1

    def conjunction(self, a, b):
        if a > b:
            a, b = b, a
        if a == 0 or a ^ 1 == b:
            return 0
        if a == 1 or a == b:
            return b
        if (a, b) not in self.gates:
            self.gates[a, b] = self.variable()
        return 2 * self.gates[a, b]

    def disjunction(self, a, b):
        return self.conjunction(a ^ 1, b ^ 1) ^ 1

    def difference(self, a, b):
        if a == b:
            return 0
        if a ^ 1 == b:
            return 1
        return self.disjunction(self.conjunction(a, b ^ 1), self.conjunction(a ^ 1, b))

    def copy(self, graph, values):
        """Adds the gates of a graph. `values`: from variables to literals; that of each gate is added."""
        values[0] = 0
        for variable, (a, b) in graph.gates.items():
            values[variable] = self.conjunction(values[a >> 1] ^ a & 1, values[b >> 1] ^ b & 1)
        return values


def cone(gates_by_variable, nexts, roots):
    """The variables that the literals `roots` depend on; `nexts`: from the variables of latches to literals."""
    seen, left = set(), [literal >> 1 for literal in roots]
    while left:
        variable = left.pop()
        if variable in seen or variable == 0:
            continue
        seen.add(variable)
        if variable in nexts:
            left.append(nexts[variable] >> 1)
        elif variable in gates_by_variable:
            left += [literal >> 1 for literal in gates_by_variable[variable]]
    return seen


def write(path, builder, nexts, output):
    """Writes what one output depends on. `nexts`: from the variables of latches, which are 0 at first, to literals."""
    gates = {variable: pair for pair, variable in builder.gates.items()}
    used = cone(gates, nexts, [output])
    latches = [variable for variable in nexts if variable in used]
    inputs = sorted(variable for variable in used if variable not in gates and variable not in nexts)
    ordered = [variable for variable in gates if variable in used]
    number = {variable: i for i, variable in enumerate([0, *inputs, *latches, *ordered])}

    def renumbered(literal):
        return 2 * number[literal >> 1] | literal & 1

    out = [f"aig {len(number) - 1} {len(inputs)} {len(latches)} 1 {len(ordered)}\n".encode()]
    out += [f"{renumbered(nexts[latch])}\n".encode() for latch in latches] + [f"{renumbered(output)}\n".encode()]
    for variable in ordered:
        low, high = sorted(renumbered(literal) for literal in gates[variable])
        own = 2 * number[variable]
        out.append(_delta(own - high) + _delta(high - low))
    path.write_bytes(b"".join(out))
    return len(latches), len(ordered)
