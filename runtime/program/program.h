// SPDX-License-Identifier: Apache-2.0
//
// Program: a network compiled for one core configuration, complete: constants, instruction streams,
// the host operators between them, inputs and outputs. The program file (.vta) is its serialized
// form (README.md).
#ifndef VTA_RUNTIME_PROGRAM_PROGRAM_H_
#define VTA_RUNTIME_PROGRAM_PROGRAM_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "configs/core_config.h"
#include "runtime/tensor/image_spec.h"
#include "runtime/tensor/op.h"
#include "runtime/tensor/output_spec.h"
#include "runtime/tensor/tensor.h"

namespace vta {

using ValueId = int32_t;

// A tensor of the program. On the device it lies packed in the arena:
//   [n / batch][c / block][h][w][batch][block] int8, channels and images filled up with zeros;
//   a 2-D tensor [n, c] as [n, c, 1, 1].
struct ProgramValue {
  std::string name;
  TensorType type;  // logical, [n, c, h, w] or [n, c]
  bool on_device = false;
  uint64_t arena_offset_bytes = 0;  // if on_device
  Tensor constant;                  // of a host constant, else empty
};

// One step, in program order.
struct ProgramStep {
  enum class Kind {
    kHost,    // `op` on host values
    kPack,    // host value inputs[0] -> device value outputs[0]
    kUnpack,  // device value inputs[0] -> host value outputs[0]
    kCore,    // one instruction stream
    kView,    // nothing moves: the device value outputs[0] lies where its inputs lie
  };
  Kind kind = Kind::kHost;
  std::string layer;           // name of the layer for reports
  OpKind op = OpKind::kInput;  // of kHost; of kCore: the operator that the stream computes; of
                               // kView: the one that needs no computing (see view_offsets())
  OpAttrs attrs;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  uint64_t stream_offset_bytes =
      0;  // of kCore: the first instruction in the arena, a multiple of 16
  uint32_t num_instructions = 0;
};

const char* to_string(ProgramStep::Kind kind);  // "host", "pack", "unpack", "core", "view"
bool has_operator(ProgramStep::Kind kind);      // `op` and `attrs` mean something

struct ProgramInput {
  ValueId value = -1;
  std::optional<ImageSpec> image;
  std::string sample;  // a file beside the network file or in configs/networks, "" if none
};

struct ProgramOutput {
  ValueId value = -1;
  std::string labels;  // a file with one class name a line, "" if none
};

struct Program {
  CoreConfig core;
  std::string network;
  std::string mode;      // "fused", "compatible"
  std::string quantize;  // how scales were chosen: "global", "max", "mse", "kl", and what changed
                         // it, as ", per tensor", for people
  std::string weights;   // a file's name, or "synthetic:SEED"
  std::vector<ProgramValue> values;
  std::vector<ProgramStep> steps;
  std::vector<ProgramInput> inputs;
  std::vector<ProgramOutput> outputs;
  OutputSpec output_spec;  // what they mean
  std::vector<uint8_t>
      arena_image;  // the arena's first bytes: packed weights, biases, micro-ops, instructions
  uint64_t arena_bytes = 0;  // the arena's size; what follows the image starts as zeros
};

// Bytes of a packed tensor of logical `type` on `core`.
uint64_t packed_size_bytes(const TensorType& type, const CoreConfig& core);

// Between int8 [n, c, h, w] (or [n, c]) and the packed layout; sizes as above.
void pack(const Tensor& tensor, const CoreConfig& core, std::span<uint8_t> packed);
Tensor unpack(std::span<const uint8_t> packed, const TensorType& type, const CoreConfig& core);

// Where a view's result and its operands lie in each other: operand i has its first byte
// `offsets_bytes[i]` behind the result's first byte (before it, if negative).
//   concat over channels     the operands side by side; all but the last fill their blocks
//   strided_slice            a run of channels that starts with a block, all of the other axes
//   flatten, reshape         [n, c, 1, 1] <-> [n, c]
// Several groups of images have no views but the last kind. The output's type is the one that
// infer_type() gives. nullopt: the operator is no view for these types.
std::optional<std::vector<int64_t>> view_offsets(OpKind op, const OpAttrs& attrs,
                                                 const std::vector<TensorType>& inputs,
                                                 const TensorType& output, const CoreConfig& core);

// The instructions of a step of kind kCore, in the image.
std::span<const uint8_t> stream_bytes(const Program& program, const ProgramStep& step);

// Checks every id, shape, offset and name, so that a session can trust a program from a file.
// Errors: kCorrupt, naming the step or value and what is wrong.
void check(const Program& program);

// Whether there is a file that starts as programs do.
bool is_program_file(const std::filesystem::path& path);

// Errors: kCorrupt (magic, version, checksum, anything check() refuses), kIo, kNotFound.
Program read_program(const std::filesystem::path& path);
Program parse_program(std::span<const uint8_t> bytes, const std::string& origin);
void write_program(const Program& program, const std::filesystem::path& path);
std::vector<uint8_t> serialize(const Program& program);

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_PROGRAM_H_
