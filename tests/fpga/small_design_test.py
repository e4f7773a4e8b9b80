# SPDX-License-Identifier: Apache-2.0
"""The open flow on a small design: from Verilog to a .bit file that vta-flash takes, twice with the same result."""
import argparse
import pathlib
import subprocess
import sys
import tempfile
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
import open_tools  # noqa: E402
import path_sums  # noqa: E402
from hw.fpga.flow import bit_file, database, global_resets, open_flow, routed_sign_off, synthesis, tools  # noqa: E402

FILES = [ROOT / "hw/rtl/board/vta_axi3_to_lite.sv", ROOT / "tests/fpga/small_zynq_top.sv"]
CLOCK_HZ = 100_000_000
CELLS = {"DSP48E1": 2, "RAMB18E1": 1, "RAMB36E1": 2, "FDRE": 117}
# Those of 9-bit ports of a RAM of 36 Kbit, and of the clock of its output register in each half.
ADDED = 4
SAMPLED_PATHS = 20  # for setup, and for hold at each corner


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: expected {wanted}, got {got}")


def build(folder, **changes):
    design = open_flow.Design("small_zynq_top", FILES, {}, "xc7z020clg400-1", CLOCK_HZ, "small_zynq_top", None)
    return open_flow.build(design._replace(**changes), folder, [1], "heap", 1, open_flow.Progress())


def check_timing(folder):
    """Every endpoint is checked, and the sums of sampled paths are those of the database's text."""
    part, seed = database.Part(tools.database(), synthesis.PART), folder / "seed_1"
    checked = routed_sign_off.load(seed, synthesis.PART)
    expect("unchecked endpoints", checked.unchecked, [])
    expect("asynchronous inputs", len(checked.asynchronous), 1)  # the first flip-flop of the reset
    problems, compared = path_sums.problems(checked, checked.nets, seed, part, SAMPLED_PATHS)
    expect("delays that differ from the database", problems, [])
    expect("delays are compared", compared > 3 * SAMPLED_PATHS, True)
    problems, compared = path_sums.share_problems(part)
    expect("delays whose share at the fast corner is not bounded", problems, [])
    expect("shares are compared", compared > 100, True)


def swapped(words):
    """The bytes of each word in the other order, as the FPGA manager takes them."""
    return b"".join(words[at:at + 4][::-1] for at in range(0, len(words), 4))


def check(folder, flash):
    summary = build(folder / "first")
    for name, count in CELLS.items():
        expect(f"checked {name}", summary["cells"].get(name), count)
    expect("added features", summary["added"], ADDED)
    check_timing(folder / "first")
    made = (folder / "first/vta.bit").read_bytes()
    build(folder / "second")
    expect("two runs give the same file", made == (folder / "second/vta.bit").read_bytes(), True)
    subprocess.run([flash, "--bin", folder / "vta.bin", folder / "first/vta.bit"], check=True, stdout=subprocess.DEVNULL)
    expect("vta-flash takes the words", (folder / "vta.bin").read_bytes(), swapped(bit_file.configuration(made)))
    try:
        build(folder / "first", clock_hz=500_000_000)
    except open_flow.FlowError as error:
        expect("a clock that is not met", "timing is not met" in str(error), True)
    else:
        sys.exit("500 MHz: no error")
    expect("no file is left where the timing is not met", (folder / "first/vta.bit").exists(), False)


def check_global_reset(folder):
    """With its reset on a global buffer the design takes the clock network's way to the slices; all of its bits are known too."""
    # Without the first, its few resets would be logic.
    with mock.patch.object(synthesis, "MIN_RESET", 1), mock.patch.object(global_resets, "MIN_FLIP_FLOPS", 4):
        build(folder)
    features = (folder / "seed_1/top.fasm").read_text().split()
    expect("resets come from the clock network", any(".GFAN" in feature and ".GCLK" in feature for feature in features), True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flash", required=True, type=pathlib.Path, help="the program vta-flash")
    arguments = parser.parse_args()
    open_tools.skip_without_tools()
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
        check(pathlib.Path(folder), arguments.flash)
        check_global_reset(pathlib.Path(folder) / "third")


if __name__ == "__main__":
    main()
