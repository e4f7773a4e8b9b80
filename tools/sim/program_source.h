// SPDX-License-Identifier: Apache-2.0
//
// Loads the program that the user names: a program file (.vta), or a network, which is compiled.
#ifndef VTA_TOOLS_SIM_PROGRAM_SOURCE_H_
#define VTA_TOOLS_SIM_PROGRAM_SOURCE_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/command_line/command_line.h"
#include "base/command_line/progress.h"
#include "compiler/compile.h"
#include "compiler/import/network.h"
#include "runtime/program/program.h"
#include "tools/compile/network_arguments.h"

namespace vta::sim {

struct ProgramOptions {
  std::string name;            // network file or program file
  NetworkArguments network;    // only for networks
  bool measure_noise = false;  // CompileOptions'; only for networks
};

struct LoadedProgram {
  Program program;
  std::filesystem::path folder;                // with the sample input and the labels
  std::optional<import::Network> network;      // the source network, if compiled here
  std::string calibration;                     // CompileResult's
  std::vector<LayerSummary> layers;            // CompileResult's; empty for a program file
  std::optional<quantize::Sensitivity> noise;  // likewise
  double compile_seconds = 0;
};

// Adds the options to a subcommand; `name` is its first argument.
void add_program_options(Command& command, ProgramOptions& options);

// Likewise for subcommands that need a network: compile_network().
void add_network_options(Command& command, ProgramOptions& options);

// True for a name that ends in ".vta", even if the file does not exist, and for any file that
// starts with the magic number of programs.
bool names_program_file(const std::string& name);

// Errors: UsageError for network options with a program file and for conflicting options; any error
// of the compiler and the file readers.
LoadedProgram load_program(const ProgramOptions& options, Progress& progress);

// Same as load_program() for a network.
LoadedProgram compile_network(const ProgramOptions& options, Progress& progress);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_PROGRAM_SOURCE_H_
