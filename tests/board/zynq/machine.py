# SPDX-License-Identifier: Apache-2.0
"""The emulated Zynq: QEMU with a simulated core, an initramfs or an SD card, and its console."""
import dataclasses
import datetime
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import zipfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "rpc"), str(HERE.parents[2])]
import emulated
from hw.fpga.flow import bit_file

MEMORY_BYTES = 2 << 30  # 512 MiB of Linux, and the FPGA's addresses, which are memory here
UIO = "uio_pdrv_genirq.of_id=generic-uio"
ARCHITECTURE = "armhf"
PYTHON_RUN = ["/" + emulated.PYTHON, "/data/client.py"]  # with the files of python_files()


def fail(what):
    print(f"{pathlib.Path(sys.argv[0]).name}: {what}", file=sys.stderr)
    sys.exit(1)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def require(build, package):
    """Ends the test with status 77 if something is missing."""
    for tool in ("qemu-system-arm", "arm-linux-gnueabihf-gcc"):
        if shutil.which(tool) is None:
            emulated.skip(f"no {tool}: scripts/install_packages --board")
    if not pathlib.Path("/usr/arm-linux-gnueabihf/include/stdio.h").is_file():
        emulated.skip("no C library for armhf: scripts/install_packages --board")
    for tool in ("bin/vta-sim", "bin/vta-compile", "bin/vta-run", "bin/vta-rpc-server", "tests/pl_model"):
        if not (build / tool).is_file():
            emulated.skip(f"no {build / tool}: build its target")
    for tool in ("vta-rpc-server", "vta-run", "vta-flash", "vta-board"):
        if not (package / "bin" / tool).is_file():
            emulated.skip(f"no {tool} for the board in {package}: scripts/build_board")
    build_once("build_kernel", build / "zynq")


def build_once(script, folder):
    status = subprocess.run([HERE / script, folder]).returncode
    if status == 77:
        sys.exit(77)
    if status != 0:
        fail(f"{script} has failed")


@dataclasses.dataclass
class Setup:
    """What is in the machine. `tree`: the device tree; `design`: what the FPGA has at power-on, a DESIGN of pl_model; `bitstreams`:
    designs by the checksums of their files; `arguments`: the kernel's, beside those of all."""
    tree: str = "pynq"
    design: str = "core"
    bitstreams: dict = dataclasses.field(default_factory=dict)
    arguments: str = UIO
    card: pathlib.Path | None = None
    ports: dict = dataclasses.field(default_factory=dict)  # of this host, by the machine's


