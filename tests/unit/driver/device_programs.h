// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_UNIT_DRIVER_DEVICE_PROGRAMS_H_
#define VTA_TESTS_UNIT_DRIVER_DEVICE_PROGRAMS_H_

#include <string>
#include <vector>

#include "driver/device.h"
#include "tests/support/program_generator.h"

namespace vta::driver {

// The results of a program.
struct Outcome {
  hw::Counters counters;
  std::string error;  // empty if it succeeded
  std::vector<uint8_t> arena;
};

// Runs the program in its own allocation. `request`: parts, timeout.
inline Outcome run_program(Device& device, const support::GeneratedProgram& program,
                           RunRequest request) {
  const DeviceAddress arena = device.allocate(program.arena.size());
  device.copy_in(arena, program.arena);
  request.arena = arena;
  request.arena_bytes = program.arena.size();
  request.program_offset_bytes = program.program_offset_bytes;
  request.num_instructions = program.num_instructions;
  Outcome outcome;
  try {
    outcome.counters = device.run(request);
  } catch (const Error& error) {
    outcome.error = error.what();
  }
  outcome.arena.resize(program.arena.size());
  device.copy_out(outcome.arena, arena);
  device.free(arena);
  return outcome;
}

inline Outcome run_program(Device& device, const support::GeneratedProgram& program,
                           std::chrono::milliseconds timeout = std::chrono::seconds(60)) {
  RunRequest request;
  request.timeout = timeout;
  return run_program(device, program, request);
}

// Also gets the ends of its parts.
inline Outcome run_program(Device& device, const support::GeneratedProgram& program,
                           const std::vector<RunPart>& parts, std::vector<PartEnd>& ends) {
  RunRequest request;
  request.parts = parts;
  request.part_ends = &ends;
  return run_program(device, program, request);
}

}  // namespace vta::driver

#endif  // VTA_TESTS_UNIT_DRIVER_DEVICE_PROGRAMS_H_
