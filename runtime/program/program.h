// SPDX-License-Identifier: Apache-2.0
//
// Program: a network compiled for one core configuration: constants, instruction streams, host
// operators, inputs and outputs. Program files (.vta) are its serialized form (README.md).
#ifndef VTA_RUNTIME_PROGRAM_PROGRAM_H_
#define VTA_RUNTIME_PROGRAM_PROGRAM_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "configs/core_config.h"
#include "runtime/tensor/host_reason.h"
#include "runtime/tensor/image_spec.h"
#include "runtime/tensor/op.h"
#include "runtime/tensor/output_spec.h"
#include "runtime/tensor/place.h"
#include "runtime/tensor/tensor.h"

namespace vta {

using ValueId = int32_t;

// How a device value is packed in the arena; what does not fill its last block is padded with
// zeros. Matrices are the last two axes of a tensor, [..., rows, columns].
enum class Layout {
  // [n, c, h, w]: [n / batch][c / block][h][w][batch][block]. The rows of a matrix [n, c] are the
  // pixels of one image: [c / block][n / batch][batch][block].
  kImages,
  // Matrices: [matrix][columns / block][rows / batch][batch][block]. The first operand and the
  // result of a matrix product, whose rows are as the pixels of an image.
  kRows,
  // Matrices: [matrix][columns / block_out][rows / block_in][block_out][block_in]: elements of WGT.
  // The second operand of a matrix product.
  kWeights,
};

const char* to_string(Layout layout);  // "images", "rows", "weights"

// A tensor of the program. On the device it is packed in the arena.
struct ProgramValue {
  std::string name;
  TensorType type;  // logical; [n, c, h, w] or [n, c] if packed as images
  bool on_device = false;
  Layout layout = Layout::kImages;  // if on_device
  uint64_t arena_offset_bytes = 0;  // if on_device
  Tensor constant;                  // of a host constant, else empty
};

// One step, in program order.
struct ProgramStep {
  enum class Kind {
    kHost,    // `op` on host values
    kPack,    // host value inputs[0], or its unfold2d -> device value outputs[0]
    kUnpack,  // device value inputs[0] -> host value outputs[0]
    kCore,    // an instruction stream or a part of one
    kView,    // no data moves: the device value outputs[0] shares the bytes of its inputs
  };
  Kind kind = Kind::kHost;
  std::string layer;           // name of the layer for reports
  OpKind op = OpKind::kInput;  // of kHost, kView; of kCore: the operator that the stream computes,
                               // or a view that needs a copy of its operand; of kPack: unfold2d,
                               // computed while the value is packed, or kInput for none
  OpAttrs attrs;
  HostReason host_reason = HostReason::kConversion;  // of kHost
  // kCore only: the max_pool2d of the operator's result that the stream computes too; the step's
  // result is the pool's.
  std::optional<OpAttrs> pool;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  // kCore only: arena offset of the first instruction, a multiple of 16.
  uint64_t stream_offset_bytes = 0;
  uint32_t num_instructions = 0;
  // kCore only: the stream continues after these instructions in the next step of kind kCore, with
  // only views between. The last step of a stream ends with FINISH. Its steps are executed as one
  // run, in which they overlap.
  bool continues = false;
};

const char* to_string(ProgramStep::Kind kind);  // "host", "pack", "unpack", "core", "view"
bool has_operator(const ProgramStep& step);     // whether `op` and `attrs` are used
Place place_of(const ProgramStep& step);        // kCore of streams and of views

struct ProgramInput {
  ValueId value = -1;
  std::optional<ImageSpec> image;
  std::string sample;  // a file next to the network file or in configs/networks; "" if none
};

struct ProgramOutput {
  ValueId value = -1;
  std::string labels;     // the file of the class names, on the machine that compiled; "" if none
  std::string name = {};  // in the ONNX model; "": the value's
};

struct Program {
  CoreConfig core;
  std::string network;
  // Samples of an inference: independent rows of the first axis of all inputs and outputs. 1: the
  // inputs are one sample, whatever their first axes are (time, tokens).
  int64_t batch = 1;
  std::string mode;         // "fused", "compatible"
  std::string quantize;     // for reports: method "global", "max", "mse" or "kl", and options, as
                            // ", per tensor"
  std::string weights;      // a file's name, or "synthetic:SEED"
  std::string calibration;  // the images that chose the scales: a file, "16 images", "noise"; "" if
                            // none were needed
  std::vector<ProgramValue> values;
  std::vector<ProgramStep> steps;
  std::vector<ProgramInput> inputs;
  std::vector<ProgramOutput> outputs;
  OutputSpec output_spec;  // meaning of the outputs
  // A name for each class of the outputs; empty if there were none to compile with. Files of before
  // 2026-11-30 have none: their names are those of the file outputs[0].labels, if it is there.
  std::vector<std::string> class_names;
  // The arena's first bytes: packed weights, biases, micro-ops, instructions.
  std::vector<uint8_t> arena_image;
  uint64_t arena_bytes = 0;  // size of the arena; bytes after the image are zero at first

