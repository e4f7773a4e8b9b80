// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

#include "base/errors/error.h"
#include "base/numbers/parse_number.h"
#include "hw/isa/mnemonic.h"

namespace vta::isa {
namespace {

constexpr size_t kMaxShownChars = 32;  // of an unexpected word, in a message
// At least as wide as every legal core (sram_base addresses 2^16 elements), for lines without a
// core.
constexpr IsaWidths kWidestCore{16, 16, 16, 16};
constexpr const char* kMnemonics =
    "a mnemonic (load.MEMORY, store.MEMORY, gemm, alu.OPERATION, finish, .word)";

// An empty line, an instruction, or the bits of a .word.
using Line = std::variant<std::monostate, Instruction, InstructionBits>;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

// One line, read from left to right.
class LineParser {
 public:
  LineParser(std::string_view line, const IsaWidths& widths)
      : line_(line.substr(0, line.find_first_of(";#"))), widths_(widths) {}

  Line parse() {
    skip_blanks();
    if (at_end()) return {};
    const size_t start = pos_;
    const std::string_view word = take_word();
    if (word == ".word") return parse_bits();
    const std::optional<Instruction> head = parse_mnemonic(word);
    if (!head) expected(start, kMnemonics);
    instruction_ = *head;
    if (instruction_.split && !has_split(instruction_)) {
      expected(start, "a mnemonic without .split (this instruction has none)");
    }
    parse_items();
    return instruction_;
  }

 private:
  bool at_end() const { return pos_ == line_.size(); }

  void skip_blanks() {
    while (!at_end() && is_blank(line_[pos_])) ++pos_;
  }

  std::string_view take_word() {
    const size_t start = pos_;
    while (!at_end() && is_word_char(line_[pos_])) ++pos_;
    return line_.substr(start, pos_ - start);
  }

  // The text at `start`, for messages: a word, or one other character.
  std::string found_at(size_t start) const {
    if (start >= line_.size()) return "the end of the line";
    size_t end = start;
    while (end < line_.size() && is_word_char(line_[end])) ++end;
    std::string found(line_.substr(start, std::max<size_t>(end - start, 1)));
    if (found.size() > kMaxShownChars) found = found.substr(0, kMaxShownChars) + "...";
    for (char& c : found) {
      if (c < ' ' || c > '~') c = '?';
    }
    return "'" + found + "'";
  }

  [[noreturn]] void expected(size_t start, const std::string& what) const {
    fail(ErrorCode::kInvalidArgument, "column {}: expected {}, got {}", start + 1, what,
         found_at(start));
  }

  void expect(char c) {
    if (at_end() || line_[pos_] != c) expected(pos_, fmt::format("'{}'", c));
    ++pos_;
  }

  // Reads one word; nullopt if it is not a decimal or 0x number.
  std::optional<int64_t> take_number() {
    std::string_view word = take_word();
    const bool negative = word.starts_with('-');
    if (negative) word.remove_prefix(1);
    const bool hex = word.starts_with("0x");
    if (hex) word.remove_prefix(2);
    const auto value = parse_number<uint32_t>(word, hex ? 16 : 10);
    if (!value) return std::nullopt;
    return negative ? -int64_t{*value} : int64_t{*value};
  }

  void parse_field(int id) {
    skip_blanks();
    const size_t start = pos_;
    const FieldRange range = field_range(id, widths_);
    const std::optional<int64_t> value = take_number();
    if (!value || *value < range.min || *value > range.max) {
      expected(start, fmt::format("{} ({} to {})", kFieldTable[id].name, range.min, range.max));
    }
    kFieldTable[id].set(instruction_, *value);
  }

  void parse_operand(const Operand& operand) {
    skip_blanks();
    expect('=');
    skip_blanks();
    if (operand.count == 1) return parse_field(operand.first);
    expect('[');
    for (int i = 0; i < operand.count; ++i) {
      if (i > 0) expect(',');
      parse_field(operand.first + i);
      skip_blanks();
    }
    expect(operand.half_open ? ')' : ']');
  }

