// SPDX-License-Identifier: Apache-2.0
//
// An AXI4-Lite master for the Verilated registers. Each channel asserts its signals at random
// times; signals that the slave must keep stable are checked.
#ifndef VTA_TESTS_UNIT_HW_REGISTERS_AXI_LITE_BENCH_H_
#define VTA_TESTS_UNIT_HW_REGISTERS_AXI_LITE_BENCH_H_

#include <Vvta_registers.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/numbers/random.h"
#include "hw/registers/register_bus.h"

namespace vta::hw {

inline constexpr uint8_t kOkay = 0, kSlaveError = 2;

struct ReadAnswer {
  uint32_t data;
  uint8_t response;
};

class AxiLiteBench : public RegisterBus {
 public:
  // In each cycle a channel that may act does so with a probability of `pace` percent.
  explicit AxiLiteBench(uint64_t seed = 1, int pace = 100);

  // The pins of the core's side.
  Vvta_registers& pins() { return top_; }

  // Called in each cycle after all outputs have settled, before the clock edge.
  std::function<void(Vvta_registers&)> on_cycle;

  void reset();
  void step(int cycles = 1);

  // One complete transaction. The functions of RegisterBus expect OKAY.
  uint8_t write_strobed(uint32_t offset, uint32_t value, uint8_t strobes);
  ReadAnswer read_answered(uint32_t offset);
  uint32_t read(uint32_t offset) override;
  void write(uint32_t offset, uint32_t value) override;

  // The same in parts, for concurrent transactions: start, then step() until there is an answer.
  void start_write(uint32_t offset, uint32_t value, uint8_t strobes, int data_delay = 0,
                   int address_delay = 0);
  void start_read(uint32_t offset);
  std::optional<uint8_t> write_answer;
  std::optional<ReadAnswer> read_answer;

 private:
  struct Sent {  // a channel that the master drives
    bool pending = false, valid = false;
    int delay = 0;
  };
  void choose(Sent& channel);
  void drive();
  void sample();
  void check_steady();
  template <class Condition>
  void step_until(Condition&& condition);

  Vvta_registers top_;
  Random random_;
  int pace_;
  Sent aw_, w_, ar_;
  bool b_waits_ = false, r_waits_ = false;  // valid, and not taken in the cycle before
  uint8_t b_response_ = 0, r_response_ = 0;
  uint32_t r_data_ = 0;
};

}  // namespace vta::hw

#endif  // VTA_TESTS_UNIT_HW_REGISTERS_AXI_LITE_BENCH_H_
