// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/refuse.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

#include <vector>

#include "base/errors/error.h"

namespace vta::hlsc::front {
namespace {

// The index after the closing parenthesis of the group that starts at `begin`.
size_t end_of_group(const std::string& name, size_t begin) {
  int depth = 0;
  for (size_t i = begin; i < name.size(); ++i) {
    if (name[i] == '(') ++depth;
    if (name[i] == ')' && --depth == 0) return i + 1;
  }
  return name.size();
}

// The parts of a qualified name without template arguments and parameters: of a function's own
// variable `D::run()::t`, the last one is t.
std::vector<std::string> parts(const std::string& mangled) {
  const std::string name = llvm::demangle(mangled);
  std::vector<std::string> result(1);
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '(' && depth == 0) {
      i = name.find("::", end_of_group(name, i));
      if (i == std::string::npos) break;
      --i;
      continue;
    }
    if (c == '<') ++depth;
    if (depth == 0 && c == ':' && i + 1 < name.size() && name[i + 1] == ':') {
      result.emplace_back();
      ++i;
    } else if (depth == 0) {
      result.back() += c == ' ' ? std::string() : std::string(1, c);
    }
    if (c == '>') --depth;
  }
  return result;
}

// In hw/hls, the line of the caller is meant.
bool is_hls_header(llvm::StringRef file) {
  return file.contains("hw/hls/") && file.ends_with(".h");
}

ir::Location location_of(const llvm::DILocation* place) {
  if (place == nullptr) return {};
  while (is_hls_header(place->getFilename()) && place->getInlinedAt() != nullptr) {
    place = place->getInlinedAt();
  }
  return {place->getFilename().str(), place->getLine()};
}

}  // namespace

ir::Location location_of(const llvm::Instruction& instruction) {
  return location_of(instruction.getDebugLoc().get());
}

// The header's terminator is in the condition, or, without one, the first branch of the body.
ir::Location location_of(const llvm::Loop& loop) {
  const llvm::DILocation* start = loop.getLoopID() == nullptr ? nullptr : loop.getStartLoc().get();
  return start == nullptr ? location_of(*loop.getHeader()->getTerminator()) : location_of(start);
}

ir::Location location_of(const llvm::Function& function) {
  const llvm::DISubprogram* program = function.getSubprogram();
  if (program == nullptr) return {};
  return {program->getFilename().str(), program->getLine()};
}

void refuse(const ir::Location& location, const std::string& reason) {
  fail(ErrorCode::kInvalidArgument, "{}:{}: {}", location.file, location.line, reason);
}

void refuse(const llvm::Instruction& instruction, const std::string& reason) {
  ir::Location place = location_of(instruction);
  if (place.line == 0) place = location_of(*instruction.getFunction());
  refuse(place, reason);
}

std::string member_name(const std::string& mangled) { return parts(mangled).back(); }

std::string class_name(const std::string& mangled) {
  const std::vector<std::string> all = parts(mangled);
  return all.size() < 2 ? "" : all[all.size() - 2];
}

}  // namespace vta::hlsc::front
