// SPDX-License-Identifier: Apache-2.0
#include <llvm/ADT/StringRef.h>

#include <cctype>
#include <map>
#include <optional>

#include "base/errors/error.h"
#include "hw/hlsc/ir/identifier.h"
#include "hw/hlsc/ir/text.h"

namespace vta::hlsc::ir {
namespace {

constexpr uint32_t kMaxWidth = 1 << 16;  // bits; also keeps damaged text from asking for gigabytes
constexpr int kMaxDepth = 64;            // nested loops

struct Token {
  enum Kind { kWord, kNumber, kString, kPunctuation, kEnd } kind = kEnd;
  std::string text;
  uint32_t line = 1;
};

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& source) : text_(text), source_(source) { next(); }

  const Token& peek() const { return token_; }
  Token take() {
    Token taken = token_;
    next();
    return taken;
  }
  bool accept(std::string_view text) {
    if (token_.kind == Token::kEnd || token_.kind == Token::kString || token_.text != text) {
      return false;
    }
    next();
    return true;
  }
  void expect(std::string_view text) {
    if (!accept(text)) refuse(fmt::format("expected '{}'", text));
  }
  [[noreturn]] void refuse(const std::string& reason) const {
    fail(ErrorCode::kInvalidArgument, "{}:{}: {} at '{}'", source_, token_.line, reason,
         token_.kind == Token::kEnd ? "end of text" : token_.text);
  }
  std::string word() {
    if (token_.kind != Token::kWord) refuse("expected a name");
    return take().text;
  }
  uint32_t number(uint32_t limit) {
    uint64_t value = 0;
    if (token_.kind != Token::kNumber) refuse("expected a number");
    for (char c : token_.text) {
      if (!std::isdigit(static_cast<unsigned char>(c))) refuse("expected a decimal number");
      value = value * 10 + static_cast<uint64_t>(c - '0');
      if (value > limit) refuse(fmt::format("expected a number up to {}", limit));
    }
    next();
    return static_cast<uint32_t>(value);
  }

 private:
  void next() {
    skip_space();
    token_ = Token{Token::kEnd, "", line_};
    if (at_ == text_.size()) return;
    const char c = text_[at_];
    if (c == '"') return string();
    if (!is_identifier_char(c)) {
      token_ = Token{Token::kPunctuation, std::string(1, c), line_};
      ++at_;
      return;
    }
    const size_t begin = at_;
    while (at_ < text_.size() && is_identifier_char(text_[at_])) ++at_;
    token_.text = text_.substr(begin, at_ - begin);
    token_.kind = std::isdigit(static_cast<unsigned char>(c)) ? Token::kNumber : Token::kWord;
  }
  void string() {
    const size_t end = text_.find_first_of("\"\n", at_ + 1);
    if (end == std::string_view::npos || text_[end] == '\n') refuse("a string without end");
    token_ = Token{Token::kString, std::string(text_.substr(at_ + 1, end - at_ - 1)), line_};
    at_ = end + 1;
  }
  void skip_space() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size() - 1);
      if (text_[at_] == '\n') ++line_;
      if (c != '#' && !std::isspace(static_cast<unsigned char>(c))) break;
    }
  }

  std::string_view text_;
  const std::string& source_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  Token token_;
};

Location location(Lexer& lexer) {
  if (!lexer.accept("@")) return {};
  if (lexer.peek().kind != Token::kString) lexer.refuse("expected a file name in quotes");
  Location result;
  result.file = lexer.take().text;
  lexer.expect(":");
  result.line = lexer.number(~0u);
  return result;
}

std::optional<Opcode> opcode_of(const std::string& word) {
  for (size_t i = 0; i < kNumOpcodes; ++i) {
    if (word == mnemonic(static_cast<Opcode>(i))) return static_cast<Opcode>(i);
  }
  return std::nullopt;
}

