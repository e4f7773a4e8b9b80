// SPDX-License-Identifier: Apache-2.0
//
// A program from what the user names: a program file (.vta), or a network compiled here and now.
#ifndef VTA_SIM_TOOL_PROGRAM_SOURCE_H_
#define VTA_SIM_TOOL_PROGRAM_SOURCE_H_

#include <filesystem>
#include <optional>
#include <string>

#include "compiler/import/network.h"
#include "compiler/tool/network_arguments.h"
#include "runtime/base/command_line.h"
#include "runtime/base/progress.h"
#include "runtime/program/program.h"

namespace vta::sim {

struct ProgramOptions {
  std::string name;          // of a network file or a program file
  NetworkArguments network;  // of networks only
};

struct LoadedProgram {
  Program program;
  std::filesystem::path folder;            // that the sample and the labels stand in
  std::optional<import::Network> network;  // that the program was compiled from, if it was here
  std::string calibration;                 // CompileResult's
  double compile_seconds = 0;
};

// Adds the options to a subcommand; `name` is its first argument.
void add_program_options(Command& command, ProgramOptions& options);

// The same where it is to be a network: compile_network().
void add_network_options(Command& command, ProgramOptions& options);

// True for a name that ends in ".vta", whether or not there is such a file, and for any file that
// starts as programs do.
bool names_program_file(const std::string& name);

// Errors: UsageError if options of a network are given for a program file, or some that do not go
// together; those of the compiler and readers.
LoadedProgram load_program(const ProgramOptions& options, Progress& progress);

// As load_program() for a network.
LoadedProgram compile_network(const ProgramOptions& options, Progress& progress);

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_PROGRAM_SOURCE_H_
