// SPDX-License-Identifier: Apache-2.0
//
// CoreConfig: every number of a core that can vary, and what follows from them.
// The only reader of configs/cores/*.json and of VTA's own vta_config.json.
#ifndef VTA_CONFIGS_CORE_CONFIG_H_
#define VTA_CONFIGS_CORE_CONFIG_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace vta {

struct CoreConfig {
  std::string name;        // for people; two cores are the same if all other fields are
  uint32_t batch = 0;      // rows of an INP, ACC and OUT element
  uint32_t block_in = 0;   // input channels of a WGT element
  uint32_t block_out = 0;  // output channels of a WGT element
  uint32_t uop_buffer_bytes = 0;
  uint32_t inp_buffer_bytes = 0;
  uint32_t wgt_buffer_bytes = 0;
  uint32_t acc_buffer_bytes = 0;
  uint32_t command_queue_depth = 0;  // instructions
  uint32_t token_queue_depth = 0;    // tokens
  bool extension = false;            // split and REQ (hw/isa/README.md, "Extension")

  // Bytes of one element in its scratchpad (OUT and INP: int8, ACC: int32).
  uint32_t uop_elem_bytes() const { return 4; }
  uint32_t inp_elem_bytes() const { return batch * block_in; }
  uint32_t wgt_elem_bytes() const { return block_out * block_in; }
  uint32_t acc_elem_bytes() const { return batch * block_out * 4; }
  uint32_t out_elem_bytes() const { return batch * block_out; }

  // Elements of each scratchpad. OUT mirrors ACC.
  uint32_t uop_depth() const { return uop_buffer_bytes / uop_elem_bytes(); }
  uint32_t inp_depth() const { return inp_buffer_bytes / inp_elem_bytes(); }
  uint32_t wgt_depth() const { return wgt_buffer_bytes / wgt_elem_bytes(); }
  uint32_t acc_depth() const { return acc_buffer_bytes / acc_elem_bytes(); }

  // True if both describe the same hardware; names are not compared.
  bool same_hardware(const CoreConfig& other) const;
};

// The checks of a legal core: powers of two, elements of at least one 64-bit beat, field widths
// that fit 128-bit instructions and 32-bit micro-ops.
// Errors: kInvalidArgument, naming the field, its value (or width) and the limit (or room left).
void check(const CoreConfig& config);

// A core from JSON text: the project's own form (every field stated, unknown keys refused) or VTA's
// vta_config.json (recognized by its LOG_ keys). `notes` receives one line per ignored key: TARGET,
// HW_VER, HW_FREQ, HW_CLK_TARGET.
// Errors: kCorrupt; kInvalidArgument; kUnsupported for other widths than int8, int8, int32. All
// name `origin`, the key, its value and the limit.
CoreConfig parse_core_config(const std::string& json_text, const std::string& origin,
                             std::vector<std::string>* notes = nullptr);

// The core called `name`: a path to a JSON file, or a bare name ("vta_1x16") looked for in the
// installed cores.
// Errors: kNotFound, listing the installed names; those of parse_core_config().
CoreConfig load_core_config(const std::string& name, std::vector<std::string>* notes = nullptr);

// The project's JSON form of a core; parse_core_config() reads it back.
std::string to_json(const CoreConfig& config);

// Names of the cores in configs/cores, sorted.
std::vector<std::string> installed_core_names();

// Folders that hold the project's data files (cores/, networks/), first match wins:
// $VTA_CONFIG_PATH, the installation that the running program belongs to (PREFIX/share/vta/configs
// beside PREFIX/bin), the source tree it was built from; the last two only where they exist.
std::vector<std::filesystem::path> config_folders();

}  // namespace vta

#endif  // VTA_CONFIGS_CORE_CONFIG_H_
