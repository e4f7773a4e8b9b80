// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/clang.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>

#include "base/command_line/command_line.h"
#include "base/command_line/removed_scratch_folder.h"
#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/file_roles.h"
#include "base/limits/subprocess.h"
#include "hw/hlsc/front/pragma_advice.h"

namespace vta::hlsc::front {
namespace {

namespace fs = std::filesystem;

// Where clang lists the files that it has read.
std::string list_of_files(const std::string& bitcode) { return bitcode + ".d"; }

// No optimization: llvm_passes.cc has the passes.
std::vector<std::string> arguments(const Source& source, const std::string& output) {
  std::vector<std::string> result = {VTA_CLANG,
                                     "-x",
                                     "c++",
                                     "-std=c++14",
                                     "-ffreestanding",
                                     "-fno-exceptions",
                                     "-fno-rtti",
                                     "-fno-threadsafe-statics",
                                     "-D__HLSC__",
                                     "-O1",
                                     "-Xclang",
                                     "-disable-llvm-passes",
                                     "-Xclang",
                                     "-mno-constructor-aliases",  // always-inline follows none
                                     "-DNDEBUG",                  // assert() checks natively only
                                     "-fno-discard-value-names",
                                     "-g",  // places, and variables for messages
                                     "-Wno-undefined-var-template",
                                     "-Wno-c++17-extensions",
                                     "-Wuninitialized",
                                     "-Wsometimes-uninitialized",
                                     "-Wunknown-pragmas",
                                     "-fno-color-diagnostics",
                                     "-emit-llvm",
                                     "-c"};
  for (const std::string& folder : source.include_dirs) result.push_back("-I" + folder);
  for (const std::string& define : source.defines) result.push_back("-D" + define);
  result.insert(result.end(), {"-MMD", "-MF", list_of_files(output), source.path, "-o", output});
  return result;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// clang's first error: a line "file:line:column: error: ...".
std::string first_error(const std::string& log) {
  for (const std::string& line : lines_of(log)) {
    if (line.find("error: ") != std::string::npos) return line;
  }
  return "clang failed without an error message";
}

// clang's warnings: lines "file:line:column: warning: ...", each once, although clang repeats one
// for each instantiation of a template.
std::vector<std::string> warnings_of(const std::string& log) {
  std::vector<std::string> warnings;
  for (const std::string& line : lines_of(log)) {
    constexpr std::string_view kMark = ": warning: ";
    const size_t mark = line.find(kMark);
    if (mark == std::string::npos) continue;
    const size_t column = line.rfind(':', mark - 1);
    const std::string place = line.substr(0, column), text = line.substr(mark + kMark.size());
    std::string warning = place + ": " + text + pragma_advice(place, text);
    if (std::ranges::count(warnings, warning) == 0) warnings.push_back(std::move(warning));
  }
  return warnings;
}

// clang names a file from a folder that it chooses. The name stays where it is right from the
// working directory or, as #include has it, from an -I folder; else the folder goes in front.
std::string openable_name(const llvm::DIFile& file, const Source& source) {
  const fs::path name = file.getFilename().str(), folder = file.getDirectory().str();
  if (name.is_absolute() || folder.empty()) return name;
  std::error_code unknown;
  if (fs::equivalent(folder / name, name, unknown)) return name;
  for (const std::string& include : source.include_dirs) {
    if (fs::equivalent(folder, include, unknown)) return name;
  }
  return (folder / name).lexically_normal();
}

// The files that have code; headers that hold only types and macros are not among them.
std::set<llvm::DIFile*> source_files(llvm::Module& module) {
  std::set<llvm::DIFile*> files;
  for (llvm::Function& function : module) {
    if (function.getSubprogram() != nullptr) files.insert(function.getSubprogram()->getFile());
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (const llvm::DILocation* place = instruction.getDebugLoc().get())
        files.insert(place->getFile());
    }
  }
  files.erase(nullptr);
  return files;
}

void name_files(llvm::Module& module, const Source& source) {
  for (llvm::DIFile* file : source_files(module)) {
    const std::string name = openable_name(*file, source);
    file->replaceOperandWith(0, llvm::MDString::get(module.getContext(), name));  // 0: its name
  }
}

// The prerequisites of a rule as clang writes it for make: "module.bc: a.cc \\" and so on, where a
// space in a name is "\\ ", a dollar "$$".
std::vector<std::string> prerequisites(const std::string& rule) {
  std::vector<std::string> names(1);
  const size_t colon = rule.find(": ");
  for (size_t i = colon == std::string::npos ? rule.size() : colon + 2; i < rule.size(); ++i) {
    const bool is_escape =
        i + 1 < rule.size() && ((rule[i] == '\\' && (rule[i + 1] == ' ' || rule[i + 1] == '#')) ||
                                (rule[i] == '$' && rule[i + 1] == '$'));
    if (is_escape) {
      names.back() += rule[++i];
    } else if (rule[i] == ' ' || rule[i] == '\n' || (rule[i] == '\\' && rule[i + 1] == '\n')) {
      if (!names.back().empty()) names.emplace_back();
    } else {
      names.back() += rule[i];
    }
  }
  if (names.back().empty()) names.pop_back();
  return names;
}

}  // namespace

std::unique_ptr<llvm::Module> run_clang(const Source& source, llvm::LLVMContext& context,
                                        std::vector<std::string>& warnings) {
  if (!fs::is_regular_file(source.path)) {
    fail(ErrorCode::kNotFound, "{}: no such file", source.path);
  }
  const RemovedScratchFolder scratch;
  const std::string bitcode = scratch.folder() / "module.bc";
  const FinishedProcess clang = run_process(arguments(source, bitcode));
  const std::string log = clang.out + clang.err;
  if (clang.status != 0) fail(ErrorCode::kInvalidArgument, "{}", first_error(log));
  for (const std::string& file : prerequisites(read_text_file(list_of_files(bitcode))))
    note_input(file);
  warnings = warnings_of(log);
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(bitcode, diagnostic, context);
  if (module == nullptr) {
    fail(ErrorCode::kIo, "{}: {}", bitcode, diagnostic.getMessage().str());
  }
  module->setIsNewDbgInfoFormat(true);  // variables are not instructions
  name_files(*module, source);
  return module;
}

}  // namespace vta::hlsc::front
