# SPDX-License-Identifier: Apache-2.0
"""Delays, setup and hold times of placed cells at both corners, for sign_off.py; every number is from the SDF files of the database.

A path leaves a cell at its output pin and enters one at its input pin. The ways within a slice (multiplexers of data, clock, enable and
reset, ROUTING_BEL in the files) belong to the cell. The files have checks of the slow corner only (sdf.py), so hold times of the fast
corner are
assumed: FAST_SHARE of those of the slow one, of DSPs all. A negative one counts as 0 there.
"""
import functools
import re
import typing

from hw.fpga.flow import Error, sdf
from hw.fpga.flow.cell_delays import Parameters, Pin

# A delay from a clock to an output takes at most this share of its slow time at the fast corner, with a margin of a quarter. Measured are
# 0.47 in slices, 0.45 in block RAMs, 0.39 in the processing system (tests/fpga/path_sums.py checks it), but up to 0.91 in DSPs. A hold time
# is a difference of such delays, and need not shrink as they do: this is an assumption. Vivado reports 0.06 to 0.12 ns at the fast and 0.16
# to 0.24 ns at the slow corner for a flip-flop of this family.
FAST_SHARE = 0.6


class UntimedPinError(Error):
    """A connected pin has neither a path nor a setup and a hold time."""


class Check(typing.NamedTuple):
    """When an input must be stable, relative to the clock pin of the cell: `setup_ns` before the edge at the slow corner, `hold_*_ns` after it."""

    clock: str
    setup_ns: float
    hold_fast_ns: float
    hold_slow_ns: float


class Launch(typing.NamedTuple):
    clock: str
    times: sdf.Times


class CellTimes(typing.NamedTuple):
    """By pin (port, bit). `through`: (input, output) -> Times; `unread`: inputs that lead to outputs without a net only."""

    launches: dict[Pin, Launch]
    checks: dict[Pin, Check]
    through: dict[tuple[Pin, Pin], sdf.Times]
    unread: frozenset[Pin] = frozenset()


class Place(typing.NamedTuple):
    """`site`: SLICEL, SLICEM, or the type of another site. `bel`: such as AFF."""

    site: str
    bel: str


class Pins(typing.NamedTuple):
    """The connected pins of a cell. `inputs`: pin (port, bit) -> (its names after packing, where its net comes from within the slice:
    names in the SDF files such as a6lut; empty: from outside). `outputs`: pin -> its names after packing."""

    inputs: dict[Pin, tuple[list[str], frozenset[str]]]
    outputs: dict[Pin, list[str]]


def _check(clock: str, setup: float, hold: float, data: sdf.Times = sdf.NO_TIME, clock_way: sdf.Times = sdf.NO_TIME,
           fast_share: float = FAST_SHARE) -> Check:
    return Check(clock, setup + data.slow_max - clock_way.slow_min, fast_share * max(hold, 0.0) + clock_way.fast_max - data.fast_min,
                 hold + clock_way.slow_max - data.slow_min)


