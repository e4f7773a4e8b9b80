# SPDX-License-Identifier: Apache-2.0
"""The bitstreams that ship with the project, in hw/fpga/bitstreams: NAME.bit.gz, and its manifest NAME.json, which has what makes the same
file again and what the sign-off has found. vta-flash reads both (driver/flash/shipped_bitstreams.h)."""
import hashlib
import json
import os
import pathlib
import struct
import typing
import zlib

from hw.fpga.flow import Error, bit_file, configurations, database, open_flow, synthesis, tools
from hw.fpga.flow.netlist import Json

FOLDER = tools.ROOT / "hw/fpga/bitstreams"
MAX_BYTES = 2_000_000  # of a compressed bitstream
PLL_HZ = 1_000_000_000  # the processing system's IO PLL, from which FCLK0 is divided
CONSERVATIVE_HZ = 50_000_000
SILICON = "it has not run on silicon"
PROVENANCE = "made by build_bitstream --ship from this commit, without other changes"
FIGURES = ("routed_mhz", "worst_setup_ns", "worst_hold_ns", "hold_violations", "unchecked_endpoints")
NETLIST = ("cells", "added", "bits")
GZIP_HEADER = bytes.fromhex("1f8b08000000000002ff")  # without a name and a time
WRITTEN = ("hw/fpga/bitstreams", "hw/fpga/boards/timing")  # by --ship and --write: the only changes that a build may find


class ShippingError(Error):
    """A bitstream that must not ship."""


class Source(typing.NamedTuple):
    """What a build starts from. `epoch`: seconds, in the header of the .bit file."""

    commit: str
    epoch: int


class Files(typing.NamedTuple):
    manifest: Json
    packed: bytes


def name_of(core: str, clock_hz: int) -> str:
    """The name of a bitstream and its files: "tiny_1x8@50"."""
    return f"{core}@{clock_hz / 1e6:.4g}"


def clock_class(clock_hz: int) -> str:
    return "conservative" if clock_hz <= CONSERVATIVE_HZ else "margins"


def fastest_clock_hz(routed_mhz: float) -> int:
    """The fastest clock of the PLL that is not above the routed one."""
    divisor = 1
    while PLL_HZ / divisor > routed_mhz * 1e6:
        divisor += 1
    return PLL_HZ // divisor


def pack(data: bytes) -> bytes:
    """A gzip file. The same data give the same bytes with the same version of zlib."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return GZIP_HEADER + deflate.compress(data) + deflate.flush() + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def boards_of(part: str) -> list[str]:
    """The boards of configs/boards with this FPGA in any package, because the design has no pins (driver/flash/bitstream.h)."""
    names = sorted(path.stem for path in (tools.ROOT / "configs/boards").glob("*.json"))
    return [name for name in names if database.device_of(configurations.load("boards", name)["part"]) == database.device_of(part)]


def source() -> Source:
    """The commit of a build. Errors: ShippingError if files differ from it, because the bitstream could not be made again."""
    excluded = [f":!{path}" for path in WRITTEN]
    changed = tools.output_of("git", ["git", "status", "--porcelain", "--", ".", *excluded], tools.ROOT).splitlines()
    if changed:
        raise ShippingError(f"--ship needs the sources of a commit; {len(changed)} files differ, the first is {changed[0][3:]}: commit them first")
    commit = tools.output_of("git", ["git", "rev-parse", "HEAD"], tools.ROOT).strip()
    return Source(commit, int(open_flow.moment_of_source().timestamp()))


def tool_versions(commit: str) -> dict[str, str]:
    """The versions of all programs that decide the bytes; the project's own are of the commit."""
    return {"yosys": synthesis.yosys_version(), "nextpnr": tools.nextpnr_version(), "prjxray-database": tools.database_version(),
            "vta-hlsc": commit, "vta-place": commit, "vta-route": commit}


def files_of(core: str, part: str, clock_hz: int, summary: Json, made: Source, versions: dict[str, str], bit: bytes) -> Files:
    """The manifest and the compressed file. `summary`: of open_flow.build(), with schedule_ns, placer and verilog_sha256."""
    packed = pack(bit)
    return Files({
        "name": name_of(core, clock_hz), "core": core, "part": part, "boards": boards_of(part), "clock_hz": clock_hz,
        "clock_class": clock_class(clock_hz), "silicon": SILICON,
        "bit_sha256": sha256(bit), "gzip_sha256": sha256(packed),
        "provenance": PROVENANCE, "source_commit": made.commit, "source_date_epoch": made.epoch, "seed": summary["seed"], "placer": summary["placer"],
        "schedule_ns": summary["schedule_ns"], "verilog_sha256": summary["verilog_sha256"], "tools": versions,
        "timing": {key: summary[key] for key in FIGURES}, "netlist": {key: summary[key] for key in NETLIST},
    }, packed)