  // Records that `word` is at `start`. Each flag and operand may occur once.
  void note(std::string_view word, size_t start) {
    if (is_present(word)) expected(start, "a flag or operand that is not there yet");
    seen_.push_back(word);
  }
  bool is_present(std::string_view word) const {
    return std::find(seen_.begin(), seen_.end(), word) != seen_.end();
  }

  bool parse_flag(std::string_view word) {
    for (const int id : flag_fields()) {
      if (word != kFieldTable[id].name) continue;
      kFieldTable[id].set(instruction_, 1);
      return true;
    }
    return word == "use_src" && instruction_.opcode == kAlu;
  }

  void parse_items() {
    const std::span<const Operand> operands = operands_of(instruction_.opcode);
    bool has_operands = false;
    for (skip_blanks(); !at_end(); skip_blanks()) {
      const size_t start = pos_;
      const std::string_view word = take_word();
      const auto operand = std::find_if(operands.begin(), operands.end(),
                                        [&](const Operand& o) { return word == o.key; });
      if (operand == operands.end() && !parse_flag(word)) expected(start, known_items(operands));
      note(word, start);
      if (operand == operands.end()) continue;
      parse_operand(*operand);
      has_operands = true;
    }
    if (has_operands) require_operands(operands);
    if (instruction_.opcode == kAlu) resolve_use_imm();
  }

  std::string known_items(std::span<const Operand> operands) const {
    std::string text = "one of";
    for (const int id : flag_fields()) text.append(" ").append(kFieldTable[id].name);
    if (instruction_.opcode == kAlu) text += " use_src";
    for (const Operand& operand : operands) text.append(" ").append(operand.key).append("=");
    return text;
  }

  void require_operands(std::span<const Operand> operands) const {
    for (const Operand& operand : operands) {
      if (operand.required && !is_present(operand.key)) {
        expected(line_.size(), fmt::format("'{}='", operand.key));
      }
    }
  }

  // An immediate replaces the source operand unless `use_src` says that both are meant.
  void resolve_use_imm() {
    if (is_present("use_src") && !is_present("imm")) {
      expected(line_.size(), "'imm=' (use_src requires an immediate)");
    }
    instruction_.use_imm = is_present("imm") && !is_present("use_src") ? 1 : 0;
  }

  uint64_t parse_bits_word(const char* which) {
    skip_blanks();
    const size_t start = pos_;
    const std::string_view word = take_word();
    const auto value =
        word.starts_with("0x") ? parse_number<uint64_t>(word.substr(2), 16) : std::nullopt;
    if (!value)
      expected(start, fmt::format("the {} word (0x and up to 16 hexadecimal digits)", which));
    return *value;
  }

  Line parse_bits() {
    InstructionBits bits;
    bits.hi = parse_bits_word("high");
    bits.lo = parse_bits_word("low");
    skip_blanks();
    if (!at_end()) expected(pos_, "the end of the line");
    return bits;
  }

  std::string_view line_;
  IsaWidths widths_;
  size_t pos_ = 0;
  Instruction instruction_;
  std::vector<std::string_view> seen_;
};

InstructionBits encode_line(const Line& line, const CoreConfig& config) {
  if (const auto* bits = std::get_if<InstructionBits>(&line)) return *bits;
  return encode(std::get<Instruction>(line), config);
}

}  // namespace

std::optional<Instruction> assemble_line(const std::string& line) {
  const Line parsed = LineParser(line, kWidestCore).parse();
  if (std::holds_alternative<InstructionBits>(parsed)) {
    fail(ErrorCode::kInvalidArgument, "expected an instruction, got '.word'");
  }
  if (const auto* instruction = std::get_if<Instruction>(&parsed)) return *instruction;
  return std::nullopt;
}

std::vector<InstructionBits> assemble(const std::string& text, const std::string& origin,
                                      const CoreConfig& config) {
  const IsaWidths widths = widths_of(config);
  std::vector<InstructionBits> stream;
  std::string_view rest = text;
  for (size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    with_context(fmt::format("{}:{}", origin, number), [&] {
      const Line parsed = LineParser(line, widths).parse();
      if (!std::holds_alternative<std::monostate>(parsed)) {
        stream.push_back(encode_line(parsed, config));
      }
    });
  }
  return stream;
}

}  // namespace vta::isa
