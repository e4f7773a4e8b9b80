// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/errors/counted.h"
#include "base/files/object_reader.h"
#include "hw/isa/instruction.h"
#include "runtime/program/core_operators.h"
#include "runtime/program/program.h"

namespace vta {
namespace {

constexpr uint64_t kMaxArenaBytes = uint64_t{1}
                                    << 32;  // reach of dram_base with the smallest element
constexpr int64_t kMaxTensorBytes =
    int64_t{1} << 30;  // limit of one value; larger ones are errors in the file
constexpr size_t kMaxRank = 8;

template <typename... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  fail(ErrorCode::kCorrupt, format, std::forward<Args>(args)...);
}

class ProgramChecker {
 public:
  explicit ProgramChecker(const Program& program)
      : p_(program), exists_(program.values.size(), false), last_use_(program.values.size(), 0) {}

  void run() {
    with_context("core", [&] { check_core(); });
    if (p_.arena_image.size() > p_.arena_bytes || p_.arena_bytes > kMaxArenaBytes) {
      refuse("arena of {} bytes with an image of {} bytes; the limit is {}", p_.arena_bytes,
             p_.arena_image.size(), kMaxArenaBytes);
    }
    for (size_t id = 0; id < p_.values.size(); ++id) {
      with_context(fmt::format("value {} ({})", id, p_.values[id].name),
                   [&] { check_value(p_.values[id]); });
      exists_[id] = !p_.values[id].constant.empty();
    }
    check_inputs();
    check_batch();
    find_last_uses();
    for (size_t i = 0; i < p_.steps.size(); ++i) {
      with_context(fmt::format("step {} ({})", i, p_.steps[i].layer), [&] { check_step(i); });
    }
    for (const ProgramOutput& output : p_.outputs) {
      if (value(output.value).on_device || !exists_[output.value]) {
        refuse("output value {} is on the device, or no step computes it", output.value);
      }
    }
    with_context("postprocess", [&] { check_output_spec(); });
    check_class_names();
  }

 private:
  void check_class_names() const {
    if (p_.class_names.empty()) return;
    const int64_t classes = num_named_classes(p_);
    if (std::cmp_not_equal(p_.class_names.size(), classes))
      refuse("{} for {}", counted(p_.class_names.size(), "class name"), counted(classes, "class"));
    for (const std::string& name : p_.class_names) {
      if (plain_text(name) != name)
        refuse("class name '{}': expected one line of text", plain_text(name));
    }
  }

  void check_core() const {
    try {
      vta::check(p_.core);
    } catch (const Error& error) {
      refuse("{}", error.what());
    }
    if (p_.core.block_in != p_.core.block_out) {
      refuse("block_in {} and block_out {} differ", p_.core.block_in, p_.core.block_out);
    }
  }

  void check_batch() const {
    if (p_.batch == 1) return;
    const auto has_batch = [&](const auto& port) {
      const TensorType& type = value(port.value).type;
      return type.shape[0] == p_.batch && !type.is_open(0);
    };
    if (p_.batch < 1 || !std::ranges::all_of(p_.inputs, has_batch) ||
        !std::ranges::all_of(p_.outputs, has_batch)) {
      refuse("batch {} is not the first axis of all inputs and outputs", p_.batch);
    }
  }

  void check_value(const ProgramValue& v) const {
    const auto& shape = v.type.shape;
    if (shape.empty() || shape.size() > kMaxRank)
      refuse("expected 1 to {} axes, got {}", kMaxRank, shape.size());
    int64_t bytes = static_cast<int64_t>(size_bytes(v.type.dtype));
    for (int64_t dim : shape) {
      if (dim < 1 || dim > kMaxTensorBytes || bytes > kMaxTensorBytes / dim) {
        refuse("shape [{}] is empty or larger than {} bytes", fmt::join(shape, ", "),
               kMaxTensorBytes);
      }
      bytes *= dim;
    }
    if (v.type.open_axes >> shape.size() != 0)
      refuse("open axes beyond the {} of shape [{}]", shape.size(), fmt::join(shape, ", "));
    if (v.type.is_open() && (v.on_device || !v.constant.empty()))
      refuse("open axes of a {}", v.on_device ? "device value" : "constant");
    if (!v.constant.empty() && (v.on_device || v.constant.type() != v.type)) {
      refuse("expected a constant of type {}, got {}", to_string(v.type),
             to_string(v.constant.type()));
    }
    if (v.on_device) return check_device_value(v);
    if (v.layout != Layout::kImages) refuse("layout {} on the host", to_string(v.layout));
  }