// A number of at most `width` bits.
llvm::APInt constant(Lexer& lexer, const std::string& text, uint32_t width) {
  const bool is_hex = text.starts_with("0x") && text.size() > 2;
  const std::string digits = is_hex ? text.substr(2) : text;
  const std::string_view allowed = is_hex ? "0123456789abcdefABCDEF" : "0123456789";
  const uint8_t radix = is_hex ? 16 : 10;
  llvm::APInt value;
  const bool is_number = !digits.empty() && digits.find_first_not_of(allowed) == std::string::npos;
  if (is_number)
    value = llvm::APInt(llvm::APInt::getSufficientBitsNeeded(digits, radix), digits, radix);
  if (width == 0 || value.getActiveBits() > width || !is_number)
    lexer.refuse(fmt::format("'{}' is not a constant of {} bits; found", text, width));
  return value.zextOrTrunc(width);
}

class ProcessParser {
 public:
  ProcessParser(Lexer& lexer, const std::map<std::string, ObjectId>& objects)
      : lexer_(lexer), objects_(objects) {}

  Process parse() {
    process_.name = lexer_.word();
    process_.location = location(lexer_);
    lexer_.expect("{");
    sequence(process_.body, 0);
    return std::move(process_);
  }

 private:
  void sequence(Sequence& sequence, int depth) {
    while (!lexer_.accept("}")) {
      if (lexer_.accept("loop")) {
        if (depth == kMaxDepth)
          lexer_.refuse(fmt::format("loops are nested deeper than {}", kMaxDepth));
        sequence.push_back(loop(depth));
      } else {
        sequence.push_back(operation());
      }
    }
  }

  std::unique_ptr<Loop> loop(int depth) {
    auto loop = std::make_unique<Loop>();
    loop->name = lexer_.word();
    lexer_.expect("if");
    loop->predicate = operand();
    if (lexer_.accept("ii")) loop->initiation_interval = lexer_.number(1024);
    loop->location = location(lexer_);
    lexer_.expect("{");
    std::vector<Token> nexts;
    while (lexer_.accept("phi")) nexts.push_back(phi(*loop));
    sequence(loop->head, depth + 1);
    lexer_.expect("while");
    loop->condition = operand();
    lexer_.expect("{");
    sequence(loop->body, depth + 1);
    for (size_t i = 0; i < nexts.size(); ++i) loop->phis[i].next = resolve(nexts[i]);
    return loop;
  }

  // Only the next value of a phi may be named before its definition. A constant is created at once.
  Token phi(Loop& loop) {
    Op op;
    op.opcode = Opcode::kPhi;
    const Token name = lexer_.take();
    lexer_.expect(":");
    op.width = lexer_.number(kMaxWidth);
    const ValueId value = define(name, std::move(op));
    lexer_.expect("=");
    const ValueId init = operand();
    lexer_.expect(",");
    Token next = lexer_.peek();
    if (next.kind == Token::kNumber) {
      next.text = fmt::format("%constant.{}", process_.ops.size());
      values_[next.text] = operand();
    } else {
      lexer_.take();
    }
    loop.phis.push_back({value, init, kNoValue});
    return next;
  }

  ValueId resolve(const Token& token) {
    const auto found = values_.find(token.text);
    if (found == values_.end())
      lexer_.refuse(fmt::format("the value {} is not defined", token.text));
    return found->second;
  }

  ValueId define(const Token& name, Op op) {
    if (name.text.empty() || name.text[0] != '%') lexer_.refuse("expected the name of a value");
    const size_t dot = name.text.find('.');
    if (dot != std::string::npos) op.name = name.text.substr(dot + 1);
    const ValueId value = add_op(process_, std::move(op));
    if (!values_.emplace(name.text, value).second) {
      lexer_.refuse(fmt::format("the value {} is defined twice", name.text));
    }
    return value;
  }

  ValueId operand() {
    if (lexer_.peek().kind != Token::kNumber) return resolve(lexer_.take());
    const std::string digits = lexer_.take().text;
    lexer_.expect(":");
    const uint32_t width = lexer_.number(kMaxWidth);
    return constant(digits, width);
  }

