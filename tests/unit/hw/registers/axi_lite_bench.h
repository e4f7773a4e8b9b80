// SPDX-License-Identifier: Apache-2.0
//
// An AXI4-Lite master for the Verilated registers. Each of its channels asserts its side at random
// times; what the slave must keep steady, it is checked to.
#ifndef VTA_TESTS_UNIT_HW_REGISTERS_AXI_LITE_BENCH_H_
#define VTA_TESTS_UNIT_HW_REGISTERS_AXI_LITE_BENCH_H_

#include <Vvta_registers.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "hw/registers/register_bus.h"
#include "runtime/base/random.h"

namespace vta::driver {

inline constexpr uint8_t kOkay = 0, kSlaveError = 2;

struct ReadAnswer {
  uint32_t data;
  uint8_t response;
};

class AxiLiteBench : public RegisterBus {
 public:
  // An end that may act does so in a cycle with a chance of `pace` in 100.
  explicit AxiLiteBench(uint64_t seed = 1, int pace = 100);

  // The pins of the core's side.
  Vvta_registers& pins() { return top_; }

  // Called in each cycle, once all outputs have settled and before the clock's edge.
  std::function<void(Vvta_registers&)> on_cycle;

  void reset();
  void step(int cycles = 1);

  // One transaction, to its end. The RegisterBus's forms expect OKAY.
  uint8_t write_strobed(uint32_t offset, uint32_t value, uint8_t strobes);
  ReadAnswer read_answered(uint32_t offset);
  uint32_t read(uint32_t offset) override;
  void write(uint32_t offset, uint32_t value) override;

  // The same in parts, to have both under way: start, then step() until there is an answer.
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

}  // namespace vta::driver

#endif  // VTA_TESTS_UNIT_HW_REGISTERS_AXI_LITE_BENCH_H_
