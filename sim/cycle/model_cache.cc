// SPDX-License-Identifier: Apache-2.0
#include "sim/cycle/model_cache.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <semaphore>
#include <vector>

#include "base/command_line/command_line.h"
#include "base/command_line/removed_scratch_folder.h"
#include "base/errors/error.h"
#include "base/files/content_key.h"
#include "base/files/file.h"
#include "base/files/file_roles.h"
#include "base/files/installation.h"
#include "base/files/scratch_folder.h"
#include "base/files/strict_json.h"
#include "base/limits/subprocess.h"
#include "sim/cycle/model_library.h"

namespace vta::sim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kCompiler = "clang++-19";
constexpr const char* kInstance = "hw/core/instance.cc";
constexpr const char* kInstalledSources = "share/vta/model";
// Folders of sources, as sim/cycle/CMakeLists.txt installs them.
constexpr const char* kSourceFolders[] = {VTA_MODEL_FOLDERS};

// An -O3 model is 5 % faster and takes half as long again to compile; a native core needs the
// vectorizer.
constexpr const char* kModelOptimization = "-O1";
constexpr const char* kNativeOptimization = "-O3";

// As for the program that loads them.
const std::vector<std::string> kFlags = {"-x",
                                         "c++",
                                         "-",
                                         "-std=c++20",
                                         "-DNDEBUG",
                                         "-DFMT_SHARED",
                                         "-w",
                                         "-ffp-contract=off",
                                         "-fPIC",
                                         "-shared",
                                         "-fno-color-diagnostics",
#ifdef VTA_NATIVE_MODELS
                                         "-march=native"
#endif
};

// Appended to the model, which is read from standard input.
constexpr const char* kFactory = R"(
#include "sim/cycle/cycle_core_of.h"
extern "C" vta::sim::TimedCore* vta_make_cycle_core(bool extension,
                                                    const vta::MemoryConfig& memory,
                                                    vta::sim::NativeCore* native) {
  return new vta::sim::CycleCoreOf<vta::process_network::Model>(
      extension, memory, std::unique_ptr<vta::sim::NativeCore>(native));
}
)";
constexpr const char* kFactoryName = "vta_make_cycle_core";