  ValueId constant(const std::string& text, uint32_t width) {
    Op op;
    op.width = width;
    op.constant = hlsc::ir::constant(lexer_, text, width);
    return add_op(process_, std::move(op));
  }

  ValueId operation() {
    Token name;
    Op op;
    if (lexer_.peek().text.starts_with("%")) {
      name = lexer_.take();
      lexer_.expect(":");
      op.width = lexer_.number(kMaxWidth);
      lexer_.expect("=");
    }
    const auto opcode = opcode_of(lexer_.peek().text);
    if (!opcode || *opcode == Opcode::kPhi || *opcode == Opcode::kConstant) {
      lexer_.refuse("expected an operation");
    }
    lexer_.take();
    op.opcode = *opcode;
    op.is_signed = lexer_.accept("signed");
    if (has_object(op.opcode)) op.object = object();
    if (lexer_.accept("[")) {
      op.offset = lexer_.number(kMaxWidth);
      lexer_.expect("]");
    }
    op.operands.push_back(operand());
    while (lexer_.accept(",")) op.operands.push_back(operand());
    op.location = location(lexer_);
    if (!name.text.empty()) return define(name, std::move(op));
    return add_op(process_, std::move(op));
  }

  ObjectId object() {
    const auto found = objects_.find(lexer_.peek().text);
    if (found == objects_.end()) lexer_.refuse("expected the name of an object");
    lexer_.take();
    return found->second;
  }

  Lexer& lexer_;
  const std::map<std::string, ObjectId>& objects_;
  std::map<std::string, ValueId> values_;
  Process process_;
};

std::optional<ObjectKind> object_kind(const std::string& word) {
  static const std::map<std::string, ObjectKind> kKinds = {{"ram", ObjectKind::kRam},
                                                           {"register", ObjectKind::kRegister},
                                                           {"input", ObjectKind::kInput},
                                                           {"stream", ObjectKind::kStream},
                                                           {"read_port", ObjectKind::kReadPort},
                                                           {"write_port", ObjectKind::kWritePort}};
  const auto found = kKinds.find(word);
  return found == kKinds.end() ? std::nullopt : std::optional(found->second);
}

Object parse_object(Lexer& lexer, ObjectKind kind) {
  constexpr uint32_t kMaxWords = 1 << 24;
  Object object;
  object.kind = kind;
  object.name = lexer.word();
  const bool port = kind == ObjectKind::kReadPort || kind == ObjectKind::kWritePort;
  if (port) object.width = 64;
  if (!port) {
    lexer.expect(":");
    object.width = lexer.number(kMaxWidth);
  }
  if (kind != ObjectKind::kRegister && kind != ObjectKind::kInput) {
    lexer.expect("x");
    object.depth = lexer.number(kMaxWords);
  }
  if (kind == ObjectKind::kRam) {
    lexer.expect("lanes");
    object.lane_width = lexer.number(kMaxWidth);
    lexer.expect("banks");
    object.banks = lexer.number(1024);
  }
  if (lexer.accept("=")) {
    do object.initial.push_back(constant(lexer, lexer.take().text, object.width));
    while (lexer.accept(","));
  }
  object.location = location(lexer);
  return object;
}

}  // namespace

Design parse(std::string_view text, const std::string& source_name) {
  Lexer lexer(text, source_name);
  Design design;
  std::map<std::string, ObjectId> objects;
  lexer.expect("design");
  design.name = lexer.word();
  while (lexer.peek().kind != Token::kEnd) {
    if (lexer.accept("process")) {
      design.processes.push_back(ProcessParser(lexer, objects).parse());
      continue;
    }
    const auto kind = object_kind(lexer.peek().text);
    if (!kind) lexer.refuse("expected an object or a process");
    lexer.take();
    Object object = parse_object(lexer, *kind);
    if (!objects.emplace(object.name, static_cast<ObjectId>(design.objects.size())).second) {
      lexer.refuse(fmt::format("the name {} is taken by another object; found", object.name));
    }
    design.objects.push_back(std::move(object));
  }
  return design;
}

}  // namespace vta::hlsc::ir
