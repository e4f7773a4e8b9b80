// SPDX-License-Identifier: Apache-2.0
#include "tools/run/image_run.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/limits/stopwatch.h"
#include "base/numbers/best_indices.h"
#include "tools/run/open_camera.h"

namespace vta::run {
namespace {

class NamedInputs : public Inputs {
 public:
  explicit NamedInputs(std::vector<std::string> names) : names_(std::move(names)) {}
  std::optional<Input> next() override { return Input{names_[next_++ % names_.size()], {}}; }

 private:
  const std::vector<std::string> names_;
  size_t next_ = 0;
};

class CameraInputs : public Inputs {
 public:
  CameraInputs(std::string name, const std::string& path)
      : name_(std::move(name)), camera_(open_camera(path)) {}
  std::optional<Input> next() override {
    std::optional<Frame> frame = camera_->next();
    if (!frame) return std::nullopt;
    return Input{name_, std::move(frame)};
  }

 private:
  const std::string name_;
  const std::unique_ptr<Camera> camera_;
};

// Gives out inputs with their numbers, and takes their results in order.
class Order {
 public:
  Order(Inputs& inputs, uint64_t count, const ImageRun::Done& done)
      : inputs_(inputs), count_(count), done_(done) {}

  // The next input; nullopt if there is none. Results are delivered meanwhile.
  std::optional<Input> next(uint64_t& index) {
    const std::lock_guard one(taking_);
    if (next_ == count_ || has_failed()) return std::nullopt;
    std::optional<Input> input = inputs_.next();
    if (input) index = next_++;
    return input;
  }

  void deliver(uint64_t index, const Inference& inference) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return error_ || delivered_ == index; });
    if (error_) return;
    done_(inference);
    ++delivered_;
    turn_.notify_all();
  }

  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    turn_.notify_all();
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  bool has_failed() {
    const std::lock_guard lock(mutex_);
    return error_ != nullptr;
  }

  std::mutex taking_;  // guards the next two members
  Inputs& inputs_;
  uint64_t next_ = 0;
  const uint64_t count_;
  const ImageRun::Done& done_;
  std::mutex mutex_;  // guards the members below, and calls of done_
  std::condition_variable turn_;
  uint64_t delivered_ = 0;
  std::exception_ptr error_;
};

}  // namespace

Program open_program(const std::string& file) {
  vta_program* program = nullptr;
  check(vta_program_open(file.c_str(), &program));
  return Program(program);
}

Device open_device(const std::string& uri, const Program& program) {
  vta_device* device = nullptr;
  check(vta_device_open(uri.c_str(), program.get(), &device));
  return Device(device);
}

std::unique_ptr<Inputs> open_inputs(const std::vector<std::string>& names) {
  constexpr std::string_view kCamera = "camera:";
  for (const std::string& name : names) {
    if (!name.starts_with(kCamera)) continue;
    if (names.size() > 1) {
      fail(ErrorCode::kInvalidArgument, "{} and {}; a camera must be the only one", name,
           counted(names.size() - 1, "other input"));
    }
    return std::make_unique<CameraInputs>(name, name.substr(kCamera.size()));
  }
  return std::make_unique<NamedInputs>(names);
}

ImageRun::ImageRun(const Program& program, const Device& device, size_t max_in_flight)
    : program_(program) {
  const vta_program_info& info = *vta_program_info_of(program.get());
  const vta_tensor_info& scores = *vta_program_output(program.get(), 0);
  if (std::strcmp(info.output_kind, "classes") != 0 || scores.dtype != VTA_FLOAT32 ||
      scores.rank == 0) {
    fail(ErrorCode::kUnsupported,
         "{}: its outputs are '{}', expected float32 scores of classes; `vta-sim run` shows others",
         info.network, info.output_kind);
  }
  while (sessions_.size() < max_in_flight) {
    vta_session* session = nullptr;
    const vta_status status = vta_session_open(program.get(), device.get(), &session);
    if (status == VTA_OUT_OF_MEMORY && !sessions_.empty()) return;
    check(status);
    sessions_.emplace_back(session);
  }
}

void ImageRun::read(const Input& input, const vta_buffer& buffer) const {
  const vta_program* program = program_.get();
  if (!input.frame) {
    const char* file = input.name.empty() ? nullptr : input.name.c_str();
    return check(vta_program_read_input(program, file, &buffer));
  }
  const Frame& frame = *input.frame;
  if (frame.jpeg.empty()) {
    return check(
        vta_program_preprocess(program, frame.rgb.data(), frame.height, frame.width, &buffer));
  }
  const vta_status status =
      vta_program_decode_input(program, frame.jpeg.data(), frame.jpeg.size(), &buffer);
  with_context(input.name, [&] { check(status); });
}

Inference ImageRun::infer(vta_session* session, const Input& input) const {
  const Stopwatch stopwatch;
  std::vector<uint8_t> bytes(vta_program_input(program_.get(), 0)->num_bytes);
  const vta_buffer in{bytes.data(), bytes.size()};
  read(input, in);
  std::vector<std::vector<uint8_t>> outputs;
  std::vector<vta_buffer> out;
  for (size_t i = 0; i < vta_program_info_of(program_.get())->num_outputs; ++i) {
    outputs.emplace_back(vta_program_output(program_.get(), i)->num_bytes);
    out.push_back({outputs.back().data(), outputs.back().size()});
  }
  vta_report* report = nullptr;
  check(vta_session_run(session, &in, 1, out.data(), out.size(), nullptr, &report));
  const Report counted(report);
  const vta_tensor_info& scores = *vta_program_output(program_.get(), 0);
  if (vta_session_output(session, 0)->num_bytes != scores.num_bytes) {
    fail(ErrorCode::kUnsupported, "{}: the size of output {} depends on the image, expected scores",
         vta_program_info_of(program_.get())->network, scores.name);
  }
  // Every image of a batch is the same one.
  Inference inference;
  inference.input = input.name;
  inference.scores.resize(scores.num_bytes / sizeof(float) /
                          vta_program_info_of(program_.get())->batch);
  std::memcpy(inference.scores.data(), out[0].data, inference.scores.size() * sizeof(float));
  inference.counters = vta_report_totals(report)->counters;
  inference.seconds = stopwatch.seconds();
  return inference;
}

void ImageRun::run(Inputs& inputs, uint64_t count, const Done& done) {
  Order order(inputs, count, done);
  const auto work = [&](vta_session* session) {
    try {
      uint64_t index = 0;
      while (const std::optional<Input> input = order.next(index))
        order.deliver(index, infer(session, *input));
    } catch (...) {
      order.fail(std::current_exception());
    }
  };
  {
    std::vector<std::jthread> threads;  // joined at the end of this scope
    for (size_t i = 1; i < sessions_.size(); ++i) threads.emplace_back(work, sessions_[i].get());
    work(sessions_[0].get());
  }
  order.rethrow();
}

std::vector<size_t> best_classes(const std::vector<float>& scores, size_t count) {
  return best_indices(scores.size(), count, [&](size_t index) { return scores[index]; });
}

}  // namespace vta::run
