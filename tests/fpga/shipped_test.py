#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the bitstreams of hw/fpga/bitstreams again, from the commits and by the values of their manifests, and compares the bytes.

usage: shipped_test.py NAME

NAME: a bitstream, such as tiny_1x8@50. The commit is built in a clone, build/rebuild/NAME, which is kept: finished seeds are. With other versions
of the tools the bytes differ; then the Verilog, the checks of timing and the counts of cells are compared, and this is said. Exits with 77 and
names what is missing if it cannot run.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from hw.fpga.flow import shipping, tools  # noqa: E402

FOREIGN = ("yosys", "nextpnr", "prjxray-database")  # tools of other projects; ours are those of the commit
CLOCK_SHARE = 0.85  # of the routed clock, that other versions of the tools may reach at least


def skip(reason):
    print(f"[SKIP] {reason}")
    sys.exit(77)


def clone_of(name, commit):
    """A clone of this repository at a commit, with this one's tools."""
    if subprocess.run(["git", "cat-file", "-e", f"{commit}^{{commit}}"], cwd=ROOT, stderr=subprocess.DEVNULL).returncode != 0:
        skip(f"{name}: this clone does not have its commit {commit[:12]}")
    folder = ROOT / "build/rebuild" / name
    if not (folder / ".git").is_dir():
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", ROOT, folder], check=True)
    subprocess.run(["git", "fetch", "--quiet", ROOT, commit], cwd=folder, check=True)
    subprocess.run(["git", "checkout", "--quiet", "--force", commit], cwd=folder, check=True)
    installed, linked = ROOT / "build/fpga-tools", folder / "build/fpga-tools"
    if installed.is_dir() and not linked.exists():
        # The tools run in that root, which sees nothing outside of the clone: a symbolic link would lead nowhere.
        shutil.copytree(installed, linked, symlinks=True, copy_function=link_or_copy)
    return folder


def link_or_copy(source, target):
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:  # another file system, or a file of another user
        shutil.copy2(source, target, follow_symlinks=False)


def build(folder, manifest):
    """The summary of the build. Its best seed is the last one: those before it were worse."""
    period = [] if manifest["schedule_ns"] == 10 else ["--period", f"{manifest['schedule_ns']:g}"]
    command = [folder / "hw/fpga/build_bitstream", "--tools", "open", "--board", manifest["boards"][0], "--core", manifest["core"], "--clock",
               f"{manifest['clock_hz'] / 1e6:.4g}", "--seeds", str(manifest["seed"]), "--placer", manifest["placer"], "--out", folder / "build/again", *period]
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(manifest["source_date_epoch"])}
    run = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(f"{manifest['name']}: its build ended with status {run.returncode}: {run.stdout[-2000:]}")
    return next(json.loads(line) for line in run.stdout.splitlines() if line.startswith("{"))


def differences(manifest, summary):
    """What other versions of the tools must not change."""
    timing, wanted = summary["routed_mhz"], manifest["timing"]["routed_mhz"]
    found = [f"{key}: {summary[key]}, 0 in the manifest" for key in ("hold_violations", "unchecked_endpoints") if summary[key] != 0]
    if summary.get("verilog_sha256", manifest["verilog_sha256"]) != manifest["verilog_sha256"]:  # builds before --ship do not print it
        found.append("vta-hlsc makes other Verilog from the commit")
    if timing < CLOCK_SHARE * wanted:
        found.append(f"{timing} MHz with all margins, {wanted} in the manifest")
    blocks = [kind for kind in manifest["netlist"]["cells"] if not kind.startswith("FD")]  # versions of yosys merge other registers
    return found + [f"{summary['cells'].get(kind)} {kind}, {manifest['netlist']['cells'][kind]} in the manifest" for kind in blocks
                    if summary["cells"].get(kind) != manifest["netlist"]["cells"][kind]]


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in shipping.manifests():
        sys.exit(f"usage: {sys.argv[0]} NAME, one of {', '.join(shipping.manifests())}")
    manifest = shipping.manifests()[sys.argv[1]]
    try:
        versions = shipping.tool_versions(manifest["source_commit"])
    except tools.ToolError as error:
        skip(error)
    folder = clone_of(manifest["name"], manifest["source_commit"])
    summary = build(folder, manifest)
    other = [f"{tool} {versions[tool]} instead of {manifest['tools'][tool]}" for tool in FOREIGN if versions[tool] != manifest["tools"][tool]]
    if other:
        found = differences(manifest, summary)
        print(f"{manifest['name']}: not the bytes but timing and cells are compared, because the tools differ: {', '.join(other)}; "
              f"{summary['routed_mhz']} MHz, {manifest['timing']['routed_mhz']} in the manifest")
    else:
        again = shipping.sha256((folder / "build/again/vta.bit").read_bytes())
        found = [] if again == manifest["bit_sha256"] else [f"the file built again has the SHA-256 {again}, the shipped one {manifest['bit_sha256']}"]
        print(f"{manifest['name']}: {'other' if found else 'the same'} bytes, seed {summary['seed']}, {summary['routed_mhz']} MHz")
    if found:
        sys.exit(f"{manifest['name']}: {'; '.join(found)}")


if __name__ == "__main__":
    main()
