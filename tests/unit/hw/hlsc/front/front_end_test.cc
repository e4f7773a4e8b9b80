// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/front_end.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/errors/error.h"
#include "base/files/scratch_folder.h"
#include "base/numbers/random.h"
#include "hw/hlsc/ir/interpreter.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/ir/walk.h"
#include "tests/support/case_name.h"
#include "tests/support/error_in.h"

namespace vta::hlsc::front {
namespace {

const std::string kRoot = VTA_SOURCE_ROOT;

ir::Design compile_file(const std::string& path) { return compile({path, {kRoot}, {}}); }

// designs/branches.cc in plain C++.
std::vector<uint64_t> branches(const std::vector<uint32_t>& in) {
  std::vector<uint64_t> out;
  uint32_t table[16] = {}, total = 0;
  for (size_t at = 0; at + 1 < in.size();) {
    const uint32_t op = in[at++], n = in[at++];
    uint32_t result = 0;
    if (op == 0) result = n * 3;
    if (op == 1) result = n >> 1;
    if (op == 2) {
      for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t k = 0; k < i; ++k) table[(i + k) % 16] += k + 1;
      }
      result = table[n % 16];
    }
    if (op > 2) result = n > 9 ? 1 : in[at++];
    total += result;
    out.push_back(total);
    if (op == 7) out.push_back(result);
  }
  return out;
}

TEST(HlscFront, BranchesAndLoopsKeepTheirMeaning) {
  const ir::Design design = compile_file(kRoot + "/tests/unit/hw/hlsc/front/designs/branches.cc");
  EXPECT_EQ(design.name, "Branches");
  const uint64_t seed = 31;
  SCOPED_TRACE(seed);
  Random random(seed);
  std::vector<uint32_t> in;
  for (int i = 0; i < 300; ++i) {
    in.push_back(static_cast<uint32_t>(random.between(0, 8)));
    in.push_back(static_cast<uint32_t>(random.between(0, 14)));
    if (in[in.size() - 2] > 2 && in.back() <= 9) in.push_back(static_cast<uint32_t>(random.next()));
  }
  ir::Interpreter interpreter(design, seed);
  for (uint32_t item : in) interpreter.offer("in", llvm::APInt(32, item));
  ASSERT_TRUE(interpreter.run(5'000'000));
  std::vector<uint64_t> out;
  for (const llvm::APInt& item : interpreter.take("out")) out.push_back(item.getZExtValue());
  EXPECT_EQ(out, branches(in));
}

TEST(HlscFront, CompiledDesignsPrintAndParse) {
  const ir::Design design = compile_file(kRoot + "/tests/unit/hw/hlsc/front/designs/branches.cc");
  const std::string text = ir::print(design);
  const ir::Design again = ir::parse(text, "printed");
  ir::verify(again);
  EXPECT_EQ(ir::print(again), text);
}

TEST(HlscFront, TheCoreCompilesWithAllItsProcesses) {
  const ir::Design design = compile_file(kRoot + "/tests/unit/hw/core/hlsc_subset.cc");
  std::vector<std::string> names;
  for (const ir::Process& process : design.processes) names.push_back(process.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"acc_request", "alu", "fetch", "fetch_request", "gemm",
                                             "load_data", "load_request", "store_read",
                                             "store_write", "uop_request"}));
}

// A design whose process has this body, and what the compiler warns about.
struct Warned {
  VariableNames names;
  ir::Design design;
  std::vector<std::string> warnings;
};
Warned compile_body(const std::string& members, const std::string& body) {
  const ScratchFolder folder;
  const std::string path = folder / "warned.cc";
  std::ofstream(path)
      << "#include <cassert>\n#include <cstdio>\n#include \"hw/hls/pragma.h\"\n"
      << "#include \"hw/hls/stream.h\"\ntemplate <class T = uint32_t> struct Kernel {\n"
      << "HLS_STREAM(T, in, 2); HLS_STREAM(T, out, 2); HLS_RAM(T, memory, 16);\n"
      << members << "\nHLS_PROCESS work() { for (;;) {\n"
      << body << "\n} }\n};\ntemplate struct Kernel<>;\n";
  Warned result;
  result.design = compile({path, {kRoot}, {}}, &result.warnings, &result.names);
  return result;
}

