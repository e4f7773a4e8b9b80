// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/errors/printable.h"
#include "base/files/file.h"
#include "sim/analysis/report/comparison.h"
#include "sim/analysis/report/page.h"
#include "tools/sim/commands.h"
#include "tools/sim/made_by.h"

namespace vta::sim {
namespace {

constexpr double kMaxTolerancePercent = 1'000'000;

struct CompareOptions {
  std::string before, after, page;
  double tolerance_percent = 0;
  bool json = false;
};

void compare(const CompareOptions& options) {
  const Comparison comparison =
      compare_reports(read_text_file(options.before), options.before, read_text_file(options.after),
                      options.after, options.tolerance_percent);
  if (!options.page.empty()) {
    without_interruption(
        [&] { write_file(options.page, comparison_page(made_by(), to_json(comparison))); });
  }
  print_out("{}", options.json ? to_json(comparison) + "\n" : to_text(comparison));
  if (comparison.has_regression()) throw ExitStatus{kExitRegression};
}

}  // namespace

void add_compare(Tool& tool) {
  Command command = tool.subcommand(
      "compare",
      "Compare two reports layer by layer; exit status 3 if the second has a regression");
  const auto options = std::make_shared<CompareOptions>();
  command.argument("before", options->before, "A.json",
                   "Report of `vta-sim report --json` or `vta-sim run --json`");
  command.argument("after", options->after, "B.json", "Another one");
  command
      .option("--tolerance", options->tolerance_percent, "PERCENT",
              "Cycles, bytes and micro-ops may grow by this much")
      .between(0, kMaxTolerancePercent);
  command.output("-o,--out", options->page, "FILE",
                 "Write the comparison as a page, one HTML file that needs no network");
  command.flag("--json", options->json, "Print one JSON object");
  command.example("vta-sim compare before.json after.json -o page.html");
  command.action([options] { compare(*options); });
}

}  // namespace vta::sim
