// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/verilog_pins.h"

#include <fmt/format.h>

#include <set>

namespace vta::kernels {
namespace {

using hlsc::ir::Object;
using hlsc::ir::ObjectId;
using hlsc::ir::ObjectKind;
using hlsc::ir::Opcode;

std::string stream_end(const char* group, const std::string& key, const std::string& name,
                       uint32_t width, const char* blocked, const char* moves) {
  const std::string data = width == 0 ? "nullptr" : fmt::format("&top.@{}_data", name);
  return fmt::format("    k.{}[\"{}\"] = {{{}, {}, &top.@{}{}, &top.@{}{}}};\n", group, key, data,
                     width, name, blocked, name, moves);
}

}  // namespace

VerilogPins::VerilogPins(const hlsc::ir::Design& design) {
  std::set<ObjectId> read, written, used;
  for (const auto& process : design.processes) {
    for (const auto& op : process.ops) {
      if (op.opcode == Opcode::kStreamRead) read.insert(op.object);
      if (op.opcode == Opcode::kStreamWrite) written.insert(op.object);
      if (op.object != hlsc::ir::kNoObject) used.insert(op.object);
    }
  }
  for (ObjectId id : used) add(design.objects[id], read.contains(id), written.contains(id));
}

void VerilogPins::add(const Object& object, bool is_read, bool is_written) {
  const std::string& name = object.name;
  if (object.kind == ObjectKind::kInput) constant(object);
  if (object.kind == ObjectKind::kStream) {
    if (!is_written) inward(name, object.width, "inputs", name);
    if (!is_read) outward(name, object.width, "outputs", name);
  }
  if (object.kind == ObjectKind::kReadPort) {
    outward(name + "_request", 48, "read_requests", name);
    inward(name + "_beat", 64, "read_beats", name);
  }
  if (object.kind == ObjectKind::kWritePort) {
    outward(name + "_request", 48, "write_requests", name);
    outward(name + "_beat", 64, "write_beats", name);
    idle(name);
  }
}

void VerilogPins::constant(const Object& object) {
  pins_.push_back({object.name, false, object.width});
  table_ +=
      fmt::format("    k.constants[\"{0}\"] = {{&top.@{0}, {1}}};\n", object.name, object.width);
}

void VerilogPins::inward(const std::string& name, uint32_t width, const char* group,
                         const std::string& key) {
  if (width != 0) pins_.push_back({name + "_data", false, width});
  pins_.push_back({name + "_empty", false, 1});
  pins_.push_back({name + "_pop", true, 1});
  table_ += stream_end(group, key, name, width, "_empty", "_pop");
}

void VerilogPins::outward(const std::string& name, uint32_t width, const char* group,
                          const std::string& key) {
  if (width != 0) pins_.push_back({name + "_data", true, width});
  pins_.push_back({name + "_full", false, 1});
  pins_.push_back({name + "_push", true, 1});
  table_ += stream_end(group, key, name, width, "_full", "_push");
}

void VerilogPins::idle(const std::string& port) {
  pins_.push_back({port + "_idle", false, 1});
  table_ += fmt::format("    k.idles[\"{0}\"] = &top.@{0}_idle;\n", port);
}

std::string VerilogPins::table(const std::string& prefix) const {
  std::string text = table_;
  for (size_t at; (at = text.find('@')) != std::string::npos;) text.replace(at, 1, prefix);
  return text;
}

}  // namespace vta::kernels