def _timing_problems(manifest: Json) -> list[str]:
    timing, clock_mhz = manifest["timing"], manifest["clock_hz"] / 1e6
    found = [f"{timing[key]} {what}" for key, what in (("hold_violations", "hold violations"), ("unchecked_endpoints", "endpoints that nothing checks"))
             if timing[key]]
    found += [f"{key} is {timing[key]}" for key in ("worst_setup_ns", "worst_hold_ns") if timing[key] < 0]
    if timing["routed_mhz"] < clock_mhz:
        found.append(f"its clock is {clock_mhz:.4g} MHz, with all margins it is routed at {timing['routed_mhz']} MHz")
    return found


def problems(manifest: Json, bit: bytes, verilog_sha256: str) -> list[str]:
    """Why a bitstream must not ship, a line each. `verilog_sha256`: of today's core."""
    found = _timing_problems(manifest)
    if manifest["verilog_sha256"] != verilog_sha256:
        found.append("it is of other Verilog than today's core")
    title = open_flow.title_of(manifest["core"], manifest["clock_hz"])
    if title.encode() + b"\0" not in bit[:len(bit) - len(bit_file.configuration(bit))]:
        found.append(f"its header does not say {title}")
    if manifest["bit_sha256"] != sha256(bit):
        found.append("it is not the .bit file of its manifest")
    return [f"{manifest['name']}: {problem}" for problem in found]


def row_of(manifest: Json, packed_bytes: int) -> str:
    """The line of a bitstream in the table of hw/fpga/bitstreams/README.md."""
    timing, boards = manifest["timing"], ", ".join(board.title() for board in manifest["boards"])
    hold = f"{timing['worst_hold_ns']:+.3f} ns, {timing['hold_violations']} violations, {timing['unchecked_endpoints']} unchecked endpoints"
    return (f"| `{manifest['name']}` | {boards} | {manifest['clock_hz'] / 1e6:.4g} MHz, {manifest['clock_class']} | {timing['routed_mhz']} MHz | "
            f"{hold} | {packed_bytes:,} bytes |")


def write(files: Files, folder: pathlib.Path = FOLDER) -> list[pathlib.Path]:
    """Writes NAME.bit.gz and NAME.json. Errors: ShippingError for a file that is too large."""
    name = files.manifest["name"]
    if len(files.packed) >= MAX_BYTES:
        raise ShippingError(f"{name}: {len(files.packed)} bytes compressed, {MAX_BYTES} are the limit")
    folder.mkdir(parents=True, exist_ok=True)
    packed, manifest = folder / f"{name}.bit.gz", folder / f"{name}.json"
    written = [(packed, files.packed), (manifest, (json.dumps(files.manifest, indent=2) + "\n").encode())]
    try:
        for file, data in written:
            _part(file).write_bytes(data)
        for file, _ in written:
            os.replace(_part(file), file)
    finally:
        for file, _ in written:
            _part(file).unlink(missing_ok=True)
    return [packed, manifest]


def _part(file: pathlib.Path) -> pathlib.Path:
    return file.with_name(f".{file.name}.part")


def ship(core: str, part: str, clock_hz: int, summary: Json, made: Source, bit: pathlib.Path) -> str:
    """Makes a finished build one that ships; returns its line in the table. `made`: what source() was before the build. Errors: ShippingError if it must not ship."""
    data = bit.read_bytes()
    files = files_of(core, part, clock_hz, summary, made, tool_versions(made.commit), data)
    found = problems(files.manifest, data, synthesis.verilog_sha256(core, summary["schedule_ns"]))
    if source() != made:
        found.append(f"{files.manifest['name']}: the commit has changed during the build")
    if found:
        raise ShippingError("; ".join(found))
    write(files)
    return row_of(files.manifest, len(files.packed))


def manifests(folder: pathlib.Path = FOLDER) -> dict[str, Json]:
    """The manifests by name."""
    return {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}


def bit_of(name: str, folder: pathlib.Path = FOLDER) -> bytes:
    """The .bit file. Errors: zlib.error for a damaged file."""
    return zlib.decompress((folder / f"{name}.bit.gz").read_bytes(), zlib.MAX_WBITS | 16)