class _Slice:
    """The cells of one slice."""

    def __init__(self, timings: sdf.Timings, place: Place) -> None:
        self.file = timings.file(place.site.lower())
        self.site, self.bel = place

    def way(self, bel: str, sources: typing.Collection[str]) -> sdf.Times:
        """The range of the ways from any of `sources` to a bel. Errors: SdfError if there is none."""
        delays = self.file.delays("ROUTING_BEL", f"{self.site}/{bel}")
        found = [times for (source, _), times in delays.items() if source in sources]
        if not found:
            raise sdf.SdfError(f"no way to {self.site}/{bel} from {' or '.join(sorted(sources))}")
        return sdf.hull(found)

    def clock_way(self, bel: str) -> sdf.Times:
        return self.way(bel, {"clk"})

    def flip_flop(self, pins: Pins) -> CellTimes:
        kind = "FF_INIT" if self.bel[1] == "5" else "REG_INIT_FF"
        clock = self.clock_way(self.bel)
        checks = {}
        for (port, bit), (_, sources) in pins.inputs.items():
            if port in ("C", "CK"):
                continue
            if port == "D":
                setup, hold = (self.file.check(kind, self.site, check, "DIN")[0] for check in ("SETUP", "HOLD"))
                way = self.way(self.bel, sources or {f"{self.bel[0].lower()}x"})
            elif port == "CE":
                setup, hold = (self.file.check(kind, self.site, check, "CE")[0] for check in ("SETUP", "HOLD"))
                way = self.way(self.bel, {"ce"})
            else:  # reset or set, to 0 or to 1
                setup, hold = (max(self.file.check(f"{kind}_{to}", self.site, check, "SR")[0] for to in ("QH", "QL"))
                               for check in ("RECOVERY", "REMOVAL"))
                way = self.way(self.bel, {"sr"})
            checks[port, bit] = _check("C", setup, hold, way, clock)
        to_q = clock.after(self.file.delay(kind, self.site, "CLK", "Q"))
        return CellTimes({pin: Launch("C", to_q) for pin in pins.outputs}, checks, {})

    def _lut_way(self, memory: bool) -> sdf.Times:
        """From any input to the output."""
        number = self.bel[1]
        kind = f"LUT_OR_MEM{number}LRAM" if memory or self.site == "SLICEM" else f"LUT{number}"
        letters = self.bel[0] if number == "6" or self.site == "SLICEL" else "ABCD"
        found = [times for letter in letters for (source, to), times in self.file.delays(kind, f"{self.site}/{letter}{self.bel[1:]}").items()
                 if source != "CLK" and to == f"O{number}"]
        return sdf.hull(found)

    def lut(self, pins: Pins) -> CellTimes:
        way = self._lut_way(False)
        unread = frozenset() if pins.outputs else frozenset(pins.inputs)
        return CellTimes({}, {}, {(source, to): way for source in pins.inputs for to in pins.outputs}, unread)

    def memory(self, pins: Pins) -> CellTimes:
        kind, place = f"LUT_OR_MEM{self.bel[1]}LRAM", f"{self.site}/{self.bel}"
        clock = self.clock_way("CLKINV")
        checks, through = {}, {}
        for (port, bit), (names, _) in pins.inputs.items():
            if port == "CLK":
                continue
            if port.startswith("RADR"):
                through.update({((port, bit), to): self._lut_way(True) for to in pins.outputs})
                continue
            is_data = port == "I"
            where = place if is_data else self.site
            way = self._data_way() if is_data else sdf.NO_TIME
            found = [[self.file.check(kind, where, check, name)[0] for check in ("SETUP", "HOLD")] for name in names]
            checks[port, bit] = _check("CLK", max(setup for setup, _ in found), max(hold for _, hold in found), way, clock)
        to_o = clock.after(self.file.delay(kind, place, "CLK", f"O{self.bel[1]}"))
        unread = frozenset(pin for pin in pins.inputs if pin[0].startswith("RADR")) if not pins.outputs else frozenset()
        return CellTimes({pin: Launch("CLK", to_o) for pin in pins.outputs}, checks, through, unread)

    def _data_way(self) -> sdf.Times:
        return sdf.hull(self.file.delays("ROUTING_BEL", f"{self.site}/{self.bel}").values()) if self.file.has(
            "ROUTING_BEL", f"{self.site}/{self.bel}") else sdf.NO_TIME

    def multiplexer(self, pins: Pins) -> CellTimes:
        delays = self.file.delays("SELMUX2_1", f"{self.site}/{self.bel}")
        ways = {}
        for (port, bit), (_, sources) in pins.inputs.items():
            way = delays[{"I0": "0", "I1": "1", "S": "S0"}[port], "OUT"]
            if sources and self.bel.startswith("F7"):
                way = way.after(self.way(self.bel, sources))
            ways.update({((port, bit), to): way for to in pins.outputs})
        return CellTimes({}, {}, ways)

    def carry(self, pins: Pins) -> CellTimes:
        through, unread = {}, set()
        for (port, bit), (_, sources) in pins.inputs.items():
            source, kind, before = {"CI": "CIN", "CYINIT": "CYINIT"}.get(port, f"{port}{bit}"), "CARRY4", sdf.NO_TIME
            if port == "DI":
                kind = "CARRY4_O5" if sources else f"CARRY4_{'ABCD'[bit]}X"
            if sources and port in ("S", "DI"):
                before = self.way("CARRY4", sources)
            delays = self.file.delays(kind, self.site)
            for to in pins.outputs:
                way = delays.get((source, f"{to[0]}{to[1]}"))
                if way is not None:
                    through[(port, bit), to] = way.after(before)
            if any(start == source for start, _ in delays) and not any(start == (port, bit) for start, _ in through):
                unread.add((port, bit))
        return CellTimes({}, {}, through, frozenset(unread))


