// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/clang.h"

#include <fcntl.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>

#include "base/errors/error.h"
#include "base/files/scratch_folder.h"
#include "hw/hlsc/front/pragma_advice.h"

namespace vta::hlsc::front {
namespace {

namespace fs = std::filesystem;

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
                                     "-gline-tables-only",
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
  result.insert(result.end(), {source.path, "-o", output});
  return result;
}

// Runs a command with its output in `log`; returns its exit status.
int run(const std::vector<std::string>& command, const std::string& log) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail(ErrorCode::kIo, "{}: {}", argv[0], std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail(ErrorCode::kIo, "{}: {}", argv[0], std::strerror(errno));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// clang's first error: a line "file:line:column: error: ...".
std::string first_error(const fs::path& log) {
  std::ifstream file(log);
  std::string line;
  while (std::getline(file, line)) {
    if (line.find("error: ") != std::string::npos) return line;
  }
  return "clang failed without an error message";
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// clang's warnings: lines "file:line:column: warning: ...", each once, although clang repeats one
// for each instantiation of a template.
std::vector<std::string> warnings_of(const std::string& log) {
  std::vector<std::string> warnings;
  for (std::string line : lines_of(log)) {
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

void name_files(llvm::Module& module, const Source& source) {
  std::set<llvm::DIFile*> files;
  for (llvm::Function& function : module) {
    if (function.getSubprogram() != nullptr) files.insert(function.getSubprogram()->getFile());
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (const llvm::DILocation* place = instruction.getDebugLoc().get())
        files.insert(place->getFile());
    }
  }
  for (llvm::DIFile* file : files) {
    if (file == nullptr) continue;
    file->replaceOperandWith(0, llvm::MDString::get(module.getContext(),  // 0: its name
                                                    openable_name(*file, source)));
  }
}

}  // namespace

std::unique_ptr<llvm::Module> run_clang(const Source& source, llvm::LLVMContext& context,
                                        std::vector<std::string>& warnings) {
  if (!fs::is_regular_file(source.path)) {
    fail(ErrorCode::kNotFound, "{}: no such file", source.path);
  }
  const ScratchFolder scratch;
  const std::string bitcode = scratch / "module.bc", log = scratch / "log";
  if (run(arguments(source, bitcode), log) != 0) {
    fail(ErrorCode::kInvalidArgument, "{}", first_error(log));
  }
  warnings = warnings_of(log);
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(bitcode, diagnostic, context);
  if (module == nullptr) {
    fail(ErrorCode::kIo, "{}: {}", bitcode, diagnostic.getMessage().str());
  }
  name_files(*module, source);
  return module;
}

}  // namespace vta::hlsc::front