TEST(HlscFront, WarnsWithPlaceAndReason) {
  const std::pair<const char*, const char*> cases[] = {
      {"memory[17] = in.read(); out.write(memory[3]);", "warned.cc:9: array index 17"},
      {"out.write(in.read() / 0);", "warned.cc:9: division by zero"},
      {"out.write(in.read() << 40);", "warned.cc:9: shift count"},
      {"uint32_t x; out.write(in.read() + x);", "warned.cc:9: variable 'x' is uninitialized"},
      {"#pragma HLS PIPELINE II=1\nout.write(in.read());", "; PIPELINE: write HLS_PIPELINE("},
      {"#pragma HLS UNROLL\nout.write(in.read());", "; UNROLL: write HLS_UNROLL"},
      {"#pragma HLS array_partition\nout.write(in.read());", "; ARRAY_PARTITION: HLS_REGISTER("},
      {"#pragma HLS ARRAY_PARTITION variable=memory cyclic factor=4 dim=1\nout.write(in.read());",
       "; ARRAY_PARTITION: HLS_INTERLEAVED_RAM(type, name, depth, 4, 1)"},
      {"#pragma HLS ARRAY_PARTITION variable=memory type=block factor=2\nout.write(in.read());",
       "; ARRAY_PARTITION: HLS_BANKED_RAM(type, name, depth, 2)"},
      {"# pragma HLS INTERFACE x\nout.write(in.read());", "; INTERFACE: declare"},
      {"#pragma HLS DATAFLOW\nout.write(in.read());", "; DATAFLOW: write an HLS_PROCESS"}};
  for (const auto& [body, expected] : cases) {
    const Warned warned = compile_body("", body);
    ASSERT_FALSE(warned.warnings.empty()) << body;
    EXPECT_NE(warned.warnings[0].find(expected), std::string::npos) << warned.warnings[0];
  }
  EXPECT_TRUE(compile_body("", "out.write(in.read());").warnings.empty());
}

TEST(HlscFront, WarnsAboutAStreamThatNoProcessUses) {
  const Warned warned = compile_body(
      "template <int n> HLS_PROCESS stage() { for (;;) other.write(n); } HLS_STREAM(T, other, 2);",
      "out.write(in.read());");
  ASSERT_EQ(warned.warnings.size(), 1u);
  EXPECT_NE(warned.warnings[0].find("other: no process uses"), std::string::npos);
}

std::set<std::string> variables_of(const Warned& compiled) {
  std::set<std::string> variables;
  for (const auto& [part, variable] : compiled.names) {
    variables.insert(variable);
    EXPECT_EQ(with_variable_names("register " + part + "_0 is", compiled.names),
              "register " + variable + " (" + part + "_0) is");
  }
  EXPECT_EQ(with_variable_names("in.read()", compiled.names), "in.read()");
  return variables;
}

TEST(HlscFront, KnowsTheVariablesOfParts) {
  const Warned part = compile_body(
      "struct Section { T x[2]; struct { T y1, y2; } past; };",
      "Section s{}; for (;;) { T y = in.read() + s.x[1] + s.past.y2; s.past.y2 = s.past.y1; "
      "s.past.y1 = y; s.x[1] = s.x[0]; s.x[0] = y; out.write(y); }");
  EXPECT_EQ(variables_of(part),
            (std::set<std::string>{"s.x[0]", "s.x[1]", "s.past.y1", "s.past.y2"}));
  const Warned shifted = compile_body("",
                                      "T w[3] = {}; for (;;) { w[2] = w[1]; w[1] = w[0]; "
                                      "w[0] = in.read(); out.write(w[2]); }");
  EXPECT_EQ(variables_of(shifted),
            (std::set<std::string>{"w[0]", "w[1]"}));  // w[2] is written first
}