def exit_way(timings: sdf.Timings, place: Place, exit: str, sources: typing.Collection[str]) -> sdf.Times:
    """From an output within a slice to the outside: through a multiplexer such as AMUX, or at once if `exit` is empty."""
    return _Slice(timings, place).way(exit, sources) if exit else sdf.NO_TIME


RAM_PINS = {"ADDRARDADDR": "ADDRAU", "ADDRBWRADDR": "ADDRBU", "WEA": "WEAU", "WEBWE": "WEBU", "ENARDEN": "ENARDENU", "ENBWREN": "ENBWRENU",
            "RSTRAMARSTRAM": "RSTRAMAU", "RSTRAMB": "RSTRAMBU", "REGCEAREGCE": "REGCEAL", "REGCEB": "REGCEBU",
            "RSTREGARSTREG": "RSTREGAU", "RSTREGB": "RSTREGBU"}
RAM_ENTRIES = ("RAMBFIFO36E1", "RAMBFIFO36E1_ISFIFO_FALSE", "RAMBFIFO36E1_DOA_REG_U_1", "RAMBFIFO36E1_DOB_REG_U_1")
RAM_CLOCKS = ("CLKARDCLK", "CLKBWRCLK")
RAM_MODES = {"WRITE_FIRST": "WF", "READ_FIRST": "RF", "NO_CHANGE": "NC"}
RAM_DATA = {"DIADI": "A", "DIPADIP": "A", "DIBDI": "B", "DIPBDIP": "B"}
RAM_OUTPUTS = {"DOADO": "A", "DOPADOP": "A", "DOBDO": "B", "DOPBDOP": "B"}


def _clock_of_ram(name: str) -> str:
    return "CLKARDCLK" if name.startswith("CLKARDCLK") else "CLKBWRCLK"


def _block_ram(timings: sdf.Timings, parameters: Parameters, pins: Pins) -> CellTimes:
    file, site = timings.file("BRAM_L"), "RAMBFIFO36E1"
    mode = "SDP" if parameters.get("RAM_MODE") == "SDP" else "TDP"

    def check_of(port: str) -> Check | None:
        if port in RAM_DATA:
            write = RAM_MODES[parameters.get(f"WRITE_MODE_{'B' if mode == 'SDP' else RAM_DATA[port]}", "WRITE_FIRST")]
            kinds: tuple[str, ...] = (f"RAMBFIFO36E1RAM_MODE_RAMB18{mode}_U_WRITE_MODE_U_{write}_EN_ECC_READ_FALSE_EN_ECC_WRITE_FALSE",)
            name = f"{port}U"
        else:
            kinds, name = RAM_ENTRIES, RAM_PINS.get(port, "")
        for kind in kinds:
            if ("SETUP", name) in file.checks(kind, site) and ("HOLD", name) in file.checks(kind, site):
                (setup, clock), (hold, _) = (file.check(kind, site, check, name) for check in ("SETUP", "HOLD"))
                return _check(_clock_of_ram(clock), setup, hold)
        return None

    launches: dict[Pin, Launch] = {}
    for pin in pins.outputs:
        side = RAM_OUTPUTS.get(pin[0])
        if side is None:
            continue  # an output without a time is refused by name
        registered = int(parameters.get(f"DO{'A' if mode == 'SDP' else side}_REG", 0))
        delays = file.delays(f"RAMBFIFO36E1RAM_MODE_U_RAMB18{mode}_U_DO{side}_REG_U_{registered}_EN_ECC_READ_FALSE", site)
        for (clock, to), times in delays.items():
            if to == f"{pin[0]}U":
                launches.setdefault(pin, Launch(_clock_of_ram(clock), times))
    found = {pin: check_of(pin[0]) for pin in pins.inputs if pin[0] not in RAM_CLOCKS}
    return CellTimes(launches, {pin: check for pin, check in found.items() if check}, {})


