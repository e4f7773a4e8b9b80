#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens pages of `vta-sim report`, `compare` and `explore` in headless Chromium, in both colour schemes and at three widths: every
plot is drawn, nothing is logged as an error, tables sort and unfold, names do not overlap, the timeline zooms, no screen needs
sideways scrolling, and the page prints. Leaves screenshots and PDFs.

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
MAX_PRINTED_PAGES = {"digits": 6, "resnet18": 6, "mobilenet_v3_small": 8}
MAX_HEIGHT = 9000  # pixels of a page at 1000 pixels of width; MobileNet v3 had 17,232 with all rows of its tables
SCREENS = [("desktop", 1600, 6500, "light"), ("desktop", 1600, 6500, "dark"), ("tablet", 1000, 7500, "light"), ("phone", 400, 8500, "dark")]
SCHEMES = {"dark": 0, "light": 1}  # Chromium's preferredColorScheme
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
// Pairs of names of dots that overlap.
function overlaps() {
  const boxes = Array.from(document.querySelectorAll("svg text.label")).map((text) => text.getBoundingClientRect());
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 &&
                                                                  b.top < a.bottom - 3)).length;
}
function look() {
  result.width = window.innerWidth;
  result.height = document.documentElement.scrollHeight;
  result.overlaps = overlaps();
  result.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  result.nan = /NaN|undefined|Infinity/.test(document.querySelector("main").textContent) ||
      document.querySelectorAll("[d*=NaN],[x=NaN],[width=NaN],[transform*=NaN]").length > 0;
  result.background = getComputedStyle(document.body).backgroundColor;
  result.sections = Array.from(document.querySelectorAll("main section h2")).filter((one) => one.offsetParent !== null).length;
  result.links = document.querySelectorAll("#contents a").length;
  result.made = document.querySelector("footer").textContent;
}
function look_at_report() {
  result.core_layers = core_layers.length;
  result.numbers = document.querySelector("#summary .numbers").textContent;
  result.array_share = (report.headlines.find((one) => one.topic === "speed").text.match(/uses the array in ([\\d.]+ %) of them/) || [])[1];
  result.steps = [document.querySelectorAll("#network g.step").length, layers.length];
  result.edges = document.querySelectorAll("#network path.edge").length;
  result.stages = document.querySelectorAll("#core svg > g").length;
  result.meters = document.querySelectorAll("#fpga meter").length;
  result.unfolded = document.querySelectorAll(".more button").length;
  document.querySelectorAll(".more button").forEach((button) => button.click());
  result.bars = {stalls: bars("stalls"), traffic: bars("traffic"), quantization: document.querySelectorAll("#quantization tbody tr").length};
  const negative = d3.create("td");  // free scales of results without positive numbers
  draw_range(negative, {results: [-1.2, 0], int8_min: -1, int8_max: 0});
  result.negative = negative.selectAll("rect").nodes().map((rect) => ["x", "width"].map((name) => Math.round(rect.getAttribute(name))));
  result.with_snr = layers.filter((layer) => layer.snr_db !== undefined).length;
  result.dots = document.querySelectorAll("#roofline circle").length;
  result.with_macs = core_layers.filter((layer) => layer.macs > 0 && layer.gemm_counter > 0).length;
  result.tensors = document.querySelectorAll("#arena g.tensor").length;
  result.rows = {layers: rows().length, tiles: document.querySelectorAll("#tiles tbody tr").length,
                 what_if: document.querySelectorAll("#what-if tbody tr").length};
  result.headlines = Array.from(document.querySelectorAll("#summary dt")).map((topic) => topic.textContent);
  document.querySelectorAll("#layers th")[1].click();
  result.descending = column(1).map((text) => Number(text.replaceAll(",", "")));
  document.querySelectorAll("#layers th")[1].click();
  result.ascending = column(1).map((text) => Number(text.replaceAll(",", "")));
  document.querySelector("#stalls button[data-order=cycles]").click();
  result.first_bar = document.querySelector("#stalls g.row title").textContent.split(":")[0];
  result.most_cycles = core_layers.slice().sort((a, b) => b.cycles - a.cycles)[0].name;
  const canvas = document.querySelector("#timeline canvas");
  result.colors = colors_of(canvas);
  const last = core_layers[core_layers.length - 1];
  rows().find((row) => row.cells[0].textContent === last.name).click();
  result.zoomed = shown_scale().domain();
  result.in_core = [document.querySelector("#core select").selectedOptions[0].textContent, last.name];
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
}
try {
  look();
  if (typeof core_layers !== "undefined" && core_layers.length > 0) look_at_report();
  if (document.getElementById("front")) result.dots = [document.querySelectorAll("#front circle:not(.default)").length, document.querySelectorAll("#front text.label").length,
                      document.querySelectorAll("#front circle.default").length];
} catch (error) {
  test_errors.push(String(error.stack || error));
}
result.errors = test_errors;
const element = document.createElement("pre");
element.id = "test-result";
element.textContent = JSON.stringify(result);
document.body.appendChild(element);
parent.postMessage(element.textContent, "*");
</script>"""

# Chromium's windows are at least 500 pixels wide: the page is in a frame.
FRAME = """<!doctype html><pre id="test-result"></pre><iframe src="tested.html" style="width: WIDTHpx; height: 1000px; border: 0"></iframe><script>
window.addEventListener("message", (message) => document.getElementById("test-result").textContent = message.data);
</script>"""


def chromium(page, *arguments):
    with tempfile.TemporaryDirectory() as profile:
        command = [shutil.which("chromium"), *FLAGS, f"--user-data-dir={profile}", *arguments, page.as_uri()]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout


def run_in_page(page, width, scheme, folder):
    """The result of AFTER in a copy of the page, at a width in pixels, in a colour scheme."""
    copy = folder / "tested.html"
    text = page.read_text(encoding="utf-8").replace("<head>", "<head>" + BEFORE, 1)
    copy.write_text(text.replace("</body>", AFTER + "</body>", 1), encoding="utf-8")
    frame = folder / "frame.html"
    frame.write_text(FRAME.replace("WIDTH", str(width)), encoding="utf-8")
    dom = chromium(frame, f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}", f"--window-size={width + 100},1100",
                   "--virtual-time-budget=2000", "--dump-dom")
    return json.loads(html.unescape(re.search(r'<pre id="test-result">(.*?)</pre>', dom, re.DOTALL).group(1)))


class Checks:
    def __init__(self):
        self.problems = []

    def expect(self, condition, what):
        if not condition:
            self.problems.append(what)

    def expect_equal(self, found, wanted, what):
        self.expect(found == wanted, f"{what}: {found}, expected {wanted}")


def check_page(checks, result, where, width, scheme):
    """What holds of all pages."""
    expect, equal = checks.expect, checks.expect_equal
    equal(result["errors"], [], f"{where}: errors")
    equal(result["width"], width, f"{where}: width of the window")
    expect(not result["nan"], f"{where}: NaN or undefined is shown")
    equal(result["overflow"], 0, f"{where}: pixels beyond the screen's width")
    equal(result["overlaps"], 0, f"{where}: names of dots that overlap")
    equal(result["background"] == "rgb(255, 255, 255)", scheme == "light", f"{where}: white background")
    equal(result["links"], result["sections"], f"{where}: links to sections")
    expect(re.match(r"vta-sim \S+, 20\d\d-\d\d-\d\d \d\d:\d\d UTC: vta-sim ", result["made"]), f"{where}: footer '{result['made']}'")


def check_content(checks, result, where):
    expect, equal = checks.expect, checks.expect_equal
    equal(result["steps"][0], result["steps"][1], f"{where}: boxes of the network")
    expect(result["edges"] >= result["steps"][0] - 1, f"{where}: {result['edges']} edges")
    equal(result["stages"], 4, f"{where}: stages of the core")
    equal(result["meters"], 4, f"{where}: resources of the FPGA")
    expect(result["height"] <= MAX_HEIGHT, f"{where}: {result['height']} pixels high")
    layers = result["core_layers"]
    equal(result["negative"], [[18, 90], [0, 108], [18, 90]], f"{where}: the range of results without positive numbers")
    equal(result["bars"], {"stalls": layers, "traffic": layers, "quantization": result["with_snr"]}, f"{where}: bars")
    equal(result["dots"], result["with_macs"], f"{where}: dots of the roofline")
    equal(result["rows"]["layers"], layers, f"{where}: rows of layers")
    expect(result["rows"]["tiles"] > 0 and result["rows"]["what_if"] > 0, f"{where}: a table is empty")
    expect(result["tensors"] > 0, f"{where}: no tensors in device memory")
    equal(result["headlines"][:2], ["Most cycles", "What would help"], f"{where}: first headlines")
    expect(result["colors"] > 10 and result["zoomed_colors"] > 3, f"{where}: the timeline is empty")


def check_behaviour(checks, result, where):
    equal = checks.expect_equal
    equal(result["descending"], sorted(result["descending"], reverse=True), f"{where}: sorted by cycles")
    equal(result["ascending"], sorted(result["descending"]), f"{where}: sorted by cycles again")
    equal(result["first_bar"], result["most_cycles"], f"{where}: first bar, most cycles first")
    for shown, wanted in zip(result["zoomed"], result["layer_cycles"]):
        checks.expect(abs(shown - wanted) <= 1 + 0.02 * wanted, f"{where}: zoomed to {result['zoomed']}, "
                                                                f"expected {result['layer_cycles']}")
    equal(result["in_core"][0], result["in_core"][1], f"{where}: layer that the core shows")
    checks.expect(re.match(r"gemm, \S+, instruction [\d,]+: \S+", result["details"]),
                  f"{where}: details '{result['details']}'")


def take_screenshot(page, device, width, height, scheme):
    chromium(page, f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}", f"--window-size={width},{height}",
             "--virtual-time-budget=2000", f"--screenshot={page.with_suffix(f'.{device}.{scheme}.png')}")


def check_other_page(checks, page, folder, check):
    for device, width, _, scheme in SCREENS:
        where = f"{page.stem} on a {device}, {scheme}"
        result = run_in_page(page, width, scheme, folder)
        check_page(checks, result, where, width, scheme)
        check(result, where)
        take_screenshot(page, device, width, 1400, scheme)


def check_comparison(checks, vta_sim, artifacts, folder):
    for mode in ("fused", "compatible"):
        subprocess.run([vta_sim, "report", "digits.json", "--mode", mode, "--json", "-o", str(folder / f"{mode}.json")], check=True,
                       stdout=subprocess.DEVNULL)
    page = artifacts / "comparison.html"
    subprocess.run([vta_sim, "compare", str(folder / "fused.json"), str(folder / "compatible.json"), "-o", str(page)],
                   stdout=subprocess.DEVNULL, check=False)
    check_other_page(checks, page, folder, lambda result, where: None)


# No layer runs on the core.
def check_host_only(checks, vta_sim, artifacts, folder):
    page = artifacts / "host_only.html"
    subprocess.run([vta_sim, "report", "digits.json", "--stop", "conv1", "-o", str(page)], check=True, stdout=subprocess.DEVNULL)
    check_other_page(checks, page, folder, lambda result, where: checks.expect_equal(result["sections"], 1, f"{where}: sections"))


# A core with pixel pairs does two micro-ops in a cycle: the page shows the share of the array's cycles that the report's sentence says.
def check_pairs(checks, vta_sim, artifacts, folder):
    page = artifacts / "pairs.html"
    subprocess.run([vta_sim, "report", "resnet20_cifar.json", "--core", "vta_2p16", "-o", str(page)], check=True, stdout=subprocess.DEVNULL)
    def check_share(result, where):
        wanted = f"{result['array_share']}of the cycles use the array"
        checks.expect(wanted in result["numbers"], f"{where}: '{wanted}' is not in '{result['numbers']}'")
    check_other_page(checks, page, folder, check_share)


# Every core has its name, and one is the default core.
def check_exploration(checks, vta_sim, artifacts, folder):
    page = artifacts / "cores.html"
    subprocess.run([vta_sim, "explore", "digits.json", "--wgt-buffer", "128K,256K", "--cache", str(folder / "cache"), "--page", str(page)], check=True, stdout=subprocess.DEVNULL)
    check_other_page(checks, page, folder, lambda result, where: checks.expect_equal(result["dots"], [2, 2, 1], f"{where}: dots, names, defaults"))


def check_network(checks, vta_sim, network, artifacts, folder):
    page = artifacts / f"{network}.html"
    subprocess.run([vta_sim, "report", f"{network}.json", "-o", str(page)], check=True, stdout=subprocess.DEVNULL)
    checks.expect(page.stat().st_size <= MAX_PAGE_BYTES, f"{network}: {page.stat().st_size} bytes")
    for device, width, height, scheme in SCREENS:
        where = f"{network} on a {device}, {scheme}"
        result = run_in_page(page, width, scheme, folder)
        check_page(checks, result, where, width, scheme)
        check_content(checks, result, where)
        check_behaviour(checks, result, where)
        print(f"{where}: {result['load_milliseconds']:.0f} ms from the start of the page to the end of the test in it")
        take_screenshot(page, device, width, height, scheme)
    pdf = artifacts / f"{network}.pdf"
    chromium(page, "--no-pdf-header-footer", "--virtual-time-budget=2000", f"--print-to-pdf={pdf}")
    pages = len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes()))
    checks.expect(1 <= pages <= MAX_PRINTED_PAGES[network], f"{network}: {pages} printed pages")
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
        for network in MAX_PRINTED_PAGES:
            check_network(checks, arguments.vta_sim, network, artifacts, pathlib.Path(folder))
        check_host_only(checks, arguments.vta_sim, artifacts, pathlib.Path(folder))
        check_comparison(checks, arguments.vta_sim, artifacts, pathlib.Path(folder))
        check_exploration(checks, arguments.vta_sim, artifacts, pathlib.Path(folder))
        check_pairs(checks, arguments.vta_sim, artifacts, pathlib.Path(folder))
    for problem in checks.problems:
        print("FAILED:", problem)
    return 1 if checks.problems else 0


if __name__ == "__main__":
    sys.exit(main())
