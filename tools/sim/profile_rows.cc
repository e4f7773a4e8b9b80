// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/profile_rows.h"

#include "base/files/content_key.h"
#include "runtime/program/macs.h"
#include "runtime/program/packed_types.h"

namespace vta::sim {
namespace {

constexpr size_t kHashDigits = 16;  // as TVM's

// The hash covers what the kernel computes, its types and layouts.
void set_hash(ProfileRow& row, const std::string& attributes) {
  ContentKey key;
  key.add(row.op).add(attributes).add(to_string(row.where));
  for (const std::string& shape : row.shapes) key.add(shape);
  const ProfileLayouts& layouts = row.layouts;
  for (const std::string* text :
       {&layouts.data, &layouts.kernel, &layouts.source, &layouts.destination, &layouts.out})
    key.add(*text);
  row.hash = key.text().substr(0, kHashDigits);
}

// The layout of a value's bytes.
std::string layout_of(const Program& program, ValueId id) {
  const ProgramValue& value = program.value(id);
  if (!value.on_device) return value.type.shape.size() == 4 ? "NCHW" : "plain";
  return packed_layout(value.layout, program.core);
}

void set_layouts(const ProgramStep& step, const std::string& from, const std::string& to,
                 ProfileLayouts& layouts) {
  if (step.kind == ProgramStep::Kind::kPack || step.kind == ProgramStep::Kind::kUnpack) {
    layouts.source = from;
    layouts.destination = to;
  } else {
    layouts.data = from;
    layouts.out = to;
  }
}

}  // namespace

ProfileRow describe(const Program& program, const ProgramStep& step) {
  ProfileRow row;
  row.name = step.layer;
  row.op = kernel_name(step);
  row.where = place_of(step);
  row.macs = macs_of(program, step) * static_cast<uint64_t>(program.batch);
  for (const TensorType& type : placed_types(program, step)) row.shapes.push_back(to_string(type));
  if (!weight_type(program, step).shape.empty())
    row.layouts.kernel = packed_weight_layout(program.core);
  for (const auto& ids : {step.inputs, step.outputs}) {
    for (const ValueId id : ids) row.bytes += program.value(id).type.num_bytes();
  }
  const std::string to = layout_of(program, step.outputs.at(0));
  set_layouts(step, step.inputs.empty() ? to : layout_of(program, step.inputs[0]), to, row.layouts);
  std::string attributes = has_operator(step) ? to_string(step.op, step.attrs) : "";
  if (step.pool) attributes += to_string(OpKind::kMaxPool2d, *step.pool);
  set_hash(row, attributes);
  return row;
}

ProfileRow describe(const host::ExecutedLayer& layer) {
  ProfileRow row;
  row.where = Place::kHost;
  const auto& [source, data, kernel, result] = layer.layouts;
  if (layer.operations.empty()) {  // the conversion of the results
    row.name = row.op = "outputs";
    row.layouts.source = source;
    row.layouts.destination = result;
    set_hash(row, "");
    return row;
  }
  std::string attributes;
  for (const host::Operation* operation : layer.operations) {
    row.op += (row.op.empty() ? "" : "+") + std::string(to_string(operation->kind));
    attributes += to_string(operation->kind, operation->attrs) + "\n";
  }
  const host::Operation& base = *layer.operations.front();
  row.name = base.name;
  for (const TensorType& type : layer.types) {
    row.shapes.push_back(to_string(type));
    row.bytes += type.num_bytes();
  }
  row.layouts = {.data = data, .kernel = kernel, .out = result};
  const bool is_plain = source == "plain" && (data == "nchw" || data == "nc");
  if (source != data && !is_plain) {
    row.layouts.source = source;
    row.layouts.destination = data;
  }
  row.macs = macs_of(base.kind, base.attrs, layer.types.front(), base.type);
  set_hash(row, attributes);
  return row;
}

}  // namespace vta::sim