DSP_CONDITION = re.compile(r"_?(ACASCREG|BCASCREG|ADREG|AREG|BREG|CREG|DREG|MREG|PREG|INMODEREG|OPMODEREG|ALUMODEREG|CARRYINREG|CARRYINSELREG|"
                           r"A_INPUT|B_INPUT|USE_DPORT|USE_MULT|USE_PATTERN_DETECT)_(NO_PATDET|PATDET|[A-Z]+|\d)")
DSP_DEFAULTS = {"A_INPUT": "DIRECT", "B_INPUT": "DIRECT", "USE_DPORT": "FALSE", "USE_MULT": "MULTIPLY", "USE_PATTERN_DETECT": "NO_PATDET"}
PRE_ADDER = ("ADREG", "DREG")  # registers that are used with USE_DPORT only


@functools.cache
def _dsp_conditions(kind: str) -> list[tuple[str, str]]:
    return DSP_CONDITION.findall(kind.removeprefix("DSP48E1"))


def _dsp_entries(file: sdf.File, parameters: Parameters) -> typing.Iterator[tuple[str, str]]:
    """The entries whose conditions a DSP48E1 meets."""
    def value(name: str) -> str:
        return str(parameters.get(name, DSP_DEFAULTS.get(name, 1)))

    has_pre_adder = value("USE_DPORT") == "TRUE"
    for kind, site in file.names():
        conditions = _dsp_conditions(kind)
        if all(value(name) == wanted and (has_pre_adder or wanted != "1" or name not in PRE_ADDER) for name, wanted in conditions):
            yield kind, site


def _dsp(timings: sdf.Timings, parameters: Parameters, pins: Pins) -> CellTimes:
    file = timings.file("DSP_L")
    delays: dict[tuple[str, str], sdf.Times] = {}
    checks: dict[tuple[str, str], float] = {}
    for entry in _dsp_entries(file, parameters):
        for way, times in file.delays(*entry).items():
            delays[way] = sdf.hull([times, delays.get(way, times)])
        for key, (ns, _) in file.checks(*entry).items():
            checks[key] = max(ns, checks.get(key, ns))
    found = CellTimes({}, {}, {})
    for to in pins.outputs:
        if ("CLK", to[0]) in delays:
            found.launches[to] = Launch("CLK", delays["CLK", to[0]])
    for pin in pins.inputs:
        if ("SETUP", pin[0]) in checks and ("HOLD", pin[0]) in checks:
            found.checks[pin] = _check("CLK", checks["SETUP", pin[0]], checks["HOLD", pin[0]], fast_share=1)
        found.through.update({(pin, to): delays[pin[0], to[0]] for to in pins.outputs if (pin[0], to[0]) in delays and pin[0] != "CLK"})
    return found


def _ps7(timings: sdf.Timings, pins: Pins) -> CellTimes:
    file = timings.file("PSS2")
    delays, checks = file.delays("PS7", "PS7"), file.checks("PS7", "PS7")
    clock_of = {to: source for source, to in delays}
    found = CellTimes({}, {}, {})
    for pin in pins.outputs:
        if pin[0] in clock_of:
            found.launches[pin] = Launch(clock_of[pin[0]], delays[clock_of[pin[0]], pin[0]])
    for pin in pins.inputs:
        if ("SETUP", pin[0]) in checks and ("HOLD", pin[0]) in checks:
            (setup, clock), (hold, _) = checks["SETUP", pin[0]], checks["HOLD", pin[0]]
            found.checks[pin] = _check(clock, setup, hold)
    return found


