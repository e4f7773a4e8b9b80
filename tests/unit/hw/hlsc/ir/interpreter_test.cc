// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/ir/interpreter.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "hw/hlsc/ir/evaluate.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/ir/verify.h"
#include "tests/support/error_in.h"

namespace vta::hlsc::ir {
namespace {

using llvm::APInt;

std::vector<uint64_t> values(const std::vector<APInt>& items) {
  std::vector<uint64_t> result;
  for (const APInt& item : items) result.push_back(item.getZExtValue());
  return result;
}

Design design_of(const std::string& text) {
  Design design = parse(text, "test");
  verify(design);
  return design;
}

// The value of one operation, through a design that computes it.
uint64_t compute(const std::string& expression, uint32_t width) {
  const Design design = design_of("design d stream out : " + std::to_string(width) +
                                  " x 1 process p { %0 : " + std::to_string(width) + " = " +
                                  expression + " stream_write out 1:1, %0 }");
  Interpreter interpreter(design, 1);
  EXPECT_TRUE(interpreter.run(100));
  return values(interpreter.take("out")).at(0);
}

TEST(HlscInterpreter, OperationsHaveTheirDocumentedValues) {
  EXPECT_EQ(compute("add 0xff:8, 2:8", 8), 1u);
  EXPECT_EQ(compute("sub 1:8, 2:8", 8), 0xffu);
  EXPECT_EQ(compute("mul signed 0x80:8, 0x80:8", 16), 0x4000u);
  EXPECT_EQ(compute("mul 0x80:8, 0x80:8", 20), 0x4000u);
  EXPECT_EQ(compute("mul signed 0xff:8, 2:4", 16), 0xfffeu);
  EXPECT_EQ(compute("shl 1:8, 200:16", 8), 0u);
  EXPECT_EQ(compute("lshr 0x80:8, 7:3", 8), 1u);
  EXPECT_EQ(compute("ashr 0x80:8, 9:8", 8), 0xffu);
  EXPECT_EQ(compute("ult 0x80:8, 1:8", 1), 0u);
  EXPECT_EQ(compute("slt 0x80:8, 1:8", 1), 1u);
  EXPECT_EQ(compute("sle 1:8, 1:8", 1), 1u);
  EXPECT_EQ(compute("select 0:1, 3:4, 5:4", 4), 5u);
  EXPECT_EQ(compute("sext 0x8:4", 8), 0xf8u);
  EXPECT_EQ(compute("zext 0x8:4", 8), 0x08u);
  EXPECT_EQ(compute("slice [4] 0xab:8", 4), 0xau);
  EXPECT_EQ(compute("lane 0xabcd:16, 2:8", 4), 0xbu);
  EXPECT_EQ(compute("lane 0xabcd:16, 4:8", 4), 0u);
  EXPECT_EQ(compute("concat 0xd:4, 0xc:4, 0xab:8", 16), 0xabcdu);
  EXPECT_EQ(compute("reverse 0x3:8", 8), 0xc0u);
  EXPECT_EQ(compute("sum 0xff:8, 1:8, 3:8", 8), 3u);
}

constexpr const char* kSums = R"(design sums
stream in : 8 x 2
stream out : 16 x 2
process sum {
  loop always if 1:1 { } while 1:1 {
    %n : 8 = stream_read in 1:1
    loop items if 1:1 {
      phi %i : 8 = 0:8, %i1
      phi %sum : 16 = 0:16, %sum1
      %more : 1 = ult %i, %n
    } while %more {
      %x : 8 = stream_read in 1:1
      %wide : 16 = zext %x
      %sum1 : 16 = add %sum, %wide
      %i1 : 8 = add %i, 1:8
    }
    stream_write out 1:1, %sum
  }
})";

TEST(HlscInterpreter, LoopsRunUntilTheirConditionFails) {
  const Design design = design_of(kSums);
  Interpreter interpreter(design, 7);
  for (int x : {3, 250, 250, 250, 0, 1, 9, 2}) interpreter.offer("in", APInt(8, x));
  EXPECT_TRUE(interpreter.run(10'000));
  EXPECT_EQ(values(interpreter.take("out")), (std::vector<uint64_t>{750, 0, 9}));
  interpreter.offer("in", APInt(8, 1));
  EXPECT_TRUE(interpreter.run(10'000));
  EXPECT_TRUE(interpreter.take("out").empty()) << "one item is missing";
  interpreter.offer("in", APInt(8, 4));
  EXPECT_TRUE(interpreter.run(10'000));
  EXPECT_EQ(values(interpreter.take("out")), (std::vector<uint64_t>{5}));
}

TEST(HlscInterpreter, ProcessesMeetAtStreamsInAnyOrderOfTurns) {
  const Design design = design_of(R"(design ping
    stream a : 8 x 1 stream b : 8 x 1 stream out : 8 x 1 stream credit : 0 x 2
    process first { loop l if 1:1 { phi %i : 8 = 0:8, %next  %m : 1 = ult %i, 50:8 } while %m {
      stream_write a 1:1, %i  %r : 8 = stream_read b 1:1  stream_write out 1:1, %r
      stream_write credit 1:1  stream_read credit 1:1
      %next : 8 = add %i, 1:8 } }
    process second { loop l if 1:1 { } while 1:1 {
      %x : 8 = stream_read a 1:1  %y : 8 = add %x, %x  stream_write b 1:1, %y } })");
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Interpreter interpreter(design, seed);
    EXPECT_TRUE(interpreter.run(10'000));
    const std::vector<uint64_t> out = values(interpreter.take("out"));
    ASSERT_EQ(out.size(), 50u);
    EXPECT_EQ(out[49], 98u);
  }
}

TEST(HlscInterpreter, MemoriesAndPortsKeepWrittenData) {
  const Design design = design_of(R"(design copy
    ram m : 64 x 4 lanes 8 banks 1 register r : 8 input n : 8 read_port from x 2 write_port to x 2
    stream out : 64 x 1
    process p {
      read_request from 1:1, 8:32, 2:32
      %a : 64 = read_beat from 1:1  %b : 64 = read_beat from 1:1
      ram_write m 1:1, 1:2, %a
      ram_write m [8] 1:1, 1:2, 0xee:8
      ram_write m 1:1, 1:2, 0x77:8, 3:3
      %w : 64 = ram_read m 1:1, 1:2
      stream_write out 1:1, %w
      write_request to 1:1, 32:32, 1:32  write_beat to 1:1, %b  write_wait to 1:1
      %n : 8 = input n 1:1  reg_write r 1:1, %n  ram_write m 0:1, 99:8, %a
    })");
  Interpreter interpreter(design, 3);
  interpreter.dram().resize(64);
  for (int i = 0; i < 64; ++i) interpreter.dram()[i] = static_cast<uint8_t>(i);
  interpreter.set_input("n", APInt(8, 42));
  EXPECT_TRUE(interpreter.run(1000));
  EXPECT_EQ(values(interpreter.take("out")).at(0), 0x0f0e0d0c770aee08u);
  EXPECT_EQ(interpreter.dram()[32], 16);
  EXPECT_EQ(interpreter.dram()[39], 23);
  EXPECT_EQ(interpreter.read_register("r"), 42);
  EXPECT_EQ(interpreter.read_ram("m", 1), 0x0f0e0d0c770aee08u);
}

void expect_fault(const std::string& body, const std::string& message, size_t dram_bytes = 16) {
  const Design design = design_of(
      "design d ram m : 32 x 8 lanes 8 banks 1 read_port p x 2 process f { " + body + " }");
  Interpreter interpreter(design, 1);
  interpreter.dram().resize(dram_bytes);
  const Error error = expect_error([&] { interpreter.run(100); });
  EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
}

TEST(HlscInterpreter, AccessesOutsideAreErrors) {
  expect_fault("%0 : 32 = ram_read m 1:1, 8:4", "ram_read m: 8 is out of range, limit 8");
  expect_fault("ram_write m 1:1, 1:4, 1:8, 4:4", "ram_write m: 40 is out of range, limit 32");
  expect_fault("read_request p 1:1, 8:32, 2:32", "read_request p: 24 is out of range, limit 16");
}

TEST(HlscInterpreter, InvalidBurstsAreErrors) {
  const auto expect_invalid_burst = [](const std::string& address, const std::string& beats) {
    expect_fault(
        fmt::format("read_request p 1:1, {}:32, {}:32", address, beats),
        fmt::format("read_request p: invalid burst of {} beats from byte {}", beats, address),
        8192);
  };
  expect_invalid_burst("8", "0");
  expect_invalid_burst("4", "1");
  expect_invalid_burst("0", "17");
  expect_invalid_burst("4088", "2");
}

TEST(HlscInterpreter, EndlessLoopsEndWithTheirBudget) {
  const Design design =
      design_of("design d process f { loop l if 1:1 { } while 1:1 { %0 : 8 = add 1:8, 1:8 } }");
  Interpreter interpreter(design, 1);
  EXPECT_FALSE(interpreter.run(1000));
}

TEST(HlscInterpreter, AHaltEndsItsProcessAlone) {
  const Design design = design_of(
      "design d stream a : 8 x 9 stream b : 8 x 9 process f { halt 1:1 stream_write a 1:1, 1:8 } "
      "process g { halt 0:1 stream_write b 1:1, 1:8 }");
  Interpreter interpreter(design, 1);
  EXPECT_TRUE(interpreter.run(1000));
  EXPECT_TRUE(interpreter.take("a").empty());
  EXPECT_EQ(interpreter.take("b").size(), 1u);
}

TEST(HlscInterpreter, ASkippedLoopLeavesItsValuesUnspecified) {
  const Design design = design_of(
      "design d stream out : 32 x 1 process f { loop l if 0:1 { phi %i : 32 = 5:32, %i } while 0:1 "
      "{ } stream_write out 1:1, %i }");
  Interpreter one(design, 1), two(design, 2);
  EXPECT_TRUE(one.run(100));
  EXPECT_TRUE(two.run(100));
  EXPECT_NE(values(one.take("out")), values(two.take("out")));
}

}  // namespace
}  // namespace vta::hlsc::ir
