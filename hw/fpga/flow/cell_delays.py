# SPDX-License-Identifier: Apache-2.0
"""Delays of 7-series cells in ns: speed grade -1, slow corner, largest bit of a bus.

Source: the timing files of Project X-Ray's database (zynq7/timings: slicel, slicem, BRAM_L, DSP_L, PSS2), which agree
with the data sheet DS187; test_delays_equal_the_database() compares the two. Clock pins: a slice's clock inverter
(CLOCK_NS) is part of the clock-to-output times and is taken off the setup times.
So an ideal clock at the slice's pin is the reference, as in Vivado's reports.
"""
import typing

from hw.fpga.flow import Error

Pin = tuple[str, int]  # port and bit
Parameters = dict[str, typing.Any]
PinTimes = dict[typing.Any, float]  # port, or Pin -> ns
WayTimes = dict[tuple[typing.Any, typing.Any], float]  # from and to, as above -> ns

CLOCK_NS = 0.116  # from a slice's clock pin to its registers


class Arcs(typing.NamedTuple):
    """Timing of one cell type. Pins are port names, or (port, bit) where bits of a port differ."""

    launches: PinTimes = {}  # output pin -> ns from the clock edge
    setups: PinTimes = {}  # input pin -> ns before the clock edge
    through: WayTimes = {}  # (input pin, output pin) -> ns


LUT_NS = 0.124
FF_TO_Q_NS = 0.340 + CLOCK_NS
FF_D_NS = -0.045 + 0.109 - CLOCK_NS  # by way of the slice's own LUT
BYPASS_NS = 0.213 - 0.109  # D by way of the slice's bypass pin takes longer
FF_CE_NS = 0.109 + 0.189 - CLOCK_NS
FF_R_NS = 0.404 + 0.094 - CLOCK_NS
LUT_RAM_TO_O_NS = 1.163 + CLOCK_NS
LUT_RAM_SETUPS_NS = {"WE": 0.654 - CLOCK_NS, "D": 0.461 - CLOCK_NS, "ADDR": 0.362 - CLOCK_NS}
SRL_TO_Q_NS = 1.472 + CLOCK_NS
SRL_SETUPS_NS = {"CE": 0.638 - CLOCK_NS, "D": 0.178 - CLOCK_NS}
MUXF_NS = {"MUXF7": {"I0": 0.217, "I1": 0.223, "S": 0.296}, "MUXF8": {"I0": 0.104, "I1": 0.094, "S": 0.273}}

# CARRY4: input -> delays to CO[0..3] and O[0..3]; None: no path. S includes the way from the slice's LUT (0.024), DI the
# way from the bypass pin.
CARRY4_NS: dict[Pin, list[tuple[float | None, ...]]] = {
    ("CI", 0): [(0.271, 0.157, 0.228, 0.114), (0.222, 0.334, 0.239, 0.313)],
    ("CYINIT", 0): [(0.536, 0.494, 0.592, 0.580), (0.482, 0.598, 0.584, 0.642)],
    ("S", 0): [(0.364, 0.457, 0.536, 0.532), (0.247, 0.424, 0.547, 0.606)],
    ("S", 1): [(None, 0.493, 0.572, 0.552), (None, 0.229, 0.582, 0.642)],
    ("S", 2): [(None, None, 0.316, 0.400), (None, None, 0.250, 0.354)],
    ("S", 3): [(None, None, None, 0.404), (None, None, None, 0.251)],
    ("DI", 0): [(0.379, 0.465, 0.540, 0.526), (None, 0.407, 0.556, 0.615)],
    ("DI", 1): [(None, 0.445, 0.520, 0.507), (None, None, 0.537, 0.596)],
    ("DI", 2): [(None, None, 0.356, 0.398), (None, None, None, 0.438)],
    ("DI", 3): [(None, None, None, 0.385), (None, None, None, None)],
}