  // std::out_of_range for a value that does not exist.
  const ProgramValue& value(ValueId id) const { return values.at(static_cast<size_t>(id)); }
  ProgramValue& value(ValueId id) { return values.at(static_cast<size_t>(id)); }
};

// The type of one sample of a value that is an input or output.
TensorType sample_type(const Program& program, ValueId value);

// Classes that Program::class_names names: num_classes() of the outputs (output_spec.h).
int64_t num_named_classes(const Program& program);

// The name of an output: its own, or its value's.
const std::string& output_name(const Program& program, size_t index);

// Bytes of a packed tensor of logical `type` on `core`.
uint64_t packed_size_bytes(const TensorType& type, const CoreConfig& core,
                           Layout layout = Layout::kImages);
uint64_t packed_size_bytes(const ProgramValue& value, const CoreConfig& core);

// Packs the result of the operator unfold2d on float32 or int8 `tensor`, which has type `type`.
void pack_unfolded(const Tensor& tensor, const Attrs<OpKind::kUnfold2d>& unfold,
                   const TensorType& type, const CoreConfig& core, std::span<uint8_t> packed);

// Convert between a tensor and its packed layout: int8, of images also int32 (packing.cc).
void pack(const Tensor& tensor, const CoreConfig& core, std::span<uint8_t> packed,
          Layout layout = Layout::kImages);
Tensor unpack(std::span<const uint8_t> packed, const TensorType& type, const CoreConfig& core,
              Layout layout = Layout::kImages);

// Layouts of a core operator's operand and of its result.
Layout operand_layout(OpKind op, size_t operand);
Layout result_layout(OpKind op);

// Byte offsets of a view's operands from the first byte of its result; they may be negative.
//   concat over channels     all operands but the last fill their blocks
//   strided_slice            a range of channels that starts at a block, all of the other axes
//   flatten, reshape         [n, c, 1, 1] <-> [n, c], of one group of images or one block
// With several groups of images [n, c, h, w], concats and slices are not views. `output` is the
// type given by infer_type(). nullopt: the operator is not a view for these types.
std::optional<std::vector<int64_t>> view_offsets(OpKind op, const OpAttrs& attrs,
                                                 const std::vector<TensorType>& inputs,
                                                 const TensorType& output, const CoreConfig& core);

// Whether a flatten or reshape of int8 moves images [n, c, 1, 1] to the rows of a matrix [n, c], or
// back, and is not a view: several groups of images and several blocks of channels change places.
bool moves_rows(OpKind op, const TensorType& input, const TensorType& output,
                const CoreConfig& core);

// The steps [first, end) of an instruction stream. The first and the last are of kind kCore;
// between them there may be views.
struct StreamSteps {
  size_t first = 0, end = 0;
};

// All streams, in order. Steps of kind kCore without instructions, which a tuner's programs have
// outside its window (lower::LoweringOptions), are in none.
std::vector<StreamSteps> streams_of(const Program& program);

// In the arena image: the instructions of a step of kind kCore; all instructions of a stream.
std::span<const uint8_t> step_bytes(const Program& program, const ProgramStep& step);
std::span<const uint8_t> stream_bytes(const Program& program, StreamSteps stream);

// Checks all ids, shapes, offsets and names, so that a session can trust a program from a file.
// Errors: kCorrupt, naming the step or value.
void check(const Program& program);

// Whether the file exists and starts with the magic number of programs.
bool is_program_file(const std::filesystem::path& path);

// Errors: kCorrupt (magic number, version, checksum, errors of check()), kIo, kNotFound.
Program read_program(const std::filesystem::path& path);
Program parse_program(std::span<const uint8_t> bytes, const std::string& origin);
void write_program(const Program& program, const std::filesystem::path& path);
std::vector<uint8_t> serialize(const Program& program);

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_PROGRAM_H_