TEST(HlscFront, DropsAssertionsAndPrints) {
  const Warned with =
      compile_body("", "T x = in.read(); assert(x > 0); printf(\"%u\", x); out.write(x);");
  ASSERT_EQ(with.design.objects.size(), 3u);
  EXPECT_EQ(with.design.processes.size(), 1u);
}

// The loops of a process, but for the endless one around.
size_t num_loops(const Warned& compiled) {
  size_t loops = 0;
  ir::for_each_loop(compiled.design.processes[0].body, [&](const ir::Loop&) { ++loops; });
  return loops - 1;
}

TEST(HlscFront, DividesInALoopBesideAPipelinedOne) {
  const std::string pipelined = "for (T i = 0; i < 9; ++i) { HLS_PIPELINE(1); out.write(i";
  EXPECT_EQ(num_loops(compile_body("", "T x = in.read() / in.read();" + pipelined + " + x); }")),
            2u);
  EXPECT_EQ(num_loops(compile_body("", pipelined + " / in.read()); }")), 1u);
}

TEST(HlscFront, AcceptsANestedStructWithAConstructor) {
  EXPECT_NO_THROW(compile_body("struct F { T v; F(T a) { v = a; } };",
                               "T x = in.read(); F a(x); out.write(a.v);"));
}

// The object of this name.
const ir::Object& object_of(const ir::Design& design, const std::string& name) {
  return *std::ranges::find(design.objects, name, &ir::Object::name);
}

std::vector<uint64_t> initial_of(const ir::Design& design, const std::string& name) {
  std::vector<uint64_t> words;
  for (const llvm::APInt& word : object_of(design, name).initial)
    words.push_back(word.getZExtValue());
  return words;
}

