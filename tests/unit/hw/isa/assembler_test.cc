// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "hw/isa/instruction.h"
#include "tests/support/error_in.h"

namespace vta::isa {
namespace {

std::string message_of(const std::string& line) {
  return error_in([&] { assemble_line(line); }, ErrorCode::kInvalidArgument);
}

std::string stream_message_of(const std::string& text, const CoreConfig& core) {
  return error_in([&] { assemble(text, "prog.s", core); });
}

TEST(Disassembler, WritesOneReadableLine) {
  for (const char* line : {
           "load.inp pop_next push_next sram=0 dram=16 size=[2,14] stride=56 pad=[1,0,1,1]",
           "load.wgt sram=512 dram=4294967295 size=[1,36] stride=36",
           "load.acc.split pop_prev push_next",
           "store.out pop_prev push_prev sram=128 dram=4096 size=[14,14] stride=14",
           "store.uop push_prev",
           "gemm.split pop_prev uop=[0,36) iter=[14,14] dst=[14,1] src=[32,2] wgt=[0,0]",
           "gemm.reset uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]",
           "alu.add uop=[0,8) iter=[1,1] dst=[1,0] src=[1,0]",
           "alu.shr.split push_next uop=[0,8) iter=[1,1] dst=[1,0] imm=-3",
           "finish pop_prev pop_next",
       }) {
    const std::string text = line;
    const auto instruction = assemble_line(text);
    ASSERT_TRUE(instruction) << text;
    EXPECT_EQ(disassemble(*instruction), text);
  }
}

TEST(Disassembler, ExplainsTheImmediateOfReq) {
  Instruction req;
  req.opcode = kAlu;
  req.alu_opcode = kReq;
  req.uop_end = req.iter_out = req.iter_in = 1;
  req.imm = 0x7f67;
  EXPECT_EQ(disassemble(req),
            "alu.req uop=[0,1) iter=[1,1] dst=[0,0] use_src imm=32615 ; shift 7 rounding, lo -127, "
            "hi 127");
  req.use_imm = 1;
  req.imm = -64;  // 0xffc0
  EXPECT_EQ(disassemble(req),
            "alu.req uop=[0,1) iter=[1,1] dst=[0,0] imm=-64 ; shift 0, lo none, hi none");
}

TEST(Disassembler, ShowsIndicesFaultsAndBitsThatAreNotAnInstruction) {
  const CoreConfig core = load_core_config("vta_1x16");
  const std::vector<InstructionBits> stream = {
      encode(*assemble_line("alu.op7 uop=[0,0) iter=[0,0] dst=[0,0] imm=1"), core),
      {uint64_t{1} << 63 | kFinish, 0},
      encode(*assemble_line("finish"), core),
  };
  const std::string text = disassemble(stream, core);
  EXPECT_EQ(text,
            "alu.op7 uop=[0,0) iter=[0,0] dst=[0,0] imm=1                                     "
            "; 0; FAULT: illegal ALU opcode (7)\n"
            ".word 0x0000000000000000 0x8000000000000003                                      "
            "; 1; FAULT: reserved bit (63); reads as finish\n"
            "finish                                                                           "
            "; 2\n");
}

TEST(Assembler, AcceptsBlanksCommentsAndAnyOrder) {
  for (const char* line : {"", "   ", "; comment", "# comment", "\t\r"}) {
    EXPECT_FALSE(assemble_line(line)) << line;
  }
  Instruction expected;
  expected.opcode = kStore;
  expected.memory = kOut;
  expected.push_prev = 1;
  expected.sram_base = 255;
  expected.dram_base = 2;
  expected.y_size = 3;
  expected.x_size = expected.x_stride = 4;
  EXPECT_EQ(assemble_line("\tstore.out stride = 4 size = [ 3 , 0x4 ] dram=2 push_prev sram=0xff#x"),
            expected);
}

TEST(Assembler, ReadsImmediatesAndSourceOperands) {
  const auto with_imm = assemble_line("alu.add uop=[0,1) iter=[1,1] dst=[0,0] imm=-5");
  EXPECT_EQ(with_imm->use_imm, 1u);
  EXPECT_EQ(with_imm->imm, -5);
  const auto with_source = assemble_line("alu.add uop=[0,1) iter=[1,1] dst=[0,0] src=[1,2]");
  EXPECT_EQ(with_source->use_imm, 0u);
  const auto both = assemble_line("alu.req uop=[0,1) iter=[1,1] dst=[0,0] src=[1,2] use_src imm=9");
  EXPECT_EQ(both->use_imm, 0u);
  EXPECT_EQ(both->imm, 9);
}

TEST(Assembler, NamesTheColumnTheTextAndWhatIsExpected) {
  const std::string mnemonics =
      "a mnemonic (load.MEMORY, store.MEMORY, gemm, alu.OPERATION, finish, .word)";
  const std::string gemm_items =
      "one of pop_prev pop_next push_prev push_next uop= iter= dst= src= wgt=";
  const std::pair<std::string, std::string> cases[] = {
      {"gem", "column 1: expected " + mnemonics + ", got 'gem'"},
      {"  load", "column 3: expected " + mnemonics + ", got 'load'"},
      {"load.foo", "column 1: expected " + mnemonics + ", got 'load.foo'"},
      {"gemm.split.reset", "column 1: expected " + mnemonics + ", got 'gemm.split.reset'"},
      {"alu", "column 1: expected " + mnemonics + ", got 'alu'"},
      {"GEMM", "column 1: expected " + mnemonics + ", got 'GEMM'"},
      {"=", "column 1: expected " + mnemonics + ", got '='"},
      {"\x01", "column 1: expected " + mnemonics + ", got '?'"},
      {"finish.split",
       "column 1: expected a mnemonic without .split (this instruction has none), got "
       "'finish.split'"},
      {"gemm pop", "column 6: expected " + gemm_items + ", got 'pop'"},
      {"gemm imm=1", "column 6: expected " + gemm_items + ", got 'imm'"},
      {"gemm use_src", "column 6: expected " + gemm_items + ", got 'use_src'"},
      {"gemm ,", "column 6: expected " + gemm_items + ", got ','"},
      {"gemm uop", "column 9: expected '=', got the end of the line"},
      {"gemm uop=", "column 10: expected '[', got the end of the line"},
      {"gemm uop=3", "column 10: expected '[', got '3'"},
      {"gemm uop=[0,1]", "column 14: expected ')', got ']'"},
      {"gemm uop=[0)", "column 12: expected ',', got ')'"},
      {"gemm uop=[0,)", "column 13: expected uop_end (0 to 131071), got ')'"},
      {"gemm uop=[a,1)", "column 11: expected uop_bgn (0 to 65535), got 'a'"},
      {"gemm uop=[-1,1)", "column 11: expected uop_bgn (0 to 65535), got '-1'"},
      {"gemm iter=[16384,1]", "column 12: expected iter_out (0 to 16383), got '16384'"},
      {"gemm iter=[99999999999,1]", "column 12: expected iter_out (0 to 16383), got '99999999999'"},
      {"gemm iter=[0x,1]", "column 12: expected iter_out (0 to 16383), got '0x'"},
      {"gemm iter=[1.5,1]", "column 12: expected iter_out (0 to 16383), got '1.5'"},
      {"gemm uop=[0,1) uop=[0,1)",
       "column 16: expected a flag or operand that is not there yet, got 'uop'"},
      {"gemm pop_prev pop_prev",
       "column 15: expected a flag or operand that is not there yet, got 'pop_prev'"},
      {"gemm uop=[0,1)", "column 15: expected 'iter=', got the end of the line"},
      {"load.inp size=[1,1]", "column 20: expected 'sram=', got the end of the line"},
      {"load.inp sram=65536", "column 15: expected sram_base (0 to 65535), got '65536'"},
      {"load.inp dram=4294967296",
       "column 15: expected dram_base (0 to 4294967295), got '4294967296'"},
      {"load.inp pad=[16,0,0,0]", "column 15: expected y_pad_0 (0 to 15), got '16'"},
      {"alu.add imm=32768", "column 13: expected imm (-32768 to 32767), got '32768'"},
      {"alu.add imm=-32769", "column 13: expected imm (-32768 to 32767), got '-32769'"},
      {"alu.add use_src",
       "column 16: expected 'imm=' (use_src requires an immediate), got the end of the line"},
      {".word 0x0 0x0", "expected an instruction, got '.word'"},
      {".word 0x0",
       "column 10: expected the low word (0x and up to 16 hexadecimal digits), got the end of the "
       "line"},
      {".word 0x12345678123456781 0",
       "column 7: expected the high word (0x and up to 16 hexadecimal digits), got "
       "'0x12345678123456781'"},
      {".word 0x1 0x2 3", "column 15: expected the end of the line, got '3'"},
  };
  for (const auto& [line, message] : cases) EXPECT_EQ(message_of(line), message) << line;
}

TEST(Assembler, NamesOriginAndLineOfAStream) {
  const CoreConfig core = load_core_config("tiny_1x8");
  const std::string gemm = "gemm uop=[0,1) iter=[1,1] dst=[32,0] src=[0,0] wgt=[0,0]";
  EXPECT_EQ(stream_message_of("; first\n\n" + gemm + "\n", core),
            "prog.s:3: column 32: expected dst_factor_out (0 to 31), got '32'");
  CoreConfig plain = core;
  plain.extension = false;
  EXPECT_EQ(stream_message_of("finish\ngemm.split", plain),
            "prog.s:2: gemm.split: split needs the extension, which core tiny_1x8 lacks");
}

TEST(Assembler, ReadsStreamsWithAnyLineEnds) {
  const CoreConfig core = load_core_config("tiny_1x8");
  EXPECT_EQ(assemble("", "prog.s", core).size(), 0u);
  EXPECT_EQ(assemble("finish", "prog.s", core).size(), 1u);
  EXPECT_EQ(assemble("gemm\r\n\r\nfinish\r\n", "prog.s", core).size(), 2u);
  const auto raw = assemble(".word 0xfedcba9876543210 0x1 ; both\n", "prog.s", core);
  EXPECT_EQ(raw, (std::vector<InstructionBits>{{1, 0xfedcba9876543210}}));
}

}  // namespace
}  // namespace vta::isa
