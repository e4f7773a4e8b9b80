// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/session.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/host/host_operators.h"
#include "tools/c_api/cancellable_device.h"
#include "tools/c_api/handles.h"
#include "tools/c_api/report.h"
#include "tools/c_api/status.h"

using vta::Tensor;
using vta::c_api::guarded;
using vta::c_api::required;

namespace {

// The streams and the host operators of a program.
size_t count_actions(const vta::Program& program) {
  const auto host_operators =
      std::ranges::count(program.steps, vta::ProgramStep::Kind::kHost, &vta::ProgramStep::kind);
  return std::max<size_t>(1, vta::streams_of(program).size() + static_cast<size_t>(host_operators));
}

}  // namespace

struct vta_session {
  vta_session(const vta_program& program, std::shared_ptr<vta::c_api::SharedDevice> used_device)
      : shared(std::move(used_device)),
        device(*shared->device, cancelled),
        inputs(program.inputs),
        outputs(program.outputs),
        num_actions(count_actions(program.program)) {
    const std::lock_guard turn(shared->turn);
    session = std::make_unique<vta::Session>(
        program.program, device,
        [this](vta::OpKind kind, const vta::OpAttrs& attrs, const std::vector<Tensor>& operands) {
          device.throw_if_cancelled();
          Tensor result = vta::host::execute(kind, attrs, operands);
          ++device.num_actions;
          return result;
        },
        &shared->turn);
  }

  ~vta_session() {
    const std::lock_guard turn(shared->turn);
    session.reset();
  }

  // The fraction of the current run that is done, by its streams and host operators.
  double fraction() const {
    return static_cast<double>(device.num_actions) / static_cast<double>(num_actions);
  }

  const std::shared_ptr<vta::c_api::SharedDevice> shared;
  std::atomic<bool> cancelled = false;
  vta::c_api::CancellableDevice device;
  const vta::c_api::TensorInfos inputs, outputs;  // the program may be released before the session
  const size_t num_actions;
  std::unique_ptr<vta::c_api::TensorInfos> results;  // of the last run
  std::unique_ptr<vta::Session> session;
  std::mutex running;                   // held by the current run
  std::atomic<std::thread::id> runner;  // the thread that has `running`
};

namespace {

constexpr std::chrono::milliseconds kProgressInterval{50};

// The session's current run. Errors: kInvalidArgument in the thread that is running the session,
// which would wait for itself.
class Turn {
 public:
  explicit Turn(vta_session& session) : session_(session), one_(checked(session)) {
    session_.runner = std::this_thread::get_id();
  }
  ~Turn() { session_.runner = std::thread::id(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  static std::mutex& checked(vta_session& session) {
    if (session.runner == std::this_thread::get_id()) {
      vta::fail(vta::ErrorCode::kInvalidArgument,
                "the session is running: its progress function cannot run it");
    }
    return session.running;
  }

  vta_session& session_;
  const std::lock_guard<std::mutex> one_;
};

// The memory of the caller.
struct Arrays {
  std::vector<std::span<const uint8_t>> inputs;
  std::vector<std::span<uint8_t>> outputs;
};

struct Result {
  std::vector<vta::TensorType> types;  // of the outputs
  vta::InferenceReport report;
};

Arrays arrays_of(std::span<const vta_buffer> inputs, std::span<const vta_buffer> outputs) {
  Arrays arrays;
  for (const vta_buffer& input : inputs)
    arrays.inputs.emplace_back(static_cast<const uint8_t*>(input.data), input.num_bytes);
  for (const vta_buffer& output : outputs)
    arrays.outputs.emplace_back(static_cast<uint8_t*>(output.data), output.num_bytes);
  return arrays;
}

Result run(vta_session& session, const Arrays& arrays) {
  Result result;
  result.types = session.session->run(arrays.inputs, arrays.outputs, &result.report);
  return result;
}

// Runs on another thread, while this one calls the progress function.
Result run_watched(vta_session& session, const Arrays& arrays, const vta_run_options& options) {
  std::future<Result> result = std::async(std::launch::async, [&] { return run(session, arrays); });
  while (result.wait_for(kProgressInterval) != std::future_status::ready) {
    if (options.progress(options.progress_user, "running", session.fraction()) != 0)
      session.cancelled = true;
  }
  return result.get();
}

}  // namespace

extern "C" {

vta_status vta_session_open(const vta_program* program, vta_device* device, vta_session** session) {
  return guarded([&] {
    vta_session*& opened = required(session, "session");
    opened = new vta_session(required(program, "program"), required(device, "device").shared);
  });
}

void vta_session_free(vta_session* session) { delete session; }

void vta_session_cancel(vta_session* session) {
  if (session != nullptr) session->cancelled = true;
}

vta_status vta_session_run(vta_session* session, const vta_buffer* inputs, size_t num_inputs,
                           const vta_buffer* outputs, size_t num_outputs,
                           const vta_run_options* options, vta_report** report) {
  return guarded([&] {
    required(session, "session");
    const vta_run_options how = vta::c_api::options_of(options);
    vta::c_api::check_buffers("input", session->inputs, inputs, num_inputs);
    vta::c_api::refuse_nan(session->inputs, inputs);
    vta::c_api::check_buffers("output", session->outputs, outputs, num_outputs);
    const Arrays arrays = arrays_of({inputs, num_inputs}, {outputs, num_outputs});
    const Turn turn(*session);
    session->cancelled = false;
    session->device.num_actions = 0;
    Result result =
        how.progress == nullptr ? run(*session, arrays) : run_watched(*session, arrays, how);
    session->results = std::make_unique<vta::c_api::TensorInfos>(session->outputs, result.types);
    if (report != nullptr) *report = new vta_report(std::move(result.report));
  });
}

const vta_tensor_info* vta_session_output(const vta_session* session, size_t index) {
  return session == nullptr || !session->results ? nullptr : session->results->at(index);
}

}  // extern "C"
