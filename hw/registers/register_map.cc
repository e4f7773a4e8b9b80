// SPDX-License-Identifier: Apache-2.0
#include "hw/registers/register_map.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <string_view>

#include "hw/registers/registers.h"

namespace vta::hw {
namespace {

struct BitsInfo {
  std::string_view owner;  // name of the register
  std::string_view name;
  uint32_t lsb, width;
  std::string_view description;
};
constexpr BitsInfo kBitsTable[] = {
#define VTA_REGISTER_BITS(register, name, lsb, width, description) \
  {#register, #name, lsb, width, description},
#include "hw/registers/registers.def"
};

struct Number {
  std::string_view name;
  uint32_t value;
  std::string_view description;
};
constexpr Number kValues[] = {
#define VTA_REGISTER_VALUE(register, value) {#register, value, ""},
#include "hw/registers/registers.def"
};
constexpr Number kFaults[] = {
#define VTA_FAULT(enumerator, code, name, value) {name, code, ""},
#include "hw/isa/faults.def"
};
constexpr Number kStages[] = {
#define VTA_STAGE(name, number) {#name, number, ""},
#include "hw/registers/registers.def"
};
constexpr Number kStageStates[] = {
#define VTA_STAGE_STATE(name, number, description) {#name, number, description},
#include "hw/registers/registers.def"
};

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

std::string constant(int width, std::string_view name, uint32_t value) {
  return fmt::format("  localparam [{}:0] {} = {}'h{:X};\n", width - 1, name, width, value);
}

std::string offsets() {
  std::string text = "  // Offsets in bytes; of the low word for 64-bit registers.\n";
  for (const RegisterInfo& info : kRegisters) text += constant(12, upper(info.name), info.offset);
  return text;
}

std::string bits() {
  std::string text = "\n  // Bit fields: the number of the lowest bit.\n";
  for (const BitsInfo& info : kBitsTable) {
    text +=
        fmt::format("  localparam {}_{} = {};\n", upper(info.owner), upper(info.name), info.lsb);
  }
  text += "\n";
  for (const Number& value : kValues)
    text += constant(32, upper(value.name) + "_VALUE", value.value);
  return text;
}

std::string stages() {
  std::string text = "\n  // Stages, and the states in which cycles are counted.\n";
  for (const Number& stage : kStages)
    text += constant(3, "STAGE_" + upper(stage.name), stage.value);
  for (const Number& state : kStageStates) {
    text += constant(3, "STATE_" + upper(state.name), state.value);
  }
  return text;
}

std::string faults() {
  std::string text = "\n  // Fault codes of hw/isa/faults.def.\n";
  for (const Number& fault : kFaults) {
    std::string name = "FAULT_" + upper(fault.name);
    for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    text += constant(8, name, fault.value);
  }
  return text;
}

// One bit per word; the first digit is for the last words.
std::string mapped_words() {
  constexpr uint32_t kWords = kMappedBytes / 4;
  std::array<uint32_t, kWords / 4> digits{};
  for (const RegisterInfo& info : kRegisters) {
    for (uint32_t word = info.offset / 4; word < (info.offset + info.bits / 8) / 4; ++word) {
      digits[word / 4] |= 1u << word % 4;
    }
  }
  std::string text = fmt::format(
      "\n  // Mapped words, one bit for each, from offset 0 on.\n"
      "  localparam MAPPED_WORDS = {0};\n"
      "  localparam [MAPPED_WORDS-1:0] MAPPED = {{\n",
      kWords);
  for (size_t i = digits.size(); i > 0; i -= 16) {
    text += "    64'h";
    for (size_t j = 1; j <= 16; ++j) text += fmt::format("{:X}", digits[i - j]);
    text += i > 16 ? ",\n" : "\n";
  }
  return text + "  };\n";
}

std::string_view access_text(RegisterAccess access) {
  switch (access) {
    case RegisterAccess::kReadOnly:
      return "read";
    case RegisterAccess::kReadWrite:
      return "read, write";
    case RegisterAccess::kCommand:
      return "write";
  }
  return "";
}

std::string register_rows() {
  std::string text = "| offset | register | bits | access | what |\n|---|---|---|---|---|\n";
  for (const RegisterInfo& info : kRegisters) {
    text += fmt::format("| 0x{:03X} | `{}` | {} | {} | {} |\n", info.offset, info.name, info.bits,
                        access_text(info.access), info.description);
  }
  return text;
}

std::string bits_rows() {
  std::string text = "\n| register | bits | name | what |\n|---|---|---|---|\n";
  for (const BitsInfo& info : kBitsTable) {
    const std::string place = info.width == 1
                                  ? fmt::format("{}", info.lsb)
                                  : fmt::format("{}-{}", info.lsb, info.lsb + info.width - 1);
    text +=
        fmt::format("| `{}` | {} | `{}` | {} |\n", info.owner, place, info.name, info.description);
  }
  return text;
}

std::string stage_rows() {
  std::string text = "\n| stage | number |\n|---|---|\n";
  for (const Number& stage : kStages) text += fmt::format("| {} | {} |\n", stage.name, stage.value);
  text += "\n| state of a stage | number | the stage |\n|---|---|---|\n";
  for (const Number& state : kStageStates) {
    text += fmt::format("| `{}` | {} | {} |\n", state.name, state.value, state.description);
  }
  return text;
}

}  // namespace

std::string register_package() {
  return "// SPDX-License-Identifier: Apache-2.0\n"
         "//\n"
         "// The control registers. Generated from hw/registers/registers.def: `register_map "
         "package`.\n"
         "// No module uses all of it.\n"
         "/* verilator lint_off UNUSEDPARAM */\n"
         "package vta_registers_pkg;\n" +
         offsets() + bits() + stages() + faults() + mapped_words() +
         "endpackage\n"
         "/* verilator lint_on UNUSEDPARAM */\n";
}

std::string register_tables() {
  return "<!-- generated by register_map: registers -->\n" + register_rows() + bits_rows() +
         stage_rows() + "<!-- end of registers -->\n";
}

}  // namespace vta::hw
