// SPDX-License-Identifier: Apache-2.0
//
// ModelCache: cycle models of cores that this program was not built with. vta-hlsc generates a
// model, a C++ compiler makes a shared library of it, and a folder keeps that. Only the program
// vta-sim can load models: they use its code.
#ifndef VTA_SIM_CYCLE_MODEL_CACHE_H_
#define VTA_SIM_CYCLE_MODEL_CACHE_H_

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "configs/core_config.h"
#include "configs/memory_config.h"
#include "sim/functional/native_core.h"
#include "sim/timed/timed_core.h"

namespace vta::sim {

// What builds models.
struct ModelTools {
  std::filesystem::path hlsc;     // vta-hlsc
  std::filesystem::path sources;  // the folder with hw/core/instance.cc and the models' headers
  std::string compiler;           // clang++ 19 or newer: a path or a name
};

// vta-hlsc beside this program, and the sources of the installation or, failing that, of the tree
// that it was built from. `compiler`: "" for clang++-19. Errors: kNotFound, naming what is missing.
ModelTools find_model_tools(const std::string& compiler = "");

class ModelCache {
 public:
  // `folder` is created when needed. Errors: as make_library_folder(); kNotFound without a
  // compiler.
  ModelCache(std::filesystem::path folder, ModelTools tools);
  ~ModelCache();
  ModelCache(const ModelCache&) = delete;
  ModelCache& operator=(const ModelCache&) = delete;

  // Changes with everything that a model depends on: the core without its name, the clock period,
  // this program, the tools and the sources.
  std::string key(const CoreConfig& core, double period_ns) const;

  // `vta-hlsc report --json` of the core for this period. Errors: kUnsupported if vta-hlsc refuses
  // the core; kIo.
  std::string report(const CoreConfig& core, double period_ns) const;

  // The SHA-256 of what a bitstream is made from: the core's Verilog for this period and the
  // modules of hw/rtl, without comments; verilog_sha256() of hw/fpga/flow/synthesis.py. Errors: as
  // report().
  std::string verilog_sha256(const CoreConfig& core, double period_ns) const;

  // The core's model; without `computes` its timing only, as make_cycle_core(). It is built, or
  // loaded if the folder has it, and lives as long as the process. Errors: as report(); kIo if the
  // compiler fails, with its first error.
  std::unique_ptr<TimedCore> make(const CoreConfig& core, double period_ns,
                                  const MemoryConfig& memory, bool computes = false);

  // Models since the construction: built, and found in the folder.
  size_t num_built() const;
  size_t num_found() const;

 private:
  // `native`: computes the data, and becomes the core's; null: no data is computed.
  using Make = TimedCore* (*)(bool extension, const MemoryConfig& memory, NativeCore* native);
  using MakeNative = NativeCore* (*)(bool extension);

  std::string run_hlsc(const std::string& command, const std::string& option,
                       const CoreConfig& core, double period_ns) const;
  void compile(const CoreConfig& core, const std::string& source, const std::filesystem::path& file,
               const char* optimization) const;
  // The library `name`, built of `source` if the folder has none that is whole.
  void* library(const std::string& name, const CoreConfig& core,
                const std::function<std::string()>& source, const char* optimization,
                bool& is_built) const;
  Make load(const CoreConfig& core, double period_ns);
  MakeNative load_native(const CoreConfig& core);

  const std::filesystem::path folder_;
  const ModelTools tools_;
  const std::string tools_key_;
  mutable std::mutex mutex_;            // of all below
  std::map<std::string, Make> loaded_;  // by key
  std::map<std::string, MakeNative> loaded_native_;
  size_t num_built_ = 0, num_found_ = 0;
};

}  // namespace vta::sim

#endif  // VTA_SIM_CYCLE_MODEL_CACHE_H_