  static void check_packable(const ProgramValue& v) {
    const size_t rank = v.type.shape.size();
    const bool is_int8 = v.type.dtype == DType::kInt8;
    if (v.layout != Layout::kImages) {
      if (is_int8 && rank >= 2) return;
      refuse("expected int8 with at least 2 axes in layout {}, got {}", to_string(v.layout),
             to_string(v.type));
    }
    if ((is_int8 || v.type.dtype == DType::kInt32) && (rank == 2 || rank == 4)) return;
    refuse("expected int8 or int32 with 2 or 4 axes, got {}: only those can be packed",
           to_string(v.type));
  }

  void check_device_value(const ProgramValue& v) const {
    check_packable(v);
    const uint64_t size = packed_size_bytes(v, p_.core), offset = v.arena_offset_bytes;
    const uint64_t element =
        v.layout == Layout::kWeights ? p_.core.wgt_elem_bytes() : p_.core.inp_elem_bytes();
    if (offset % element != 0) refuse("arena offset {} is not a multiple of {}", offset, element);
    if (offset < p_.arena_image.size() || offset > p_.arena_bytes ||
        size > p_.arena_bytes - offset) {
      refuse("bytes {} to {} are not between the image ({}) and the arena's end ({})", offset,
             offset + size, counted(p_.arena_image.size(), "byte"), p_.arena_bytes);
    }
  }

  const ProgramValue& value(ValueId id) const {
    if (id < 0 || static_cast<size_t>(id) >= p_.values.size()) {
      refuse("value {} does not exist, there are {}", id, p_.values.size());
    }
    return p_.values[static_cast<size_t>(id)];
  }

  void check_inputs() {
    for (const ProgramInput& input : p_.inputs) {
      if (value(input.value).on_device || exists_[input.value]) {
        refuse("input value {} is on the device, a constant or an input already", input.value);
      }
      if (value(input.value).type.is_open()) refuse("input value {} has open axes", input.value);
      exists_[input.value] = true;
      if (input.image)
        with_context("input image", [&] { check_image(*input.image, value(input.value).type); });
    }
  }

  static void check_image(const ImageSpec& image, const TensorType& type) {
    if (type.dtype != DType::kFloat32 || type.shape.size() != 4)
      refuse("{} does not hold an image", to_string(type));
    vta::check(image, image_extent(image, type.shape).channels);
  }

  void check_output_spec() {
    std::vector<TensorType> types;
    for (const ProgramOutput& output : p_.outputs) types.push_back(value(output.value).type);
    vta::check(p_.output_spec, types);
  }

  void find_last_uses() {
    for (size_t i = 0; i < p_.steps.size(); ++i) {
      for (ValueId id : p_.steps[i].inputs) {
        value(id);
        last_use_[id] = i;
      }
    }
  }

  void check_step(size_t index) {
    const ProgramStep& step = p_.steps[index];
    for (ValueId id : step.inputs) {
      if (!exists_[id]) refuse("value {} is used before a step computes it", id);
    }
    if (step.outputs.size() != 1) refuse("expected 1 result, got {}", step.outputs.size());
    const ValueId output = step.outputs[0];
    value(output);
    if (exists_[output]) refuse("value {} has a result already", output);
    switch (step.kind) {
      case ProgramStep::Kind::kHost:
        check_host(step);
        break;
      case ProgramStep::Kind::kPack:
        check_conversion(step, false);
        break;
      case ProgramStep::Kind::kUnpack:
        check_conversion(step, true);
        break;
      case ProgramStep::Kind::kCore:
        check_core_step(step);
        break;
      case ProgramStep::Kind::kView:
        check_view(step);
        break;
    }
    exists_[output] = true;
    add_live(output, index);
  }

  void need_side(ValueId id, bool on_device) const {
    if (value(id).on_device == on_device) return;
    refuse("value {}: expected a value on the {}, got one on the {}", id,
           on_device ? "device" : "host", on_device ? "host" : "device");
  }

  void check_host(const ProgramStep& step) const {
    for (ValueId id : step.inputs) need_side(id, false);
    need_side(step.outputs[0], false);
    check_operands(typed_step(step));
  }

  void check_core_operator(const ProgramStep& step) const {
    const CoreOperator* op = find_core_operator(step.op);
    if (op == nullptr) refuse("{} is not an operator of the core", to_string(step.op));
    const TypedStep typed = typed_step(step);
    if (typed.operands.empty() || typed.operands.size() > 2)
      refuse("expected 1 or 2 operands, got {}", typed.operands.size());
    if (step.pool && step.op != OpKind::kQConv2d)
      refuse("a max pool of the result of {}, expected qconv2d", to_string(step.op));
    op->check(typed);
  }

  TypedStep typed_step(const ProgramStep& step) const {
    TypedStep typed{
        step.op, step.attrs, {}, value(step.outputs[0]).type, step.pool ? &*step.pool : nullptr};
    for (ValueId id : step.inputs) typed.operands.push_back(value(id).type);
    return typed;
  }

