// SPDX-License-Identifier: Apache-2.0
//
// StreamHazards: the earlier instructions of a stream that an instruction must wait for, because
// both access one scratchpad element or DRAM byte and at least one of them writes it.
//
// Instructions are recorded in program order. Each element remembers its last writer and the last
// reader of each stage. The arena's constant image is never written, so only activations have a
// history.
#ifndef VTA_COMPILER_LOWER_STREAM_HAZARDS_H_
#define VTA_COMPILER_LOWER_STREAM_HAZARDS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "configs/core_config.h"
#include "hw/isa/instruction.h"
#include "runtime/program/access_history.h"
#include "runtime/program/arena_image.h"
#include "runtime/program/dram_address.h"

namespace vta::lower {

class StreamHazards {
 public:
  // `image` holds the micro-ops that the stream loads, and outlives the object.
  StreamHazards(const CoreConfig& core, const ArenaImage& image);

  // By stage, the latest conflicting instruction's index + 1; 0: none.
  using Latest = std::array<uint32_t, kStages>;

  // Records instruction `index` of `stage`, which is later than all instructions recorded so far.
  // `address`: of a LOAD or STORE. Returns the conflicts with other stages.
  Latest record(uint32_t index, int stage, const isa::Instruction& instruction,
                const std::optional<DramAddress>& address);

  // Records that instruction `index` of `stage`, a LOAD without address, writes `words` to UOP from
  // element `first` on, which nothing has accessed yet.
  void record_first_uops(uint32_t index, int stage, uint32_t first,
                         const std::vector<uint32_t>& words);

  // Records that the last recorded instruction reads elements [first, first + count) of ACC, too.
  void record_acc_reads(uint32_t first, uint32_t count);

  // The latest STORE (index + 1) to the bytes of a LOAD; 0: none.
  uint32_t last_store(const isa::Instruction& load, const DramAddress& address);

  // The latest access (index + 1) to elements [first, first + count) of INP or WGT; 0: none.
  uint32_t last_access(isa::MemoryId memory, uint32_t first, uint32_t count) const;

 private:
  struct Element {
    uint32_t writer = 0;  // index + 1; 0: none
    int writer_stage = 0;
    Latest readers{};
  };
  using Memory = std::vector<Element>;

  void read(Element& element);
  void write(Element& element);
  void write_loaded(const isa::Instruction& load);
  void load_uops(const isa::Instruction& load, const DramAddress& address);
  template <typename Visit>
  void for_each_granule(const isa::Instruction& transfer, const DramAddress& address,
                        Visit&& visit);
  void record_load(const isa::Instruction& load, const DramAddress& address);
  void record_store(const isa::Instruction& store, const DramAddress& address);
  void record_reads(const isa::Instruction& gemm, uint32_t isa::Uop::* operand, uint32_t factor_out,
                    uint32_t factor_in, Memory& memory);
  void record_gemm(const isa::Instruction& gemm);
  void record_alu(const isa::Instruction& alu);

  const CoreConfig core_;
  const ArenaImage& image_;
  const uint32_t granule_bytes_;  // divides every address of activations
  Memory inp_, wgt_, acc_, out_, uop_, dram_;
  std::vector<isa::Uop> uops_;

  // The instruction that is being recorded.
  uint32_t index_ = 0;
  int stage_ = 0;
  Latest conflicts_{};
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_STREAM_HAZARDS_H_