// The native core, after macros with the fields' values; as sim/functional/core.cc.in.
constexpr const char* kNativeSource = R"(
#include "hw/core/params.h"
#include "sim/functional/native_core_of.h"
struct Config {
  static constexpr vta::CoreSizes kSizes = {
#define VTA_CORE_FIELD(key, max, power_of_two, meaning) CORE_##key,
#include "configs/core_fields.def"
  };
};
extern "C" vta::sim::NativeCore* vta_make_native_core(bool extension) {
  return new vta::sim::NativeCoreOf<vta::sim::FastCore<vta::core::Params<Config>>>(extension);
}
)";
constexpr const char* kNativeFactoryName = "vta_make_native_core";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::vector<fs::path> source_files(const fs::path& sources) {
  std::vector<fs::path> files;
  for (const char* folder : kSourceFolders) {
    std::error_code error;
    for (fs::directory_iterator entry(sources / folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const fs::path suffix = entry->path().extension();
      if (suffix == ".h" || suffix == ".def") files.push_back(entry->path());
    }
  }
  files.push_back(sources / kInstance);
  std::ranges::sort(files);
  return files;
}

// The files of hw/rtl that a design with this emitted Verilog is made from, sorted by path: without
// modules for emitted Verilog (hls_*) that it does not use.
std::vector<fs::path> rtl_modules(const fs::path& sources, const std::string& verilog) {
  const auto is_used = [&](const std::string& module) {
    return !module.starts_with("hls_") || verilog.find(module) != std::string::npos;
  };
  std::vector<fs::path> modules;
  for (const auto& entry : fs::recursive_directory_iterator(sources / "hw/rtl")) {
    const fs::path& path = entry.path();
    if (path.extension() == ".sv" && path.parent_path().filename() != "properties" &&
        is_used(path.stem().string()))
      modules.push_back(path);
  }
  std::ranges::sort(modules);
  return modules;
}

// Comments name lines of C++.
std::string without_comments(const std::string& verilog) {
  std::string text;
  size_t at = 0;
  while (true) {
    const size_t comment = verilog.find("//", at);
    text += verilog.substr(at, comment - at);
    if (comment == std::string::npos) return text;
    at = std::min(verilog.find('\n', comment), verilog.size());
  }
}

std::string version_of(const std::string& compiler) {
  const FinishedProcess run = run_process({compiler, "--version"});
  if (run.status != 0) fail(ErrorCode::kIo, "{} --version fails: {}", compiler, run.err);
  return run.out;
}

std::string key_of(const ModelTools& tools) {
  ContentKey key;
  key.add(read_file("/proc/self/exe")).add(read_file(tools.hlsc)).add(version_of(tools.compiler));
  for (const std::string& flag : kFlags) key.add(flag);
  key.add(kFactory).add(kModelOptimization).add(kNativeSource).add(kNativeOptimization);
  for (const fs::path& file : source_files(tools.sources)) {
    key.add(file.lexically_relative(tools.sources).string()).add(read_file(file));
  }
  return key.text();
}

// The first line with "error", else the first line.
std::string first_error(const std::string& text) {
  const auto line_at = [&](size_t at) {
    const size_t begin = at == 0 ? 0 : text.rfind('\n', at) + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  const size_t error = text.find("error: ");
  return line_at(error == std::string::npos ? 0 : error);
}

std::string macros_of(const CoreConfig& core) {
  std::string macros;
#define VTA_CORE_FIELD(key, max, power_of_two, meaning) \
  macros += fmt::format("#define CORE_" #key " {}\n", core.key);
#include "configs/core_fields.def"
  return macros;
}

// Errors: kIo.
void* function_in(void* library, const char* name, const CoreConfig& core) {
  void* function = ::dlsym(library, name);
  if (function != nullptr) return function;
  fail(ErrorCode::kIo, "the cycle model of core {} has no function {}", core.name, name);
}

// A temporary file, which is removed unless it gets its final name.
class Part {
 public:
  explicit Part(const fs::path& file)
      : removed_([&] { return make_temporary_beside(file).string(); }) {}
  ~Part() {
    std::error_code none;
    fs::remove(path(), none);
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  const std::string& path() const { return removed_.path(); }

 private:
  const RemovedOnInterruption removed_;
};

// A tool that fails because its folder for temporary files is full or missing has not refused a
// core. Errors: kIo.
void check_scratch_space() {
  constexpr size_t kEnoughBytes = 4 << 20;
  const ScratchFolder folder;
  write_file(folder / "space", std::string(kEnoughBytes, 'x'));
}

// Whether it is what `vta-hlsc report --json` prints.
bool is_report(const std::string& text) {
  try {
    const auto json = parse_strict_json(text);
    const auto has_list = [&](const char* key) {
      return json.contains(key) && json[key].is_array();
    };
    return json.is_object() && has_list("processes") && has_list("memories");
  } catch (const Error&) {
    return false;
  }
}

// Temporary files are removed on Ctrl-C, but not more than these at a time.
std::counting_semaphore<RemovedOnInterruption::kMaxRemoved / 2> builds(
    RemovedOnInterruption::kMaxRemoved / 2);

struct RunningBuild {
  RunningBuild() { builds.acquire(); }
  ~RunningBuild() { builds.release(); }
};

}  // namespace

ModelTools find_model_tools(const std::string& compiler) {
  ModelTools tools;
  tools.compiler = compiler.empty() ? kCompiler : compiler;
  std::vector<fs::path> places;
  if (const auto prefix = installation_prefix()) {
    tools.hlsc = *prefix / "bin/vta-hlsc";
    places.push_back(*prefix / kInstalledSources);
  }
  places.emplace_back(VTA_MODEL_SOURCES);
  if (!is_file(tools.hlsc)) {
    fail(ErrorCode::kNotFound,
         "cycle models are generated by vta-hlsc; there is no {}; wheels have none: build the "
         "toolkit "
         "in a clone (scripts/build release)",
         tools.hlsc.string());
  }
  for (const fs::path& place : places) {
    if (!is_file(place / kInstance)) continue;
    tools.sources = place;
    return tools;
  }
  fail(ErrorCode::kNotFound, "the sources of cycle models are missing: there is no {}",
       (places[0] / kInstance).string());
}

ModelCache::ModelCache(fs::path folder, ModelTools tools)
    : folder_(std::move(folder)), tools_(std::move(tools)), tools_key_(key_of(tools_)) {
  make_library_folder(folder_);
}
ModelCache::~ModelCache() = default;

std::string ModelCache::key(const CoreConfig& core, double period_ns) const {
  CoreConfig unnamed = core;
  unnamed.name = "core";
  return ContentKey()
      .add(tools_key_)
      .add(to_json(unnamed))
      .add(fmt::format("{}", period_ns))
      .text();
}

std::string ModelCache::run_hlsc(const std::string& command, const std::string& option,
                                 const CoreConfig& core, double period_ns) const {
  std::vector<std::string> words = {
      tools_.hlsc,    command,    (tools_.sources / kInstance).string(), "-I",
      tools_.sources, "--period", fmt::format("{}", period_ns)};
#define VTA_CORE_FIELD(key, max, power_of_two, meaning) \
  words.push_back(fmt::format("-DCORE_" #key "={}", core.key));
#include "configs/core_fields.def"
  words.push_back(option);
  if (command == "model") words.push_back("Model");
  const FinishedProcess run = run_process(words);
  if (run.status == 0) return run.out;
  check_scratch_space();
  // Other ends say nothing about the core: kernels kill processes if memory is short.
  if (run.status != kExitError)
    fail(ErrorCode::kIo, "core {}: vta-hlsc {} ended with status {}: {}", core.name, command,
         run.status, first_error(run.err));
  fail(ErrorCode::kUnsupported, "core {}: vta-hlsc {}: {}", core.name, command,
       first_error(run.err));
}

std::string ModelCache::report(const CoreConfig& core, double period_ns) const {
  const fs::path file = folder_ / (key(core, period_ns) + ".json");
  if (is_file(file)) {
    const ReadsOwn cache;
    std::string text = read_text_file(file);
    if (is_report(text)) return text;
    std::error_code none;
    fs::remove(file, none);  // damaged
  }
  const std::string text = run_hlsc("report", "--json", core, period_ns);
  without_interruption([&] { write_file(file, text); });
  return text;
}

std::string ModelCache::verilog_sha256(const CoreConfig& core, double period_ns) const {
  std::string text = without_comments(run_hlsc("verilog", "--axi", core, period_ns));
  for (const fs::path& module : rtl_modules(tools_.sources, text))
    text += '\0' + without_comments(read_text_file(module));
  return sha256_text(text);
}

void ModelCache::compile(const CoreConfig& core, const std::string& source, const fs::path& file,
                         const char* optimization) const {
  const Part part(file);
  // Clang does not remove its temporary files if a signal ends it.
  const RemovedScratchFolder scratch;
  std::vector<std::string> words = {"env", "TMPDIR=" + scratch.folder().path().string(),
                                    tools_.compiler};
  words.insert(words.end(), kFlags.begin(), kFlags.end());
  words.insert(words.end(), {optimization, "-I" + tools_.sources.string(), "-o", part.path()});
  const FinishedProcess run = run_process(words, source);
  if (run.status != 0) {
    fail(ErrorCode::kIo, "core {}: {} cannot compile the cycle model: {}", core.name,
         tools_.compiler, first_error(run.err));
  }
  without_interruption([&] { seal_library(part.path()); });
  std::error_code error;
  fs::rename(part.path(), file, error);
  if (error) fail(ErrorCode::kIo, "{}: {}", file.string(), error.message());
}

void* ModelCache::library(const std::string& name, const CoreConfig& core,
                          const std::function<std::string()>& source, const char* optimization,
                          bool& is_built) const {
  const fs::path file = folder_ / (name + ".so");
  void* found = load_library(file);
  is_built = found == nullptr;
  if (!is_built) return found;
  const RunningBuild running;
  compile(core, source(), file, optimization);
  found = load_library(file);
  if (found == nullptr) fail(ErrorCode::kIo, "{}: damaged after it was built", file.string());
  return found;
}

ModelCache::Make ModelCache::load(const CoreConfig& core, double period_ns) {
  const std::string name = key(core, period_ns);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = loaded_.find(name); found != loaded_.end()) return found->second;
  }
  bool is_built = false;
  const auto source = [&] { return run_hlsc("model", "--struct", core, period_ns) + kFactory; };
  void* const model = library(name, core, source, kModelOptimization, is_built);
  const std::lock_guard lock(mutex_);
  const auto make = reinterpret_cast<Make>(function_in(model, kFactoryName, core));
  ++(is_built ? num_built_ : num_found_);
  return loaded_[name] = make;
}

ModelCache::MakeNative ModelCache::load_native(const CoreConfig& core) {
  constexpr double kNoClock = 0;  // it has no cycles
  const std::string name = key(core, kNoClock);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = loaded_native_.find(name); found != loaded_native_.end())
      return found->second;
  }
  bool is_built = false;
  const auto source = [&] { return macros_of(core) + kNativeSource; };
  void* const native = library(name, core, source, kNativeOptimization, is_built);
  const std::lock_guard lock(mutex_);
  return loaded_native_[name] =
             reinterpret_cast<MakeNative>(function_in(native, kNativeFactoryName, core));
}

std::unique_ptr<TimedCore> ModelCache::make(const CoreConfig& core, double period_ns,
                                            const MemoryConfig& memory, bool computes) {
  const Make make = load(core, period_ns);
  NativeCore* const native = computes ? load_native(core)(core.extension) : nullptr;
  return std::unique_ptr<TimedCore>(make(core.extension, memory, native));
}

size_t ModelCache::num_built() const {
  const std::lock_guard lock(mutex_);
  return num_built_;
}

size_t ModelCache::num_found() const {
  const std::lock_guard lock(mutex_);
  return num_found_;
}

}  // namespace vta::sim
