// SPDX-License-Identifier: Apache-2.0
//
// StreamBuilder: builds an instruction stream with its dependence tokens.
//
// The caller appends instructions in a valid sequential order. The builder finds the earlier
// instructions of other queues that each one must wait for (stream_hazards.h); a queue orders its
// own instructions without tokens. Between adjacent queues, the builder sets the push flag of the
// producer and the pop flag of the consumer. Between other queues it inserts token carriers (LOAD
// or STORE of size 0) into the queues between them.
//
// A carrier delays the instructions after it in its queue until its producer has ended. So it is
// not placed directly before the consumer, but at the earliest point of its queue at which the
// producer is estimated to have ended. A load of the next layer's inputs need not wait for the last
// GEMM of this layer.
//
// Tokens are anonymous: the k-th pop of a queue consumes the k-th push. The builder keeps this
// pairing correct: a wait for an instruction that is not later than one already waited for is
// implied and omitted. So the producers and consumers of a token queue are both in ascending order,
// with at most one token each.
#ifndef VTA_COMPILER_LOWER_STREAM_BUILDER_H_
#define VTA_COMPILER_LOWER_STREAM_BUILDER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lower/stream_hazards.h"
#include "configs/core_config.h"
#include "hw/isa/instruction.h"
#include "hw/registers/counters.h"
#include "runtime/program/arena_image.h"
#include "runtime/program/dram_address.h"

namespace vta::lower {

// An encoded stream.
struct BuiltStream {
  std::vector<isa::InstructionBits> instructions;  // FINISH is last
  // By layer (begin_layer()): the number of instructions up to its end. FINISH belongs to the last.
  std::vector<uint32_t> layer_ends;
};

class StreamBuilder {
 public:
  // split: GEMM and ALU are separate stages (requires the core's extension), else one compute
  // stage. `image` holds the micro-ops that the stream loads, and outlives the builder.
  StreamBuilder(const CoreConfig& core, bool split, const ArenaImage& image);

  // Starts the stream's next layer: what is added from here on belongs to it.
  void begin_layer();

  // Makes the first instruction a LOAD of micro-ops from element 0 of UOP on. Which ones, is known
  // at the end: add_first_uops() appends `words` to them, before an instruction reads them.
  void load_uops_first();
  void add_first_uops(const std::vector<uint32_t>& words);
  const std::vector<uint32_t>& first_uops() const { return first_uops_; }

  // Appends a GEMM or ALU, or a LOAD or STORE at `address` (finish() fills in its dram_base).
  void add(const isa::Instruction& instruction);
  void add(const isa::Instruction& instruction, DramAddress address);

  // Makes later writes of elements [first, first + count) of ACC wait for the last added
  // instruction, as if it read them. A GEMM that starts earlier would compete with the ALU for a
  // bank of ACC.
  void keep_acc(uint32_t first, uint32_t count) { hazards_->record_acc_reads(first, count); }

  bool split() const { return split_; }
  const CoreConfig& core() const { return core_; }
  size_t size() const { return entries_.size(); }  // after end() with FINISH
  size_t num_layers() const { return layers_.size(); }
  // Counters of a layer; no cycles. The first layer's include the stream's first instruction.
  hw::Counters counts(size_t layer) const;
  // The number of the latest instruction that accesses elements [first, first + count) of INP or
  // WGT, plus 1; 0: none.
  uint32_t last_access(isa::MemoryId memory, uint32_t first, uint32_t count) const {
    return hazards_->last_access(memory, first, count);
  }

  // The estimated number of cycles that a LOAD of INP would keep the load stage waiting for the
  // stores of what it reads, if it were added next.
  uint64_t wait_for_stores(const isa::Instruction& load, DramAddress address);

  // Ends the stream with a FINISH that waits for the last STORE; nothing is added any more. Frees
  // what only add() needs.
  void end();
  // Likewise, with the address of the micro-ops of the first instruction.
  void end(DramAddress first_uops);

  // Whether the core's token queues hold the tokens of the stream when it is executed in order. If
  // they do, no other order of execution blocks either.
  bool fits_token_queues() const;

  // Encodes the stream, after end(). Asserts that its tokens fit and that every address is a
  // multiple of its element's size. Errors: kUnsupported if an address exceeds dram_base.
  BuiltStream finish(uint64_t activations_offset_bytes) const;

 private:
  // Number of an instruction, in the order in which they were added. A carrier may precede
  // instructions of lower numbers in the stream.
  using InstructionIndex = uint32_t;

  // A vector clock: by stage, the latest instruction that is known to have ended, as number + 1; 0:
  // none. Carriers access nothing and are not counted.
  using Clock = StreamHazards::Latest;

  struct Entry {
    isa::Instruction instruction;
    std::optional<DramAddress> address;
    int stage;
    uint64_t start = 0, end = 0;          // estimated cycles
    Clock clock{};                        // what has ended when it ends
    std::vector<InstructionIndex> after;  // instructions of adjacent stages that it waits for
  };

  int stage_of(const isa::Instruction& instruction) const;
  int last_stage() const { return split_ ? 3 : 2; }
  isa::Instruction carrier(int stage) const;
  void append(isa::Instruction instruction, std::optional<DramAddress> address);
  void append_finish();
  void wait(Entry& entry, InstructionIndex producer);
  InstructionIndex insert_carrier(int stage, InstructionIndex producer);
  uint64_t busy_cycles(const isa::Instruction& instruction) const;
  std::vector<isa::Instruction> with_tokens() const;
  std::vector<uint32_t> layer_ends() const;

  const CoreConfig core_;
  const bool split_;
  std::optional<StreamHazards> hazards_;  // until end()
  std::vector<Entry> entries_;
  std::vector<uint32_t> first_uops_;
  std::vector<InstructionIndex> order_;      // of the stream
  std::array<Clock, kStages> clocks_{};      // of each stage, at its end
  std::array<uint64_t, kStages> free_at_{};  // estimated cycle at which each stage is free
  std::vector<InstructionIndex> layers_;     // the first number of each layer
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_STREAM_BUILDER_H_
