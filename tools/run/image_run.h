// SPDX-License-Identifier: Apache-2.0
//
// ImageRun: images of files or a camera through a program on a device, several in flight, by
// libvta: the work of vta-run.
#ifndef VTA_TOOLS_RUN_IMAGE_RUN_H_
#define VTA_TOOLS_RUN_IMAGE_RUN_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/c_api/client.h"
#include "tools/run/camera.h"

namespace vta::run {

using client::check;
using client::Device;
using client::Program;
using client::Report;
using client::Session;

Program open_program(const std::string& file);
Device open_device(const std::string& uri, const Program& program);

struct Input {
  std::string name;            // a file, "noise:SEED", a camera, or "" for the network's sample
  std::optional<Frame> frame;  // of a camera
};

// Inputs one after another.
class Inputs {
 public:
  virtual ~Inputs() = default;
  // nullopt at the end. Never called by two threads at once.
  virtual std::optional<Input> next() = 0;
};

// The names again and again, without end; a single "camera:PATH": its frames. Errors: any error of
// open_camera(); kInvalidArgument for a camera together with other inputs.
std::unique_ptr<Inputs> open_inputs(const std::vector<std::string>& names);

struct Inference {
  std::string input;  // its name
  std::vector<float> scores;
  double seconds = 0;  // from the file or frame to the scores
  vta_counters counters{};
};

class ImageRun {
 public:
  // Opens up to `max_in_flight` sessions, fewer if the device's memory holds no more.
  // Errors: kUnsupported unless the program's outputs are scores of classes.
  ImageRun(const Program& program, const Device& device, size_t max_in_flight);

  size_t in_flight() const { return sessions_.size(); }

  // Runs `count` inferences, or as many as there are inputs; calls `done` for each in order, on any
  // thread, but never twice at once. Errors: that of the first inference that fails.
  using Done = std::function<void(const Inference& inference)>;
  void run(Inputs& inputs, uint64_t count, const Done& done);

 private:
  Inference infer(vta_session* session, const Input& input) const;
  void read(const Input& input, const vta_buffer& buffer) const;

  const Program& program_;
  std::vector<Session> sessions_;
};

// The `count` best classes (best_indices()).
std::vector<size_t> best_classes(const std::vector<float>& scores, size_t count);

}  // namespace vta::run

#endif  // VTA_TOOLS_RUN_IMAGE_RUN_H_
