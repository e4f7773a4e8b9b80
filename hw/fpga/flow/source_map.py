# SPDX-License-Identifier: Apache-2.0
"""From names in a netlist back to the source: process, pipeline stage, operation and line of C++.

vta-hlsc names a value <word>_<number>, with a suffix for the register that holds it: _p<stage> in a pipeline, _c after a
state, _r for a loop variable; _n<nest>_<stage> and _S<state> are wires. `vta-hlsc report --operations --json` has the
operation of each number. A node without a name has the Verilog line that made it, if any.
"""
import functools
import os
import pathlib
import re
import typing

from hw.fpga.flow import netlist
from hw.fpga.flow.netlist import Json

VALUE = re.compile(r"(?:.*?_)?(?P<value>\d+)_(?:p(?P<stage>\d+)|(?P<loop>r)|(?P<captured>c)|new|n\d+(?:_\d+)?(?:_t)?|S\d+(?:_t)?)(?:_.*)?$")
NEST = re.compile(r"n(?P<nest>\d+)_(?:(?:v|adv|waits)(?P<stage>\d+)|\w+)$")
VERILOG_PLACE = re.compile(r"([\w./-]+\.s?v):(\d+)")
DECLARED = re.compile(r"\s*(?:(?:input|output)\s+)?(?:wire|reg|assign)?\s*(?:\[[^]]*\]\s*)?(\w+)\s*(?:<?=|;)")
COMMENT = re.compile(r"//\s*(?:.*\s)?([\w./-]+\.(?:h|cc|cpp):\d+)")


class Place(typing.NamedTuple):
    """Where a net comes from. Empty text where it is not known."""

    block: str  # process, or instance of a queue, RAM or AXI adaptor
    name: str  # of the net, in its block
    stage: str  # such as "nest 0, stage 3" or "for_cond, step 2"
    operation: str
    line: str  # of the C++
    scheduled_ns: typing.Optional[float]  # when the scheduler has the operation's result
    is_first: bool  # the first register that holds the result
    estimated_ns: typing.Optional[float] = None  # when that register has it, by vta-hlsc's estimate of the netlist

    def as_json(self) -> dict[str, str]:
        return {key: getattr(self, key) for key in ("block", "name", "stage", "operation", "line")}


class Process:
    """The operations of one process by their numbers, and its nests."""

    def __init__(self, report: Json) -> None:
        self.name = report["name"]
        self.operations = {op["value"]: op for op in report["operations"]}
        self.nests = {nest["loops"][-1]: index for index, nest in enumerate(report["nests"])}

    def stage_of(self, op: Json) -> str:
        if "step" in op:
            return f"{op['loop'] or 'start'}, step {op['step']}"
        return f"nest {self.nests[op['loop']]}, stage {op['stage']}" if op["loop"] in self.nests else f"{op['loop']}, counting"


class SourceMap:
    """`report`: the JSON of vta-hlsc report --operations, or None. `top`: name of the netlist's module. `folder`: where
    yosys ran."""

    def __init__(self, report: Json | None = None, top: str = "", folder: str | os.PathLike[str] = ".") -> None:
        self._processes = {process["name"]: Process(process) for process in (report or {"processes": []})["processes"]}
        self._top = next((name for name in self._processes if top.endswith(f"_{name}")), "")
        self._folder = pathlib.Path(folder)

    @functools.cache
    def _lines(self, file: str) -> list[str]:
        path = self._folder / file
        return path.read_text(errors="replace").splitlines() if path.is_file() else []

    def processes(self) -> list[str]:
        return list(self._processes)

    def block(self, name: str) -> tuple[str, str]:
        """Process or instance, and the rest of a hierarchical name."""
        instance, dot, rest = name.rpartition(".")
        if not dot:
            return self._top, name
        for part in instance.split("."):
            if part.startswith("i_") and part[2:] in self._processes:
                return part[2:], rest
        return instance, rest

    def of_name(self, name: str) -> Place:
        """The place of a net's name without its bit."""
        block, local = self.block(name)
        process = self._processes.get(block)
        match = VALUE.match(local)
        if process is None or match is None or int(match["value"]) not in process.operations:
            nest = NEST.match(local)
            stage = "" if process is None or nest is None else f"nest {nest['nest']}" + (
                f", stage {nest['stage']}" if nest["stage"] else "")
            return Place(block, local, stage, "", "", None, False)
        op = process.operations[int(match["value"])]
        is_first = match["captured"] is not None and "step" in op or (
            match["stage"] is not None and op.get("stage") == int(match["stage"]) - 1)
        line = op["place"].removeprefix("./")
        return Place(block, local, process.stage_of(op), op["operation"], "" if line == "-" else line, op["ready_ns"], is_first,
                     op.get("estimated_ns"))

    def of_line(self, place: str, block: str) -> Place | None:
        """The place of a Verilog line, from its comment or the name that it declares."""
        match = VERILOG_PLACE.search(place)
        lines = self._lines(match[1]) if match else []
        if not match or int(match[2]) > len(lines):
            return None
        text = lines[int(match[2]) - 1]
        comment = COMMENT.search(text)
        declared = DECLARED.match(text)
        prefix = f"i_{block}." if block in self._processes and block != self._top else ""
        found = self.of_name(prefix + declared[1]) if declared else Place(block, "", "", "", "", None, False)
        return found._replace(line=comment[1]) if comment else found

    def of_net(self, net: netlist.Net, block: str = "") -> Place | None:
        """The best place of a net; `block` where it has no name of its own."""
        best = None
        for name, *_ in net.names:
            place = self.of_name(name)
            rank = (bool(place.line), place.is_first, place.block in self._processes, place.block != "", -len(name))
            if best is None or rank > best[0]:
                best = (rank, place)
        if best is not None:
            return best[1]
        cell = net.driver[0] if net.driver else None
        for text in (cell.name, cell.source) if cell else ():
            found = self.of_line(text, block)
            if found is not None and found.name:
                return found
        return None
