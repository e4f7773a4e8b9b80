// SPDX-License-Identifier: Apache-2.0
//
// CoreConfig: the configuration of a core. The only reader of configs/cores/*.json and of VTA's own
// vta_config.json.
#ifndef VTA_CONFIGS_CORE_CONFIG_H_
#define VTA_CONFIGS_CORE_CONFIG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "configs/core_sizes.h"

namespace vta {

struct CoreConfig : CoreSizes {
  std::string name;        // for people; two cores are the same if all other fields are
  bool extension = false;  // split and REQ (docs/instruction_set.md, "Extension")

  // True if both describe the same hardware; names are not compared.
  bool same_hardware(const CoreConfig& other) const;
};

// Checks that the core is legal: powers of two, elements of at least one 64-bit beat, field widths
// that fit 128-bit instructions and 32-bit micro-ops.
// Errors: kInvalidArgument, naming the field, its value or width, and the limit or the bits left.
void check(const CoreConfig& config);

// A core from JSON text, in the project's own form (unknown keys rejected; only VTA_CORE_OPTIONs
// may be left out) or as VTA's vta_config.json (recognized by its LOG_ keys). `notes` receives one
// line per ignored key: TARGET, HW_VER, HW_FREQ, HW_CLK_TARGET. Errors: kCorrupt; kInvalidArgument;
// kUnsupported for widths other than int8, int8, int32. All name `origin`, the key, its value and
// the limit.
CoreConfig parse_core_config(const std::string& json_text, const std::string& origin,
                             std::vector<std::string>* notes = nullptr);

// Loads the core `name`: a path to a JSON file, or a bare name ("vta_1x16") of an installed core.
// Errors: kNotFound, listing the installed names; any error of parse_core_config().
CoreConfig load_core_config(const std::string& name, std::vector<std::string>* notes = nullptr);

// The project's JSON form of a core, which parse_core_config() reads.
std::string to_json(const CoreConfig& config);

// Names of the cores in configs/cores, sorted.
std::vector<std::string> installed_core_names();

}  // namespace vta

#endif  // VTA_CONFIGS_CORE_CONFIG_H_
