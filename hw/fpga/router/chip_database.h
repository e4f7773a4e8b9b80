// SPDX-License-Identifier: Apache-2.0
//
// A chip's tiles, wires and programmable connections, as nextpnr-himbaechel has them: its file
// chipdb-PART.bin (chip_layout.h), mapped into memory.
#ifndef VTA_HW_FPGA_ROUTER_CHIP_DATABASE_H_
#define VTA_HW_FPGA_ROUTER_CHIP_DATABASE_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <unordered_map>

#include "hw/fpga/router/chip_layout.h"

namespace vta::router {

class ChipDatabase {
 public:
  // Errors: kIo if the file cannot be read; kUnsupported if it is not of the architecture xilinx
  // and version 6. kCorrupt for another file, and for damage that leads out of the file or of a
  // list (chip_check.h).
  explicit ChipDatabase(const std::filesystem::path& file);
  ~ChipDatabase();
  ChipDatabase(const ChipDatabase&) = delete;
  ChipDatabase& operator=(const ChipDatabase&) = delete;

  const chipdb::Chip& chip() const { return *chip_; }
  const chipdb::TileType& type_of(int tile) const {
    return chip_->tile_types[static_cast<size_t>(chip_->tiles[static_cast<size_t>(tile)].type)];
  }

  // A string of the file; "" for those that only nextpnr has.
  std::string_view name(int32_t number) const;
  // The number of a string, or -1.
  int32_t number_of(std::string_view name) const;

 private:
  void* mapped_ = nullptr;
  size_t bytes_ = 0;
  const chipdb::Chip* chip_ = nullptr;
  std::unordered_map<std::string_view, int32_t> numbers_;
};

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_CHIP_DATABASE_H_