RAMB_TO_DO_NS = {0: 2.454, 1: 0.882}  # by the value of DO?_REG
RAMB_DI_NS = {"READ_FIRST": 0.241, "WRITE_FIRST": 0.737, "NO_CHANGE": 0.737}
RAMB_SETUPS_NS = {"ADDRARDADDR": 0.566, "ADDRBWRADDR": 0.566, "ENARDEN": 0.443, "ENBWREN": 0.466, "WEA": 0.532, "WEBWE": 0.532,
                  "REGCEAREGCE": 0.360, "REGCEB": 0.360, "RSTRAMARSTRAM": 0.359, "RSTRAMB": 0.359,
                  "RSTREGARSTREG": 0.342, "RSTREGB": 0.342}

# PS7: the slowest pin of the AXI ports that the board's top uses (SAXIHP0 to 3, MAXIGP0).
PS7_TO_PORT_NS = 1.507
PS7_PORT_NS = 1.038


def of_pin(table: PinTimes, pin: Pin) -> float | None:
    """The entry of launches or setups for (port, bit), or None."""
    return table.get(pin[0], table.get(pin))


def of_way(through: WayTimes, source: Pin, to: Pin) -> float | None:
    """The delay from an input to an output, both (port, bit); None: no path."""
    return through.get((source, to), through.get((source[0], to[0])))


def _lut() -> Arcs:
    return Arcs(through={(f"I{i}", "O"): LUT_NS for i in range(6)})


def _flip_flop() -> Arcs:
    return Arcs({"Q": FF_TO_Q_NS}, {"D": FF_D_NS, "CE": FF_CE_NS, **dict.fromkeys(("R", "S", "CLR", "PRE"), FF_R_NS)})


def _carry4() -> Arcs:
    through = {}
    for source, (carries, sums) in CARRY4_NS.items():
        for port, delays in [("CO", carries), ("O", sums)]:
            through.update({(source, (port, bit)): ns for bit, ns in enumerate(delays) if ns is not None})
    return Arcs(through=through)


def _lut_ram(outputs: dict[str, list[str]]) -> Arcs:
    """`outputs`: port -> the ports with the address of its word."""
    setups = {"WE": LUT_RAM_SETUPS_NS["WE"]}
    for port in ["D", "DI", "DIA", "DIB", "DIC", "DID", "DIE", "DIF", "DIG", "DIH"]:
        setups[port] = LUT_RAM_SETUPS_NS["D"]
    for port in ["A", "ADDRD", "ADDRH", *(f"A{i}" for i in range(8))]:  # the write address
        setups[port] = LUT_RAM_SETUPS_NS["ADDR"]
    through = {(address, output): LUT_NS for output, addresses in outputs.items() for address in addresses}
    return Arcs(dict.fromkeys(outputs, LUT_RAM_TO_O_NS), setups, through)


def _placed_lut_ram() -> Arcs:
    """One LUT of a RAM as nextpnr places it, with an address each to read and to write."""
    setups = {"WE": LUT_RAM_SETUPS_NS["WE"], "I": LUT_RAM_SETUPS_NS["D"], **{f"WADR{i}": LUT_RAM_SETUPS_NS["ADDR"] for i in range(8)}}
    return Arcs({"O": LUT_RAM_TO_O_NS}, setups, {(f"RADR{i}", "O"): LUT_NS for i in range(6)})


def _shift_register() -> Arcs:
    through = {(address, "Q"): LUT_NS for address in ["A", "A0", "A1", "A2", "A3"]}
    return Arcs({"Q": SRL_TO_Q_NS, "Q31": SRL_TO_Q_NS}, dict(SRL_SETUPS_NS), through)


def _block_ram(parameters: Parameters) -> Arcs:
    """In SDP mode both halves of the data belong to one port; the worse of the two settings is used."""
    sdp = parameters.get("RAM_MODE") == "SDP"
    registers = {"A": int(parameters.get("DOA_REG", 0)), "B": int(parameters.get("DOB_REG", 0))}
    if sdp:
        registers["B"] = registers["A"]
    to_do = {side: RAMB_TO_DO_NS[registered] for side, registered in registers.items()}
    launches = {"DOADO": to_do["A"], "DOPADOP": to_do["A"], "DOBDO": to_do["B"], "DOPBDOP": to_do["B"]}
    modes = {side: parameters.get(f"WRITE_MODE_{side}", "WRITE_FIRST") for side in "AB"}
    if sdp:
        modes["A"] = modes["B"]
    data = {"DIADI": "A", "DIPADIP": "A", "DIBDI": "B", "DIPBDIP": "B"}
    return Arcs(launches, RAMB_SETUPS_NS | {port: RAMB_DI_NS[modes[side]] for port, side in data.items()})


