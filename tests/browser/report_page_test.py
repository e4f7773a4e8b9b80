#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens pages of `vta-sim report` in headless Chromium: every plot is drawn, nothing is logged as an error, tables sort,
the timeline zooms, a phone's screen needs no sideways scrolling, and the page prints. Leaves screenshots and PDFs.

Example:
  tests/browser/report_page_test.py --vta-sim build/release/bin/vta-sim --artifacts /tmp/report_page
"""
import argparse
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
MAX_PAGE_BYTES = 2 << 20
MAX_PRINTED_PAGES = 6
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars"]

# Runs before the page's own scripts.
BEFORE = """<script>
window.test_errors = [];
window.addEventListener("error", (event) => test_errors.push(String(event.message)));
for (const level of ["error", "warn"]) console[level] = (...words) => test_errors.push(words.join(" "));
</script>"""

# Runs after them; the result is the text of an element.
AFTER = """<script>
const result = {};
const rows = () => Array.from(document.querySelectorAll("#layers tbody tr"));
const column = (n) => rows().map((row) => row.cells[n].textContent);
const bars = (section) => document.querySelectorAll(`#${section} .plot svg g.row`).length;
function colors_of(canvas) {
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data, found = new Set();
  for (let i = 0; i < data.length; i += 4 * 97) found.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return found.size;
}
try {
  result.core_layers = core_layers.length;
  result.bars = {stalls: bars("stalls"), traffic: bars("traffic"), quantization: bars("quantization")};
  result.with_snr = layers.filter((layer) => layer.snr_db !== undefined).length;
  result.dots = document.querySelectorAll("#roofline circle").length;
  result.with_macs = core_layers.filter((layer) => layer.macs > 0).length;
  result.tensors = document.querySelectorAll("#arena g.tensor").length;
  result.rows = {layers: rows().length, tiles: document.querySelectorAll("#tiles tbody tr").length,
                 what_if: document.querySelectorAll("#what-if tbody tr").length};
  result.headlines = document.querySelectorAll("#summary dd").length;
  result.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  result.nan = /NaN|undefined|Infinity/.test(document.querySelector("main").textContent) ||
      document.querySelectorAll("[d*=NaN],[x=NaN],[width=NaN],[transform*=NaN]").length > 0;
  document.querySelectorAll("#layers th")[3].click();
  result.descending = column(3).map((text) => Number(text.replaceAll(",", "")));
  document.querySelectorAll("#layers th")[3].click();
  result.ascending = column(3).map((text) => Number(text.replaceAll(",", "")));
  document.querySelector("#stalls button[data-order=cycles]").click();
  result.first_bar = document.querySelector("#stalls g.row title").textContent.split(":")[0];
  result.most_cycles = core_layers.slice().sort((a, b) => b.cycles - a.cycles)[0].name;
  const canvas = document.querySelector("#timeline canvas");
  result.colors = colors_of(canvas);
  const last = core_layers[core_layers.length - 1];
  rows().find((row) => row.cells[0].textContent === last.name).click();
  result.zoomed = shown_scale().domain();
  result.layer_cycles = [last.first_cycle, last.first_cycle + last.cycles];
  draw_timeline();
  result.zoomed_colors = colors_of(canvas);
  // An instruction of gemm, by selecting the middle of it.
  const track = report.timeline.tracks[1], middle = track.begin[0] + track.cycles[0] / 2;
  document.querySelector("#timeline button[data-zoom='0']").click();
  zoom_to(track.begin[0], track.begin[0] + track.cycles[0]);
  const box = canvas.getBoundingClientRect(), band = timeline.bands.find((one) => one.name === "gemm");
  canvas.dispatchEvent(new MouseEvent("click", {clientX: box.left + shown_scale()(middle) * box.width / timeline.width,
                                                clientY: box.top + (band.top + 8) * box.width / timeline.width}));
  result.details = document.querySelector("#timeline .details").textContent;
  result.load_milliseconds = performance.now();
} catch (error) {
  test_errors.push(String(error.stack || error));
}
result.errors = test_errors;
const element = document.createElement("pre");
element.id = "test-result";
element.textContent = JSON.stringify(result);
document.body.appendChild(element);
</script>"""


def chromium(page, *arguments):
    with tempfile.TemporaryDirectory() as profile:
        command = [shutil.which("chromium"), *FLAGS, f"--user-data-dir={profile}", *arguments, page.as_uri()]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout


def run_in_page(page, width, folder):
    """The result of AFTER in a copy of the page, at a width of the window in pixels."""
    copy = folder / "tested.html"
    text = page.read_text(encoding="utf-8").replace("<head>", "<head>" + BEFORE, 1)
    copy.write_text(text.replace("</body>", AFTER + "</body>", 1), encoding="utf-8")
    dom = chromium(copy, f"--window-size={width},1000", "--virtual-time-budget=2000", "--dump-dom")
    return json.loads(html.unescape(re.search(r'<pre id="test-result">(.*?)</pre>', dom, re.DOTALL).group(1)))


class Checks:
    def __init__(self):
        self.problems = []

    def expect(self, condition, what):
        if not condition:
            self.problems.append(what)

    def expect_equal(self, found, wanted, what):
        self.expect(found == wanted, f"{what}: {found}, expected {wanted}")


def check_content(checks, result, where):
    expect, equal = checks.expect, checks.expect_equal
    equal(result["errors"], [], f"{where}: errors")
    layers = result["core_layers"]
    equal(result["bars"], {"stalls": layers, "traffic": layers, "quantization": result["with_snr"]}, f"{where}: bars")
    equal(result["dots"], result["with_macs"], f"{where}: dots of the roofline")
    equal(result["rows"]["layers"], layers, f"{where}: rows of layers")
    expect(result["rows"]["tiles"] > 0 and result["rows"]["what_if"] > 0, f"{where}: a table is empty")
    expect(result["tensors"] > 0, f"{where}: no tensors in device memory")
    expect(result["headlines"] >= 4, f"{where}: {result['headlines']} headlines")
    expect(result["colors"] > 10 and result["zoomed_colors"] > 3, f"{where}: the timeline is empty")
    expect(not result["nan"], f"{where}: NaN or undefined is shown")
    equal(result["overflow"], 0, f"{where}: pixels beyond the screen's width")


def check_behaviour(checks, result, where):
    equal = checks.expect_equal
    equal(result["descending"], sorted(result["descending"], reverse=True), f"{where}: sorted by cycles")
    equal(result["ascending"], sorted(result["descending"]), f"{where}: sorted by cycles again")
    equal(result["first_bar"], result["most_cycles"], f"{where}: first bar, most cycles first")
    for shown, wanted in zip(result["zoomed"], result["layer_cycles"]):
        checks.expect(abs(shown - wanted) <= 1 + 0.02 * wanted, f"{where}: zoomed to {result['zoomed']}, "
                                                                f"expected {result['layer_cycles']}")
    checks.expect(re.match(r"gemm, \S+, instruction [\d,]+: \S+", result["details"]),
                  f"{where}: details '{result['details']}'")


def check_network(checks, vta_sim, network, artifacts, folder):
    page = artifacts / f"{network}.html"
    subprocess.run([vta_sim, "report", f"{network}.json", "-o", str(page)], check=True, stdout=subprocess.DEVNULL)
    checks.expect(page.stat().st_size <= MAX_PAGE_BYTES, f"{network}: {page.stat().st_size} bytes")
    for device, width, height in [("desktop", 1100, 4600), ("phone", 500, 6000)]:
        where = f"{network} on a {device}"
        result = run_in_page(page, width, folder)
        check_content(checks, result, where)
        check_behaviour(checks, result, where)
        print(f"{where}: {result['load_milliseconds']:.0f} ms from the start of the page to the end of the test in it")
        chromium(page, f"--window-size={width},{height}", "--virtual-time-budget=2000",
                 f"--screenshot={artifacts / f'{network}.{device}.png'}")
    pdf = artifacts / f"{network}.pdf"
    chromium(page, "--no-pdf-header-footer", "--virtual-time-budget=2000", f"--print-to-pdf={pdf}")
    pages = len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes()))
    checks.expect(1 <= pages <= MAX_PRINTED_PAGES, f"{network}: {pages} printed pages")
    print(f"{network}: {page.stat().st_size} bytes, {pages} printed pages")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vta-sim", required=True)
    parser.add_argument("--artifacts", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    if shutil.which("chromium") is None:
        print("[SKIP] chromium is not installed")
        return SKIPPED
    artifacts = arguments.artifacts.resolve()
    artifacts.mkdir(parents=True, exist_ok=True)
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        for network in ["digits", "resnet18"]:
            check_network(checks, arguments.vta_sim, network, artifacts, pathlib.Path(folder))
    for problem in checks.problems:
        print("FAILED:", problem)
    return 1 if checks.problems else 0


if __name__ == "__main__":
    sys.exit(main())