TEST(HlscFront, KeepsInitialValues) {
  const ir::Design design =
      compile_body(
          "struct Pair { uint8_t a; uint16_t b; };\n"
          "static constexpr T five() { return 5; }\n"
          "HLS_RAM(T, some, 4) = {1, five()}; HLS_RAM(const uint8_t, rom, 2) = {7, 8};\n"
          "HLS_RAM(T, zeros, 2) = {}; HLS_RAM(T, none, 2);\n"
          "/* noted: zeros */ HLS_RAM(T, noted, 2) /* all */  // 0\n = {0};\n"
          "HLS_RAM(uint16_t, ends_in_zeros, 12) = {1000, 2};\n"
          "struct Either { union { uint8_t parts[2]; uint16_t all; }; };\n"
          "HLS_RAM(Either, either, 2) = {{{.parts = {1, 2}}}, {{.all = 700}}};\n"
          "HLS_INTERLEAVED_RAM(uint8_t, ways, 4, 2, 1) = {1, 2, 3, 4};\n"
          "HLS_RAM(Pair, pairs, 2) = {{1, 2}, {3, 4}}; HLS_RAM(_BitInt(18), odd, 2) = {-1, 2};\n"
          "struct Made { T v; Made() {} constexpr Made(T a) : v(a) {} };\n"
          "HLS_RAM(Made, made, 2); HLS_REGISTER(Pair, pair) = {9, 10}; HLS_REGISTER(T, plain);\n",
          "const T i = in.read() & 1; none[i] = zeros[i] + some[i] + rom[i] + ways[i] + "
          "pairs[i].b + noted[i];\n"
          "pair.b += i; plain += pair.a + pair.b + static_cast<T>(odd[i]); made[i] = Made(plain);\n"
          "out.write(none[i] + made[i ^ 1].v + ends_in_zeros[i] + either[i].all);")
          .design;
  using Words = std::vector<uint64_t>;
  EXPECT_EQ(initial_of(design, "some"), (Words{1, 5, 0, 0}));
  EXPECT_EQ(initial_of(design, "rom"), (Words{7, 8}));
  EXPECT_EQ(initial_of(design, "zeros"), (Words{0, 0}));
  EXPECT_EQ(initial_of(design, "none"), Words());
  EXPECT_EQ(initial_of(design, "noted"), (Words{0, 0}));
  EXPECT_EQ(initial_of(design, "ends_in_zeros"), (Words{1000, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(initial_of(design, "either"), (Words{0x201, 700}));
  EXPECT_EQ(initial_of(design, "ways_0"), (Words{1, 3}));
  EXPECT_EQ(initial_of(design, "ways_1"), (Words{2, 4}));
  EXPECT_EQ(initial_of(design, "pairs"), (Words{0x20001, 0x40003}));
  EXPECT_EQ(initial_of(design, "odd"), (Words{0xffffffff, 2}));  // as it lies in memory
  EXPECT_EQ(initial_of(design, "made"), Words());
  EXPECT_EQ(initial_of(design, "pair_0"), (Words{9}));
  EXPECT_EQ(initial_of(design, "pair_1"), (Words{10}));
  EXPECT_EQ(initial_of(design, "plain"), Words());
}

struct BadProgram {
  const char* members;
  const char* body;  // of the process; its first line is line 8
  const char* reason;
};

void PrintTo(const BadProgram& bad, std::ostream* stream) {
  *stream << support::case_name(std::string(bad.reason) + " in " + bad.body);
}

class OutsideTheSubset : public testing::TestWithParam<BadProgram> {};

TEST_P(OutsideTheSubset, IsRefusedWithPlaceAndReason) {
  const ScratchFolder folder;
  const std::string path = folder / "hlsc_bad_program.cc";
  std::ofstream(path) << "#include \"hw/hls/burst.h\"\n#include \"hw/hls/pragma.h\"\n"
                      << "#include \"hw/hls/stream.h\"\ntemplate <int = 0> struct Kernel {\n"
                      << "HLS_STREAM(uint32_t, in, 4); HLS_STREAM(uint32_t, out, 4); "
                      << "HLS_RAM(uint32_t, memory, 64); HLS_REGISTER(uint32_t, state); "
                      << GetParam().members << "\nHLS_PROCESS work() { for (;;) {\n\n"
                      << GetParam().body << "\n} }\n};\ntemplate struct Kernel<>;\n";
  const Error error = expect_error([&] { compile_file(path); });
  const std::string message = error.what();
  EXPECT_NE(message.find(GetParam().reason), std::string::npos) << message;
  EXPECT_NE(message.find(path + ":"), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Reasons, OutsideTheSubset,
    testing::Values(
        BadProgram{
            "", "if (!in.empty()) out.write(in.read());",
            "error: 'empty' is unavailable: its result would depend on timing; read() waits"},
        BadProgram{"", "uint32_t x; if (in.read_nb(x)) out.write(x);",
                   "error: 'read_nb' is unavailable: its result would depend on timing"},
        BadProgram{
            "", "if (!out.full()) out.write(in.read());",
            "error: 'full' is unavailable: its result would depend on timing; write() waits"},
        BadProgram{"", "out.write_nb(in.read());",
                   "error: 'write_nb' is unavailable: its result would depend on timing"},
        BadProgram{"HLS_STREAM(uint32_t, none, 0);", "out.write(none.read());",
                   ":8: none has depth 0"},
        BadProgram{"", "float x = in.read(); out.write(x * 2.5f);", "floating point"},
        BadProgram{"", "double x = in.read(); if (x > 3) out.write(1);", "floating point"},
        BadProgram{"static uint32_t f(uint32_t n) { return n < 2 ? n : f(n - 1) + f(n - 2); }",
                   "out.write(f(in.read()));", ":8: recursion: f"},
        BadProgram{"", "uint32_t* p = new uint32_t; *p = in.read(); out.write(*p);",
                   "memory from the heap"},
        BadProgram{"static uint32_t g(uint32_t);", "out.write(g(in.read()));",
                   ":8: a call of g, which has no body"},
        BadProgram{"",
                   "for (uint32_t i = 0; i < state; ++i) { HLS_PIPELINE(1); "
                   "for (uint32_t k = 0; k < in.read(); ++k) out.write(k); }",
                   ":8: a loop inside a pipelined loop"},
        BadProgram{"", "for (uint32_t i = 0; i < 4; ++i) { HLS_PIPELINE(0); out.write(i); }",
                   "the initiation interval must be a constant from 1 to 1024"},
        BadProgram{"",
                   "uint32_t a[65]; for (uint32_t i = 0; i < 8; ++i) a[i] = in.read(); "
                   "out.write(a[in.read() & 7]);",
                   ":8: a local array or struct that needs memory: an index that is not constant "
                   "takes at most 64 entries"},
        BadProgram{"static uint32_t plain[8];", "plain[in.read() & 7] = 1;",
                   "memory that is not an object: plain; declare it in the class, with "
                   "HLS_REGISTER or HLS_RAM"},
        BadProgram{"struct Row { uint32_t v[65]; }; HLS_REGISTER(Row, row);",
                   "row.v[in.read() & 63] = 1;",
                   ":8: a variable index into 65 entries of the register row, at most 64: use "
                   "HLS_RAM"},
        BadProgram{"HLS_INPUT(uint32_t, limit);", "limit = in.read();",
                   "a write of the input limit"},
        BadProgram{"HLS_STREAMS(uint32_t, many, 3, 4);", "out.write(many[3].read());",
                   ":8: an element outside the array of streams: many[3], expected an index from 0 "
                   "to 2"},
        BadProgram{"HLS_STREAMS(uint32_t, many, 3, 4);", "out.write(many[4].read());",
                   ":8: an element outside the array of streams: many[4]"},
        BadProgram{"HLS_STREAMS(uint32_t, many, 4, 4);", "out.write(many[4].read());",
                   ":8: an element outside the array of streams: many[4]"},
        BadProgram{"HLS_STREAMS(uint32_t, many, 4, 4);", "out.write(many[-1].read());",
                   ":8: an element outside the array of streams: many[-1]"},
        BadProgram{"HLS_STREAMS(uint32_t, many, 4, 4);",
                   "auto& one = in.read() > 4 ? many[4] : many[2]; out.write(one.read());",
                   ":8: an element outside the array of streams: many[4]"},
        BadProgram{"HLS_STREAMS(uint32_t, many, 4, 4);",
                   "auto& one = in.read() > 4 ? many[16] : many[2]; out.write(one.read());",
                   ":8: an element outside the array of streams: many[16]"},
        BadProgram{"HLS_STREAM(uint32_t, more, 4);",
                   "static hls::stream<uint32_t, 4>* const which[2] = {&in, &more}; "
                   "out.write(which[in.read() & 1]->read());",
                   ":8: a stream or port that is chosen at run time: use HLS_STREAMS or a "
                   "reference"},
        BadProgram{"HLS_REGISTER(uint32_t*, place);", "place = memory; out.write(in.read());",
                   ": the address of an object as a value"},
        BadProgram{"",
                   "uint32_t (*f)(uint32_t) = reinterpret_cast<uint32_t (*)(uint32_t)>("
                   "static_cast<uint64_t>(in.read())); out.write(f(1));",
                   "a pointer that is not an object"},
        BadProgram{"", "out.write(static_cast<uint32_t>(reinterpret_cast<uint64_t>(&memory[1])));",
                   "hlsc_bad_program.cc:8: "},
        BadProgram{"typedef uint32_t Four __attribute__((vector_size(16)));",
                   "Four f = {1, 2, 3, in.read()}; f = f * f; out.write(f[3]);", "a vector type"},
        BadProgram{"", "out.write(*reinterpret_cast<uint64_t*>(&memory[in.read() & 1]) != 0);",
                   ":8: an access across two words"},
        BadProgram{"",
                   "out.write(*reinterpret_cast<uint32_t*>(reinterpret_cast<uint8_t*>(memory) + "
                   "(in.read() & 3)));",
                   ":8: an access of 4 bytes at a variable multiple of 1"},
        BadProgram{"",
                   "if (in.read()) goto middle; while (state < 5) { ++state; middle: "
                   "out.write(in.read()); }",
                   "a jump into a loop"},
        BadProgram{"", "asm volatile(\"nop\"); out.write(in.read());", ":8: assembly"},
        BadProgram{"", "out.write(__atomic_fetch_add(&state, in.read(), __ATOMIC_SEQ_CST));",
                   ":8: the instruction atomicrmw"},
        BadProgram{"",
                   "uint32_t a[in.read()]; a[0] = 1; a[in.read()] = 2; out.write(a[in.read()]);",
                   "a local array or struct"},
        BadProgram{"struct Big { uint8_t v[1032]; }; HLS_REGISTER(Big, big);",
                   "__builtin_memset(&big, 0, 1032); out.write(in.read());",
                   ":8: a copy or fill of memory of more than 1024 bytes"},
        BadProgram{"", "static uint32_t table[4] = {1, 2, 3, 4}; out.write(table[in.read() & 3]);",
                   ":8: memory that is not an object: table"},
        BadProgram{
            "",
            "static const uint32_t many[2049] = {0x87654321}; out.write(many[in.read() & 1023]);",
            ":8: the table many has 131072 bits, at most 65536: use HLS_RAM"},
        BadProgram{"",
                   "static const float real[4] = {1, 2, 3, 4}; "
                   "out.write(static_cast<uint32_t>(real[in.read() & 3]));",
                   ":8: floating point"},
        BadProgram{"",
                   "static const uint32_t* const which[2] = {&state, &memory[3]}; "
                   "out.write(*which[in.read() & 1]);",
                   ":8: a pointer that is not an object"},
        BadProgram{"static const uint32_t table[4];",
                   "const_cast<uint32_t&>(table[0]) = 1; out.write(table[in.read() & 3]); } }\n"
                   "}; template <int n> const uint32_t Kernel<n>::table[4] = {1, 2, 3, 4};"
                   "template <int = 0> struct Other { HLS_PROCESS none() { for (;;) {",
                   ": a write of the constant table table"},
        BadProgram{"static uint32_t five() { return 5; } HLS_REGISTER(uint32_t, count) = five();",
                   "out.write(++count);",
                   ":5: an initial value of count that is not a constant: use constexpr"},
        BadProgram{"struct Five { uint32_t v; Five() : v(5) {} }; HLS_RAM(Five, fives, 4);",
                   "out.write(fives[in.read() & 3].v);",
                   ":5: an initial value of fives that is not a constant: use constexpr"},
        BadProgram{"HLS_RAM(float, real, 2) = {1.5f, 2};", "out.write(real[in.read() & 1] > 1);",
                   ":5: an initial value of anything but integers"},
        BadProgram{"HLS_INPUT(uint32_t, limit) = 7;", "out.write(limit);",
                   ":5: an initial value of the input limit: it comes from outside; use "
                   "HLS_REGISTER"},
        BadProgram{"HLS_PROCESS other(uint32_t n) { out.write(n); }", "out.write(in.read());",
                   ":5: a parameter of a process: use a stream or an HLS_INPUT"},
        BadProgram{
            "struct Three { uint8_t v[3]; }; HLS_RAM(Three, threes, 8);",
            "const uint8_t* p = &threes[in.read() & 7].v[in.read() & 3]; out.write(p[-1]);",
            ":8: a lane at a variable plus a constant, of 3 lanes: the number of lanes must be a "
            "power of two"},
        BadProgram{"HLS_BANKED_RAM(uint32_t, banked, 64, 2 * 2);", "banked[in.read() & 63] = 1;",
                   ":5: banks of banked: expected an integer, got '2 * 2'"},
        BadProgram{"HLS_BANKED_RAM(uint32_t, banked, 24, 3);", "banked[in.read()] = 1;",
                   ":5: object banked: 3 banks: the number must be a power of two"},
        BadProgram{
            "HLS_BANKED_RAM(uint32_t, banked, 24, 2);", "banked[in.read()] = 1;",
            ":5: object banked: 24 words in 2 banks: the words of each must be a power of two"},
        BadProgram{"HLS_INTERLEAVED_RAM(uint32_t, words, 24, 3, 1);", "words[in.read()] = 1;",
                   ":5: 3 ways of words with 24 words: must be a power of two that divides them"},
        BadProgram{"HLS_INTERLEAVED_RAM(uint32_t, words, 6, 4, 1);", "words[in.read()] = 1;",
                   ":5: 4 ways of words with 6 words: must be a power of two that divides them"},
        BadProgram{"HLS_INTERLEAVED_RAM(uint32_t, words, 16, 4, 4);", "words[in.read()] = 1;",
                   ":5: object words_0: 4 words in 4 banks: the words of each must be a power of "
                   "two"},
        BadProgram{"",
                   "const uint32_t n = in.read(); uint32_t s = 0;\nHLS_UNROLL\n"
                   "for (uint32_t i = 0; i < n; ++i) s += i * n;\nout.write(s);",
                   ":10: HLS_UNROLL before a loop whose trip count is not constant"},
        BadProgram{"",
                   "const uint32_t n = in.read(); uint32_t s = 0;\nHLS_UNROLL\n"
                   "for (uint32_t i = 0; i < 2000; ++i) {\nHLS_UNROLL\n"
                   "for (uint32_t j = 0; j < 2000; ++j) s += (i ^ j) * n;\n}\nout.write(s);",
                   ":12: HLS_UNROLL copies this loop's body 4000000 times, which makes "},
        BadProgram{"",
                   "const uint32_t n = in.read(); uint32_t s = 0;\nHLS_UNROLL\n"
                   "for (uint32_t i = 0; i < 2000; ++i) {\nHLS_UNROLL\n"
                   "for (uint32_t j = 0; j < i; ++j) s += (i ^ j) * n;\n}\nout.write(s);",
                   ":12: HLS_UNROLL copies this loop's body "},
        BadProgram{"",
                   "const uint16_t n = in.read(); uint32_t s = 0;\nHLS_UNROLL\n"
                   "for (uint32_t i = 0; i < n; ++i) s += i * n;\nout.write(s);",
                   ":10: HLS_UNROLL before a loop whose trip count is not constant"},
        BadProgram{"",
                   "const uint32_t n = in.read(); uint32_t s = 0;\nHLS_UNROLL_BY(4)\n"
                   "for (uint32_t i = 0; i < 10; ++i) s += i * n;\nout.write(s);",
                   ":10: HLS_UNROLL_BY(4): the number of iterations is 10, expected a constant "
                   "multiple of 4"},
        BadProgram{"",
                   "const uint32_t n = in.read(); uint32_t s = 0;\nHLS_UNROLL_BY(4)\n"
                   "for (uint32_t i = 0; i < n; ++i) s += i * n;\nout.write(s);",
                   ":10: HLS_UNROLL_BY(4): the number of iterations is unknown"},
        BadProgram{"template <int kLevels> static uint32_t twice(uint32_t v) {\n"
                   "if constexpr (kLevels == 0) return v ^ 3;\n"
                   "else return twice<kLevels - 1>(v) * twice<kLevels - 1>(v + 1); }",
                   "out.write(twice<40>(in.read()));", ":8: this process has "},
        BadProgram{"", "HLS_PIPELINE(in.read()); out.write(1);",
                   "the initiation interval must be a constant from 1 to 1024"},
        BadProgram{"HLS_READ_PORT(port, 2); HLS_PROCESS other() { port.request(64, 1); }",
                   "port.request(in.read(), 1); out.write(static_cast<uint32_t>(port.read()));",
                   ": process work: makes requests of the port port, as process other does"},
        BadProgram{"HLS_STREAM(uint32_t, own, 4);", "own.write(in.read());\nout.write(own.read());",
                   ":9: process work: reads the stream own, and writes it as well"},
        BadProgram{"", "if (in.read() > 4) throw 1;", ":8:"},
        BadProgram{"", "undeclared(in.read());", "undeclared identifier 'undeclared'"}));

TEST(HlscFront, APlaceIsNamedAsItCanBeOpenedFromTheWorkingDirectory) {
  namespace fs = std::filesystem;
  const ScratchFolder folder;
  const std::string source = folder / "design/far.cc";
  for (const char* name : {"design", "here"}) fs::create_directory(folder / name);
  std::ofstream(source) << "#include \"hw/hls/pragma.h\"\n#include \"hw/hls/stream.h\"\n"
                        << "template <int = 0> struct Far {\nHLS_STREAM(uint32_t, in, 2);\n"
                        << "HLS_STREAM(uint32_t, out, 2);\nHLS_PROCESS run() {\n"
                        << "out.write(in.read() * 0.5f); }\n};\ntemplate struct Far<>;\n";
  const fs::path before = fs::current_path();
  const auto refusal = [&](const char* from, const std::string& path,
                           const std::vector<std::string>& include_dirs) -> std::string {
    fs::current_path(folder / from);
    std::string message = "accepted";
    try {
      compile({path, include_dirs, {}});
    } catch (const Error& error) {
      message = error.what();
    }
    fs::current_path(before);
    return message.substr(0, message.find(": "));
  };
  EXPECT_EQ(refusal("here", source, {kRoot}), source + ":7");
  EXPECT_EQ(refusal("here", "../design/far.cc", {kRoot}), "../design/far.cc:7");
  EXPECT_EQ(refusal("design", "far.cc", {kRoot}), "far.cc:7");
  EXPECT_EQ(refusal("design", source, {kRoot}), "far.cc:7");
  // As an #include of it would.
  EXPECT_EQ(refusal("here", source, {kRoot, folder / "."}), "design/far.cc:7");
}

// Also without a condition at its beginning, where the first branch is in the body.
TEST(HlscFront, ALoopHasThePlaceOfItsKeyword) {
  const ScratchFolder folder;
  const std::string path = folder / "loops.cc";
  std::ofstream(path) << "#include \"hw/hls/pragma.h\"\n#include \"hw/hls/stream.h\"\n"
                      << "template <int = 0> struct Loops {\nHLS_STREAM(uint32_t, in, 2);\n"
                      << "HLS_STREAM(uint32_t, out, 2);\nHLS_PROCESS run() {\n"
                      << "for (;;) {\nconst uint32_t n = in.read();\nif (n > 4) out.write(n);\n"
                      << "uint32_t i = 0;\ndo {\nif (i != 3)\nout.write(i);\n} while (++i < n);\n"
                      << "}\n}\n};\ntemplate struct Loops<>;\n";
  const ir::Design design = compile_file(path);
  std::vector<uint32_t> lines;
  for (const ir::Process& process : design.processes) {
    ir::for_each_loop(process.body,
                      [&](const ir::Loop& loop) { lines.push_back(loop.location.line); });
  }
  EXPECT_EQ(lines, (std::vector<uint32_t>{7, 11}));
}

TEST(HlscFront, AFileWithoutAProcessIsRefused) {
  const ScratchFolder folder;
  const std::string path = folder / "hlsc_no_process.cc";
  std::ofstream(path) << "int x;\n";
  EXPECT_THROW(compile_file(path), Error);
  EXPECT_THROW(compile_file(path + ".missing"), Error);
}

}  // namespace
}  // namespace vta::hlsc::front