class DspInput(typing.NamedTuple):
    """Times of a data input of a DSP48E1 to each place where a register may stop it: its own register, the pre-adder's, the multiplier's
    and the output's. Also from its own register to the output."""

    own: float
    pre_adder: typing.Optional[float]
    multiplier: typing.Optional[float]
    output: float
    to_p: float
    register_to_p: float


# (port, uses the multiplier, uses the pre-adder)
DSP_INPUTS_NS = {
    ("A", True, True): DspInput(0.362, 1.756, 3.288, 5.081, 5.201, 5.368),
    ("A", True, False): DspInput(0.362, None, 1.928, 3.722, 3.841, 4.009),
    ("A", False, False): DspInput(0.362, None, None, 1.958, 2.077, 2.215),
    ("B", True, False): DspInput(0.450, None, 1.743, 3.536, 3.656, 3.813),
    ("B", False, False): DspInput(0.450, None, None, 1.938, 2.057, 2.191),
    ("D", True, True): DspInput(0.413, 1.626, 3.158, 4.951, 5.070, 5.320),
    ("C", False, False): DspInput(0.233, None, None, 1.701, 1.820, 2.291),
    ("PCIN", False, False): DspInput(0.0, None, None, 1.400, 1.518, 0.0),
    ("CARRYIN", False, False): DspInput(0.299, None, None, 1.298, 1.416, 1.764),
    ("OPMODE", False, False): DspInput(0.449, None, None, 2.209, 2.326, 2.231),
    ("ALUMODE", False, False): DspInput(0.246, None, None, 1.978, 2.098, 2.054),
}
DSP_OWN_REGISTER = {"PCIN": None, "CARRYIN": "CARRYINREG"}
DSP_ADREG_TO_P_NS = 3.684
DSP_MREG_TO_P_NS = 2.305
DSP_PREG_TO_P_NS = 0.434
DSP_PCOUT_NS = 0.195  # PCOUT after P
DSP_CONTROL_NS = {"CEA1": 0.497, "CEA2": 0.497, "CEB1": 0.514, "CEB2": 0.514, "CEC": 0.414, "CED": 0.513, "CEAD": 0.426,
                  "CEM": 0.266, "CEP": 0.524, "CECTRL": 0.421, "CEALUMODE": 0.411, "CEINMODE": 0.603, "CECARRYIN": 0.665,
                  "RSTA": 0.507, "RSTB": 0.543, "RSTC": 0.084, "RSTD": 0.589, "RSTM": 0.270, "RSTP": 0.347,
                  "RSTCTRL": 0.469, "RSTALUMODE": 0.411, "RSTINMODE": 0.686, "RSTALLCARRYIN": 0.287}


def _dsp_input(port: str, times: DspInput, uses_multiplier: bool, parameters: Parameters, arcs: Arcs) -> float:
    """Where the data of one port stop first, and what starts there."""
    registered = {name: int(parameters.get(name, 1)) > 0 for name in ("ADREG", "MREG", "PREG")}
    own = DSP_OWN_REGISTER.get(port, f"{port}REG")
    stops = [("own", own is not None and int(parameters.get(own, 1)) > 0),
             ("pre_adder", times.pre_adder is not None and registered["ADREG"]),
             ("multiplier", uses_multiplier and registered["MREG"]), ("output", registered["PREG"])]
    first = next((stop for stop, is_stopped in stops if is_stopped), None)
    if first is not None:
        arcs.setups[port] = getattr(times, first)
    else:
        arcs.through[port, "P"] = times.to_p
    return times.register_to_p if first == "own" and not any(is_stopped for _, is_stopped in stops[1:]) else 0.0


