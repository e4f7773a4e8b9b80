// SPDX-License-Identifier: Apache-2.0
//
// Images, configurations, schedule logs and a bitstream, as seeds. A seed that its reader refuses
// is an Error, which ends the program: mutations of it would rarely be accepted.
#ifndef VTA_TESTS_FUZZ_FILE_SEEDS_H_
#define VTA_TESTS_FUZZ_FILE_SEEDS_H_

#include <filesystem>

namespace vta::fuzz {

void write_image_seeds(const std::filesystem::path& folder);      // image/*
void write_config_seeds(const std::filesystem::path& folder);     // config/*, schedules/*
void write_bitstream_seeds(const std::filesystem::path& folder);  // bitstream/*

}  // namespace vta::fuzz

#endif  // VTA_TESTS_FUZZ_FILE_SEEDS_H_
