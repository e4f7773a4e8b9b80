# SPDX-License-Identifier: Apache-2.0
"""Proves the rules of a module of hw/rtl (hw/rtl/properties) with yosys and an SMT solver: to a bound, and by induction.

yosys does not apply SystemVerilog's bind, so the bound instances are written into the text of their modules; so are the files
*_invariants.svh, which only proofs read."""
import pathlib
import re
import sys
import tempfile
import typing

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from hw.fpga.flow import tools  # noqa: E402

RTL = ROOT / "hw/rtl"
PROPERTIES = RTL / "properties"
SOLVER = "boolector"
SKIPPED = 77
SEPARATOR = "\n// next file\n"
BIND = re.compile(r"^bind (\w+) (.*?;)\n", re.MULTILINE | re.DOTALL)


class Broken(Exception):
    """A proof fails, or does not fail where it must."""


class Proof(typing.NamedTuple):
    """`module`: its file in hw/rtl, or a process of an emitted core. `depends`: the modules below it. `bound`: cycles of bounded model checking. `induction`: its
    length, or 0: none."""

    module: str
    depends: typing.Tuple[str, ...]
    parameters: typing.Dict[str, int]
    bound: int
    induction: int

    def name(self):
        values = "".join(f".{key}{value}" for key, value in self.parameters.items())
        return f"{pathlib.Path(self.module).name}{values}"


def _text_of(module, core_verilog):
    """A module's text: that of its file, or of the first view, which is for synthesis, in an emitted core."""
    if core_verilog and module.startswith("Core_"):
        return re.search(rf"^module {module} .*?^endmodule\n", core_verilog.read_text(), re.MULTILINE | re.DOTALL)[0]
    return (RTL / f"{module}.sv").read_text()


def _with_properties(module, text, is_top):
    """The text of a module with its properties. A module below the top may have none."""
    name = pathlib.Path(module).name
    properties = PROPERTIES / f"{name}_properties.sv"
    if not is_top and not properties.is_file():
        return text
    rules = properties.read_text()
    bound = next(instance for bound_to, instance in BIND.findall(rules) if bound_to == name)
    if is_top:
        bound = bound.replace(" #(", " #(.ASSUMES(1), ", 1) if " #(" in bound else bound.replace(" ", " #(.ASSUMES(1)) ", 1)
    invariants = PROPERTIES / f"{name}_invariants.svh"
    added = bound + "\n" + (invariants.read_text() if invariants.is_file() else "")
    head, end, tail = text.rpartition("endmodule")
    return f"{head}{added}{end}{tail}\n{BIND.sub('', rules)}"


def _write_model(proof, folder, edit, core_verilog, lemmas):
    """folder/model.smt2. `edit` changes the text of the modules. `lemmas`: what the proof of a part has shown is assumed."""
    top = pathlib.Path(proof.module).name
    modules = (proof.module, *proof.depends)
    texts = edit(SEPARATOR.join(_text_of(module, core_verilog) for module in modules)).split(SEPARATOR)
    text = "".join(_with_properties(module, text, module == proof.module) for module, text in zip(modules, texts))
    text += (PROPERTIES / "hls_reset_seen.sv").read_text()
    (folder / "model.sv").write_text(text)
    values = "".join(f" -set {key} {value}" for key, value in proof.parameters.items())
    chparam = f"chparam{values} {top}; " if values else ""
    defines = ("-DLEMMAS " if lemmas else "") + ("" if proof.depends else "-DCONTENTS")
    tools.run(["yosys", "-q", "-l", "yosys.log", "-p",
               f"read_verilog -formal -sv {defines} model.sv; {chparam}prep -top {top} -flatten; setundef -undriven -anyseq; "
               "memory_nordff; async2sync; dffunmap; write_smt2 -wires model.smt2"], [folder], cwd=folder)


def smtbmc(folder, *words):
    """Whether the property holds, and the solver's output."""
    try:
        output = tools.run(["yosys-smtbmc", "-s", SOLVER, *words, "model.smt2"], [folder], cwd=folder)
        return True, output
    except tools.ToolError as error:
        if "Status: FAILED" in str(error):
            return False, str(error)
        raise


def holds_to_bound(proof, folder, edit=str, core_verilog=None):
    """Whether no run of proof.bound cycles after a reset breaks a rule, and the solver's output. Errors: tools.ToolError."""
    _write_model(proof, folder, edit, core_verilog, lemmas=False)
    return smtbmc(folder, "-t", str(proof.bound))


def holds_by_induction(proof, folder, edit=str, core_verilog=None):
    """Whether a rule that holds for proof.induction cycles holds in the next one, from any state. Errors: tools.ToolError."""
    _write_model(proof, folder, edit, core_verilog, lemmas=True)
    return smtbmc(folder, "-i", "-t", str(proof.induction))


def replacement(name, what, old, new):
    """The edit of a mutation: `what` is wrong in the modules `name` then. Errors: Broken if they do not have the text."""
    def edit(text):
        if old not in text:
            raise Broken(f"{name} has no '{old}' any more ({what})")
        return text.replace(old, new)

    return edit


def main(test, run):
    """Calls run(folder) with a scratch folder. Ends the program with the test's name and error, or as skipped without the tools."""
    try:
        for command in ("yosys", "yosys-smtbmc", SOLVER):
            tools.command_line([command])
    except tools.ToolError as error:
        print(f"skipped: {error}")
        sys.exit(SKIPPED)
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as name:
        try:
            run(pathlib.Path(name))
        except (Broken, tools.ToolError) as error:
            sys.exit(f"{test}: {error}")
