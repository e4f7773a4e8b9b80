// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/test_network.h"

#include <filesystem>

#include "base/errors/counted.h"
#include "base/files/installation.h"
#include "configs/config_files.h"
#include "runtime/host/host_operators.h"
#include "runtime/host/network_input.h"

namespace vta {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExamples = "share/vta/examples";

// The example of `core`, else that of the boards' core; "" if there is none.
fs::path example(const std::string& core) {
  const std::optional<fs::path> prefix = installation_prefix();
  if (!prefix) return "";
  for (const std::string& name : {"digits_" + core + ".vta", std::string("digits.vta")}) {
    const fs::path file = *prefix / kExamples / name;
    std::error_code ignored;  // an unreadable file counts as absent
    if (fs::is_regular_file(file, ignored)) return file;
  }
  return "";
}

Tensor sample_of(const Program& program, const fs::path& file) {
  if (program.inputs.size() != 1 || program.batch != 1 || program.inputs[0].sample.empty()) {
    fail(ErrorCode::kInvalidArgument,
         "{}: network '{}' has {}, batch {} and {} sample; the self-test needs one input "
         "with a sample and batch 1",
         file.string(), program.network, counted(program.inputs.size(), "input"), program.batch,
         program.inputs.empty() || program.inputs[0].sample.empty() ? "no" : "a");
  }
  const ProgramInput& input = program.inputs[0];
  return host::read_image_input(find_beside(input.sample, file.parent_path()),
                                sample_type(program, input.value), input.image);
}

}  // namespace

std::optional<selftest::TestNetwork> load_test_network(const std::string& file,
                                                       const CoreConfig& core) {
  const fs::path path = file.empty() ? example(core.name) : fs::path(file);
  if (path.empty()) return std::nullopt;
  selftest::TestNetwork network{read_program(path), {}, host::execute};
  if (!network.program.core.same_hardware(core)) {
    if (file.empty()) return std::nullopt;
    fail(ErrorCode::kInvalidArgument, "{}: the network was compiled for core {}, the test is of {}",
         file, network.program.core.name, core.name);
  }
  network.inputs.push_back(sample_of(network.program, path));
  return network;
}

}  // namespace vta
