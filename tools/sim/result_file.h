// SPDX-License-Identifier: Apache-2.0
//
// --output: the network's outputs in a file, at full size under their own names.
//   .npz   an array for each output; of several inputs, a first axis for the inputs. If its size is
//          that of the run, of several inputs one array each: NAME/0, NAME/1, ...
//   .json  {"network", "inputs": [...], "outputs": {NAME: {"dtype", "shape", "data": [flat]}}}
//   .csv   a line for each number: input,output,index,value
#ifndef VTA_TOOLS_SIM_RESULT_FILE_H_
#define VTA_TOOLS_SIM_RESULT_FILE_H_

#include <string>
#include <vector>

#include "base/command_line/command_line.h"
#include "base/files/array_file.h"
#include "tools/sim/batched_inference.h"

namespace vta::sim {

void add_output_option(Command& command, std::string& file);

class ResultFile {
 public:
  // Errors: UsageError if the name has none of the three suffixes.
  explicit ResultFile(std::string file);

  // Once, before add(): the names of the outputs.
  void set_outputs(const Program& program);

  // The outputs of one input, in order.
  void add(const std::string& input, const ImageOutputs& outputs);

  // Errors: as write_file() and to_npz().
  void write() const;

 private:
  // What is written under one name: an output of the inputs `first` to `end` - 1.
  struct Part {
    std::string name;
    size_t output, first, end;
  };
  std::vector<Part> parts() const;
  std::vector<int64_t> shape_of(const Part& part) const;  // of its inputs together
  NamedArrays arrays() const;
  std::string json() const;
  std::string csv() const;

  const std::string file_;
  std::string network_;
  std::vector<std::string> names_, inputs_;
  std::vector<bool> is_open_;          // by output: each run gives its size
  std::vector<ImageOutputs> outputs_;  // by input
};

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_RESULT_FILE_H_
