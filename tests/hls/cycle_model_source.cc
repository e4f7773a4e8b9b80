// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/cycle_model_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hw/hlsc/model/cycle_model.h"

namespace vta::kernels {

using hlsc::ir::Object;
using hlsc::ir::ObjectId;
using hlsc::ir::ObjectKind;
using hlsc::ir::Opcode;

namespace {

// Statements that bind a trial to the model `m`, and collect its moves after the run.
struct Binding {
  std::string before, after;
};

Binding bind(const hlsc::ir::Design& design) {
  std::set<ObjectId> read, written, used;
  for (const hlsc::ir::Process& process : design.processes) {
    for (const hlsc::ir::Op& op : process.ops) {
      if (op.object == hlsc::ir::kNoObject) continue;
      used.insert(op.object);
      if (op.opcode == Opcode::kStreamRead) read.insert(op.object);
      if (op.opcode == Opcode::kStreamWrite) written.insert(op.object);
    }
  }
  Binding binding;
  for (ObjectId id : used) {
    const Object& object = design.objects[id];
    if (object.kind == ObjectKind::kInput)
      binding.before += fmt::format("trial.constant(\"{0}\", m.input_{0});\n", object.name);
    if (object.kind != ObjectKind::kStream || (read.contains(id) && written.contains(id))) continue;
    binding.before += fmt::format("trial.{1}(\"{0}\", m.stream_{0});\n", object.name,
                                  read.contains(id) ? "give" : "expect");
    binding.after += fmt::format("trial.take(\"{0}\", m.stream_{0});\n", object.name);
  }
  return binding;
}

}  // namespace

void CycleModelSource::add(const std::string& name, const hlsc::ir::Design& design,
                           const hlsc::schedule::Schedule& schedule) {
  const bool has_dram =
      std::any_of(design.objects.begin(), design.objects.end(), [](const Object& object) {
        return object.kind == ObjectKind::kReadPort || object.kind == ObjectKind::kWritePort;
      });
  if (has_dram) return;
  headers_[name + "_cycles.h"] = hlsc::model::cycle_model(
      design, schedule, hlsc::bind::bind(design, schedule), name + "_model");
  includes_ += fmt::format("#include \"{}_cycles.h\"\n", name);
  const Binding binding = bind(design);
  runs_ += fmt::format(
      "  models[\"{0}\"] = [](const Trial& given, uint64_t seed) {{\n"
      "CycleTrial trial(given, seed);\nnetwork::Network network;\n"
      "network::{0}_model::Rams rams;\nnetwork::{0}_model m(network, rams);\n{1}"
      "trial.run(network);\n{2}return trial.moves;\n}};\n",
      name, binding.before, binding.after);
}

std::string CycleModelSource::source() const {
  return fmt::format(
      "{}#include \"tests/hls/cycle_model_run.h\"\n\nnamespace vta::kernels {{\n\n"
      "std::map<std::string, CycleModelRun> cycle_models() {{\n"
      "  std::map<std::string, CycleModelRun> models;\n{}  return models;\n}}\n\n"
      "}}  // namespace vta::kernels\n",
      includes_, runs_);
}

}  // namespace vta::kernels