def _global_buffer(timings: sdf.Timings, pins: Pins) -> CellTimes:
    way = timings.file("CLK_BUFG_TOP_R").delay("BUFGCTRL", "BUFGCTRL", "I", "O")
    return CellTimes({}, {}, {(pin, to): way for pin in pins.inputs if pin[0] in ("I0", "I1") for to in pins.outputs})


LUT = re.compile(r"LUT[1-6]|INV|BUF")
SLICE_CELLS = {"CARRY4": _Slice.carry, **dict.fromkeys(("FDRE", "FDSE", "FDCE", "FDPE"), _Slice.flip_flop),
               **dict.fromkeys(("RAMD32", "RAMD64E", "RAMS32", "RAMS64E"), _Slice.memory), **dict.fromkeys(("MUXF7", "MUXF8"), _Slice.multiplexer)}
# Pins that need no time: they select the buffer's clock, and never change.
STATIC = {"BUFGCTRL": ("CE0", "CE1", "S0", "S1", "IGNORE0", "IGNORE1")}
# Cells whose outputs never change if no input does.
COMBINATIONAL = re.compile(r"LUT[1-6]|INV|BUF|CARRY4|MUXF[78]")
# Asynchronous inputs of the processing system: an interrupt, which its controller synchronizes, and resets, which two flip-flops of the top synchronize.
ASYNCHRONOUS = {"PS7": ("IRQF2P", "FCLKRESETN")}


def is_clock(cell_type: str, port: str) -> bool:
    if cell_type == "PS7":
        return port.endswith("ACLK") or port.startswith("FCLKCLK")
    if cell_type in ("RAMB18E1", "RAMB36E1"):
        return port in RAM_CLOCKS
    return port == ("C" if cell_type.startswith("FD") else "CLK")


def of_cell(timings: sdf.Timings, cell_type: str, parameters: Parameters, place: Place, pins: Pins) -> CellTimes:
    """The CellTimes of a placed cell. Errors: SdfError for a cell that the database does not have, UntimedPinError for a pin."""
    if cell_type in ("RAMB18E1", "RAMB36E1"):
        found = _block_ram(timings, parameters, pins)
    elif cell_type == "DSP48E1":
        found = _dsp(timings, parameters, pins)
    elif cell_type == "PS7":
        found = _ps7(timings, pins)
    elif cell_type == "BUFGCTRL":
        found = _global_buffer(timings, pins)
    elif LUT.fullmatch(cell_type):
        found = _Slice(timings, place).lut(pins)
    elif cell_type in SLICE_CELLS:
        found = SLICE_CELLS[cell_type](_Slice(timings, place), pins)
    else:
        raise sdf.SdfError(f"no times of cells of type {cell_type}")
    _refuse_untimed(cell_type, pins, found)
    return found


def _refuse_untimed(cell_type: str, pins: Pins, found: CellTimes) -> None:
    starts = {source for source, _ in found.through}
    ends = {to for _, to in found.through}
    free = (*STATIC.get(cell_type, ()), *ASYNCHRONOUS.get(cell_type, ()))
    missing = [pin for pin in pins.inputs if pin not in found.checks and pin not in starts and pin not in found.unread] + [
        pin for pin in pins.outputs if pin not in found.launches and pin not in ends]
    for port, bit in missing:
        is_constant = COMBINATIONAL.fullmatch(cell_type) and (port, bit) in pins.outputs  # no input has a path to it
        if port not in free and not is_constant and not is_clock(cell_type, port):
            raise UntimedPinError(f"pin {port}[{bit}] of a {cell_type} has neither a path nor a setup and a hold time")
