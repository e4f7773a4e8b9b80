// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/waveform_file.h"

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/numbers/parse_number.h"
#include "tools/sim/fst_blocks.h"

namespace vta::sim {
namespace {

[[noreturn]] void refuse_cycles(const std::string& text, const char* why) {
  throw UsageError(fmt::format("--wave-cycles {}: {}", text, why));
}

uint64_t parse_cycle(const std::string& text, const std::string& whole, uint64_t if_empty) {
  if (text.empty()) return if_empty;
  const auto cycle = parse_number<uint64_t>(text);
  if (!cycle)
    refuse_cycles(whole, "expected FIRST:END, two cycle numbers of which one may be omitted");
  return *cycle;
}

void parse_cycles(const std::string& text, WaveformRequest& request) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) refuse_cycles(text, "expected FIRST:END with a colon");
  request.first_cycle = parse_cycle(text.substr(0, colon), text, 0);
  request.end_cycle = parse_cycle(text.substr(colon + 1), text, UINT64_MAX);
  if (request.first_cycle >= request.end_cycle) refuse_cycles(text, "FIRST must be less than END");
}

}  // namespace

void add_waveform_options(Command& command, WaveformOptions& options) {
  command.output("--wave", options.file, "FILE", "Write the core's signals to an FST file (rtl)");
  command.option("--wave-cycles", options.cycles, "FIRST:END",
                 "Record only these cycles, END excluded (default: all)");
}

WaveformFile::WaveformFile(const WaveformOptions& options) : options_(options) {
  if (options.file.empty()) {
    if (!options.cycles.empty()) throw UsageError("--wave-cycles needs --wave");
    return;
  }
  if (!options.cycles.empty()) parse_cycles(options.cycles, request_);
  file_ = std::make_unique<PartFile>("--wave", options.file);
  request_.path = file_->part();
  end_on_bus_error(
      fmt::format("--wave {}: cannot write all of it; is the disk full?", options.file));
  hierarchy_ = std::make_unique<RemovedOnInterruption>(request_.path + ".hier");
}

void WaveformFile::record(driver::Device& device) {
  if (file_ == nullptr) return;
  device_ = dynamic_cast<WaveformDevice*>(&device);
  if (device_ == nullptr) {
    fail(ErrorCode::kInvalidArgument, "--wave {}: device '{}' has no signals; use 'rtl'",
         options_.file, device.describe().uri);
  }
  device_->record(request_);
}

void WaveformFile::finish() {
  if (file_ == nullptr) return;
  const uint64_t cycles = device_->end_recording();
  const bool has_end = request_.end_cycle != UINT64_MAX;
  if (request_.first_cycle >= cycles || (has_end && request_.end_cycle > cycles)) {
    file_->remove();
    fail(ErrorCode::kInvalidArgument, "--wave-cycles {}: the run has {} with its reset",
         options_.cycles, counted(cycles, "cycle"));
  }
  if (!is_complete_fst(request_.path)) {
    file_->remove();
    fail(ErrorCode::kIo, "--wave {}: cannot write all of it; is the disk full?", options_.file);
  }
  file_->finish();
}

}  // namespace vta::sim