def _dsp48e1(parameters: Parameters, ports: dict[str, bool]) -> Arcs:
    """Inputs that are constant are not in `ports` and start no path."""
    arcs = Arcs({}, dict(DSP_CONTROL_NS), {})
    has_multiplier = parameters.get("USE_MULT", "MULTIPLY") != "NONE"
    has_pre_adder = parameters.get("USE_DPORT", "FALSE") == "TRUE"
    to_p = [0.0]
    for port in ["A", "B", "C", "D", "PCIN", "CARRYIN", "OPMODE", "ALUMODE"]:
        uses_multiplier = has_multiplier and port in "ABD"
        times = DSP_INPUTS_NS.get((port, uses_multiplier, has_pre_adder and port in "AD"))
        if times is not None and port in ports:
            to_p.append(_dsp_input(port, times, uses_multiplier, parameters, arcs))
    if int(parameters.get("PREG", 1)):
        to_p = [DSP_PREG_TO_P_NS]
    elif has_multiplier and int(parameters.get("MREG", 1)):
        to_p.append(DSP_MREG_TO_P_NS)
    elif has_pre_adder and int(parameters.get("ADREG", 1)):
        to_p.append(DSP_ADREG_TO_P_NS)
    if max(to_p):
        arcs.launches["P"] = max(to_p)
    arcs.launches.update({"PCOUT": ns + DSP_PCOUT_NS for ns in arcs.launches.values()})
    arcs.through.update({(pin, "PCOUT"): ns + DSP_PCOUT_NS for (pin, _), ns in arcs.through.items()})
    return arcs


QUAD = {"DOA": ["ADDRA"], "DOB": ["ADDRB"], "DOC": ["ADDRC"], "DOD": ["ADDRD"]}
FIXED = {
    **{f"LUT{i}": _lut() for i in range(1, 7)}, "LUT6_2": Arcs(through={
        (f"I{i}", output): ns for i in range(6) for output, ns in [("O5", 0.152), ("O6", LUT_NS)]}),
    "INV": Arcs(through={("I", "O"): LUT_NS}), "BUF": Arcs(through={("I", "O"): 0.0}),
    **{name: Arcs(through={("I", "O"): 0.0}) for name in ("BUFG", "IBUF", "OBUF")}, "BUFGCTRL": Arcs(),
    **{name: _flip_flop() for name in ("FDRE", "FDSE", "FDCE", "FDPE")},
    **{name: Arcs(through={(pin, "O"): ns for pin, ns in pins.items()}) for name, pins in MUXF_NS.items()},
    "CARRY4": _carry4(), "RAM32M": _lut_ram(QUAD), "RAM64M": _lut_ram(QUAD),
    **{f"RAM{words}X1D": _lut_ram({"SPO": ["A", *(f"A{i}" for i in range(6))],
                                   "DPO": ["DPRA", *(f"DPRA{i}" for i in range(6))]}) for words in (32, 64, 128)},
    "RAMD32": _placed_lut_ram(), "RAMD64E": _placed_lut_ram(),
    "SRL16E": _shift_register(), "SRLC32E": _shift_register(), "VCC": Arcs(), "GND": Arcs(),
}
BLOCK_RAMS = {"RAMB18E1", "RAMB36E1"}


class UnknownCellError(Error):
    """A cell type without delays."""


def _ps7(ports: dict[str, bool]) -> Arcs:
    """`ports`: port -> whether it is an output. The clocks that PS7 makes are ideal."""
    return Arcs({port: PS7_TO_PORT_NS for port, is_output in ports.items() if is_output and not port.startswith("FCLK")},
                {port: PS7_PORT_NS for port, is_output in ports.items() if not is_output and not port.endswith("CLK")})


def arcs_of(cell_type: str, parameters: Parameters, ports: dict[str, bool]) -> Arcs:
    """The arcs of a cell. `parameters`: name -> integer or text; `ports`: port -> whether it is an output. Errors:
    UnknownCellError."""
    if cell_type in FIXED:
        return FIXED[cell_type]
    if cell_type == "DSP48E1":
        return _dsp48e1(parameters, ports)
    if cell_type in BLOCK_RAMS:
        return _block_ram(parameters)
    if cell_type == "PS7":
        return _ps7(ports)
    raise UnknownCellError(f"no delays for cells of type {cell_type}")
