#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens every page of the documentation site in headless Chromium, at the widths of a screen and of a phone: nothing needs sideways
scrolling but tables and outputs, which scroll by themselves, and a search field is on top. Leaves screenshots of some pages at both
widths, in both colour schemes.

Example:
  tests/browser/site_test.py build/site --artifacts /tmp/site
"""
import argparse
import functools
import html
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import threading

SKIPPED = 77
WIDTHS = (1280, 400)
SCHEMES = {"dark": 0, "light": 1}  # Chromium's preferredColorScheme
SHOTS = ("docs/index", "docs/network_files", "docs/timing", "docs/experiments")
MIN_PAGES = 60
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars"]
# Opens each page in a frame of each width; the result is a line for each fault.
HARNESS = """<!doctype html><pre id="result"></pre><script>
const faults = [];
function check(page, width, frame) {
  const document = frame.contentDocument, root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) faults.push(`${page}: ${root.scrollWidth} pixels wide at ${width}`);
  const fields = [...document.querySelectorAll("input[name=q]")].map((field) => field.getBoundingClientRect());
  if (!fields.some((box) => box.width > 100 && box.top >= 0 && box.top < 120 && box.left >= 0 && box.right <= width)) {
    faults.push(`${page}: no search field on top at ${width}`);
  }
}
async function run(pages, widths) {
  for (const page of pages) for (const width of widths) {
    const frame = document.createElement("iframe");
    frame.style.width = `${width}px`; frame.style.height = "800px"; frame.style.border = "0";
    frame.src = page;
    document.body.append(frame);
    await new Promise((loaded) => frame.onload = loaded);
    check(page, width, frame);
    frame.remove();
  }
  document.getElementById("result").textContent = ["checked", ...faults].join("\\n");
}
run(PAGES, WIDTHS);
</script>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """The site, and the harness as /harness.html."""

    harness = b""

    def do_GET(self):
        if self.path not in ("/harness.html", "/favicon.ico"):
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        return self.wfile.write(self.harness)

    def log_message(self, *_):
        pass


def chromium(*arguments):
    return subprocess.run(["chromium", *FLAGS, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout


def faults_of(address):
    dom = chromium("--virtual-time-budget=600000", "--dump-dom", f"{address}/harness.html")
    first, *faults = html.unescape(re.search(r'<pre id="result">(.*?)</pre>', dom, re.DOTALL).group(1)).split("\n")
    return faults if first == "checked" else ["the pages were not checked to the end"]


def take_screenshots(address, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for page in SHOTS:
        for width in WIDTHS:
            for scheme, number in SCHEMES.items():
                chromium(f"--blink-settings=preferredColorScheme={number}", f"--window-size={width},1600",
                         f"--screenshot={folder / page.replace('/', '_')}_{width}_{scheme}.png", f"{address}/{page}.html")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=pathlib.Path, help="what scripts/build_site has made")
    parser.add_argument("--artifacts", type=pathlib.Path, required=True, help="folder for the screenshots")
    arguments = parser.parse_args()
    if not shutil.which("chromium") or not (arguments.site / "docs/index.html").is_file():
        print("[SKIP] no chromium (scripts/install_packages --browser), or no site (scripts/build_site)")
        return SKIPPED
    pages = sorted(page.relative_to(arguments.site).as_posix() for page in arguments.site.rglob("*.html") if page.parent != arguments.site)
    Handler.harness = HARNESS.replace("PAGES", json.dumps(pages)).replace("WIDTHS", json.dumps(WIDTHS)).encode()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(arguments.site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    take_screenshots(address, arguments.artifacts)
    faults = faults_of(address) + ([] if len(pages) >= MIN_PAGES else [f"the site has {len(pages)} pages, at least {MIN_PAGES}"])
    print("\n".join(faults) or f"{len(pages)} pages at {WIDTHS}: nothing is cut; screenshots: {arguments.artifacts}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