  void check_conversion(const ProgramStep& step, bool from_device) const {
    if (step.inputs.size() != 1) refuse("expected 1 operand, got {}", step.inputs.size());
    need_side(step.inputs[0], from_device);
    need_side(step.outputs[0], !from_device);
    if (has_operator(step)) {
      need_layout(step.outputs[0], Layout::kImages);
      return check_unfold(step);
    }
    if (value(step.inputs[0]).type != value(step.outputs[0]).type)
      refuse("operand and result differ in type");
  }

  void check_unfold(const ProgramStep& step) const {
    if (step.op != OpKind::kUnfold2d)
      refuse("a value is packed as it is or by unfold2d, not by {}", to_string(step.op));
    check_operands(typed_step(step));
  }

  void need_layout(ValueId id, Layout layout) const {
    if (value(id).layout == layout) return;
    refuse("value {}: expected layout {}, got {}", id, to_string(layout),
           to_string(value(id).layout));
  }

  // The values of `step` are on the device.
  void need_device_layouts(const ProgramStep& step) const {
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      need_side(step.inputs[i], true);
      need_layout(step.inputs[i], operand_layout(step.op, i));
    }
    need_side(step.outputs[0], true);
    need_layout(step.outputs[0], result_layout(step.op));
  }

  void check_core_step(const ProgramStep& step) const {
    need_device_layouts(step);
    check_core_operator(step);
    const uint64_t offset = step.stream_offset_bytes, image = p_.arena_image.size();
    if (offset % isa::kInstructionBytes != 0)
      refuse("stream offset {} is not a multiple of {}", offset, isa::kInstructionBytes);
    if (step.num_instructions == 0) refuse("a stream without instructions");
    if (offset > image ||
        uint64_t{step.num_instructions} * isa::kInstructionBytes > image - offset) {
      refuse("{} from byte {} on, beyond the image ({})",
             counted(step.num_instructions, "instruction"), offset, counted(image, "byte"));
    }
    if (step.continues) check_continuation(step);
  }

  void check_continuation(const ProgramStep& step) const {
    const auto next = std::find_if(
        p_.steps.begin() + (&step - p_.steps.data()) + 1, p_.steps.end(),
        [](const ProgramStep& later) { return later.kind != ProgramStep::Kind::kView; });
    if (next == p_.steps.end() || next->kind != ProgramStep::Kind::kCore)
      refuse("its stream continues, but no step of the core follows");
    const uint64_t end =
        step.stream_offset_bytes + uint64_t{step.num_instructions} * isa::kInstructionBytes;
    if (next->stream_offset_bytes != end) {
      refuse("its stream continues at byte {}, the next one starts at {}", end,
             next->stream_offset_bytes);
    }
  }

  void check_view(const ProgramStep& step) const {
    need_device_layouts(step);
    const ProgramValue& output = value(step.outputs[0]);
    const TypedStep typed = typed_step(step);
    check_operands(typed);
    const auto offsets = view_offsets(step.op, step.attrs, typed.operands, output.type, p_.core);
    if (!offsets) refuse("{} of these types is not a view", to_string(step.op));
    for (size_t i = 0; i < typed.operands.size(); ++i) {
      const uint64_t expected = output.arena_offset_bytes + static_cast<uint64_t>((*offsets)[i]);
      if (value(step.inputs[i]).arena_offset_bytes == expected) continue;
      refuse("operand {} of a view: expected arena offset {}, got {}", i, expected,
             value(step.inputs[i]).arena_offset_bytes);
    }
  }

  // Adds a result to the live device values. The result of a step that writes must not overlap one
  // of them; a view does not write.
  void add_live(ValueId output, size_t step) {
    const ProgramValue& v = p_.values[output];
    if (v.on_device) {
      const Live own{v.arena_offset_bytes, v.arena_offset_bytes + packed_size_bytes(v, p_.core),
                     output};
      const bool writes = p_.steps[step].kind != ProgramStep::Kind::kView;
      for (const Live& other : live_) {
        if (writes && own.begin < other.end && other.begin < own.end) {
          refuse("values {} and {} overlap in the arena", output, other.value);
        }
      }
      live_.push_back(own);
    }
    std::erase_if(live_, [&](const Live& other) { return last_use_[other.value] <= step; });
  }

  struct Live {
    uint64_t begin, end;
    ValueId value;
  };

  const Program& p_;
  std::vector<bool> exists_;
  std::vector<size_t> last_use_;
  std::vector<Live> live_;
};

}  // namespace

void check(const Program& program) { ProgramChecker(program).run(); }

}  // namespace vta