class Machine:
    """A running machine; its console, line by line."""

    def __init__(self, build, work, setup=Setup(), commands=(), files=None):
        """Without a card it runs `commands`, lists of words, one after another; `files`: what they need, by path without '/'."""
        self.lines, self.model_lines, self.process = [], [], None
        memory, interrupts = work / "memory", work / "interrupts"
        interrupts.unlink(missing_ok=True)
        with open(memory, "wb") as file:
            file.truncate(MEMORY_BYTES)
        self.model = subprocess.Popen([build / "tests/pl_model", memory, "vta_1x16", setup.design, interrupts,
                                       *(f"{checksum}={design}" for checksum, design in setup.bitstreams.items())],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._follow(self.model, self.model_lines)
        self.wait_for("ready", 60, self.model_lines)
        boot = ["-append", self._arguments(setup)]
        if setup.card is None:
            boot += ["-initrd", make_initramfs(work, commands, files or {})]
        else:
            boot += ["-drive", f"if=sd,format=raw,file={setup.card}"]
        forwards = "".join(f",hostfwd=tcp:127.0.0.1:{here}-:{there}" for there, here in setup.ports.items())
        self.process = subprocess.Popen([
            "qemu-system-arm", "-M", "xilinx-zynq-a9,memory-backend=memory", "-m", str(MEMORY_BYTES >> 20), "-object",
            f"memory-backend-file,id=memory,size={MEMORY_BYTES},mem-path={memory},share=on", "-kernel", build / "zynq/zImage",
            "-dtb", build / f"zynq/{setup.tree}.dtb", *boot, "-serial", "null", "-serial", "stdio", "-monitor", "none",
            "-qtest", f"unix:{interrupts}", "-qtest-log", "none", "-nic", f"user{forwards}", "-display", "none", "-no-reboot"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        self._follow(self.process, self.lines)

    @staticmethod
    def _arguments(setup):
        root = "root=/dev/mmcblk0 rw rootwait " if setup.card else ""
        return (f"console=ttyPS0,115200 mem=512M ip=10.0.2.15::10.0.2.2:255.255.255.0:pynq:eth0:off clk_ignore_unused panic=-1 "
                f"{root}{setup.arguments}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in filter(None, (self.model, self.process)):
            process.kill()
            process.wait()

    @staticmethod
    def _follow(process, lines):
        def read():
            for line in process.stdout:
                lines.append(line.rstrip())
        threading.Thread(target=read, daemon=True).start()

    def end(self):
        return "\n".join(self.lines[-30:] + self.model_lines[-5:])

    def wait_for(self, text, seconds, lines=None):
        lines = self.lines if lines is None else lines
        end = time.monotonic() + seconds
        while time.monotonic() < end and (self.process is None or self.process.poll() is None):
            ended = any("init: all commands ended" in line for line in self.lines)
            if any(text in line for line in lines):
                return
            if ended:
                break
            time.sleep(0.1)
        fail(f"no '{text}' on the console:\n{self.end()}")

    def wait_for_the_end(self, seconds):
        """Waits until the machine has ended after a reboot or a halt."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            fail(f"the machine has not ended in {seconds} s:\n{self.end()}")


def make_initramfs(work, commands, files):
    (work / "commands").write_text("".join(" ".join(map(str, words)) + "\n" for words in commands))
    init, out = work / "init", work / "initramfs"
    subprocess.run(["arm-linux-gnueabihf-gcc", "-O2", "-static", "-o", init, HERE / "init.c"], check=True)
    files = {**files, "etc/commands": work / "commands", "init": init}
    subprocess.run([sys.executable, HERE / "initramfs.py", out, *(f"{name}={file}" for name, file in files.items())], check=True)
    return out


def package_files(package, *tools):
    """Tools of the board's package, with the configurations."""
    configurations = package / "share/vta/configs"
    return {**{f"bin/{tool}": package / "bin" / tool for tool in tools},
            **{f"share/vta/configs/{kind}/{file.name}": file
               for kind in ("cores", "boards") for file in (configurations / kind).glob("*.json")}}


def python_files(package, work):
    """Debian's Python, and the wheel's package in it."""
    root = emulated.python_root(ARCHITECTURE, package)
    wheels = list(package.glob("*.whl"))
    if root is None or not wheels:
        emulated.skip(f"no Python for {ARCHITECTURE}: no wheel in {package}, or its packages cannot be fetched")
    modules = work / "modules"
    zipfile.ZipFile(wheels[0]).extractall(modules)
    client = work / "client.py"
    client.write_text(emulated.PYTHON_CLIENT)
    libraries = f"usr/lib/{emulated.TRIPLES[ARCHITECTURE]}"
    files = {name: root / name for name in (emulated.PYTHON, "lib", libraries, emulated.PYTHON_LIBRARY, "usr/lib/python3")}
    # Debian's alternatives, which the packages' scripts would set.
    files |= {f"{libraries}/lib{name}.so.3": (root / libraries / name / f"lib{name}.so.3").resolve() for name in ("blas", "lapack")}
    return {**files, "usr/lib/python3/dist-packages": modules, "data/client.py": client}


def output(*command, seconds=1200):
    run = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    if run.returncode != 0:
        fail(f"{' '.join(map(str, command))}: {run.stderr}")
    return run.stdout


def without_memory_lines(lines):
    """The console without the lines that init prints every second, which may be in the middle of a program's long line."""
    return re.sub(r"init: command VmRSS:[^\n]*\n", "", "\n".join(lines)).split("\n")


def ends(lines):
    """The text and the status of each command, in order."""
    text = []
    for line in without_memory_lines(lines):
        end = re.match(r"init: command ended with (\d+)", line)
        if end is None:
            text.append(line)
            continue
        yield "\n".join(text), int(end.group(1))
        text = []


def bitstream(payload):
    """The smallest .bit file: Xilinx's header, the synchronization word, and 1 KiB with `payload` as configuration."""
    words = bytes.fromhex("ffffffffaa995566") + payload + b"\0" * (1024 - len(payload))
    return bit_file.with_header(words, "vta_zynq_top", "xc7z020clg400-1", datetime.datetime(2026, 11, 22, 1, 2, 3))


def checksum_of(data):
    """CRC-32 of a .bit file's words in the order in which the kernel loads them, as pl_model wants it."""
    words = bit_file.configuration(data)
    swapped = b"".join(words[at:at + 4][::-1] for at in range(0, len(words), 4))
    return f"{zlib.crc32(swapped):08x}"
