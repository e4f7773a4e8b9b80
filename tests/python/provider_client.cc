// SPDX-License-Identifier: Apache-2.0
//
// A C++ program of ONNX Runtime that runs a model on a core. ONNX Runtime is the one of the Python
// package, which has no headers or library to link with, so it is loaded by its path.
//
// usage: provider_client LIBONNXRUNTIME PROVIDER MODEL    prints each element of the first output
//        for the input 0, 0.001, 0.002, ...
#include <dlfcn.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#define ORT_API_MANUAL_INIT
#include <onnxruntime_cxx_api.h>
#undef ORT_API_MANUAL_INIT

namespace {

void load_onnxruntime(const char* path) {
  void* const library = dlopen(path, RTLD_NOW);
  if (library == nullptr) throw std::runtime_error(dlerror());
  using BaseFunction = const OrtApiBase* (*)();
  const auto base = reinterpret_cast<BaseFunction>(dlsym(library, "OrtGetApiBase"));
  if (base == nullptr) throw std::runtime_error(dlerror());
  Ort::InitApi(base()->GetApi(ORT_API_VERSION));
}

Ort::Session open_session(Ort::Env& env, const char* provider, const char* model) {
  env.RegisterExecutionProviderLibrary("vta", provider);
  std::vector<Ort::ConstEpDevice> devices;
  for (const Ort::ConstEpDevice& device : env.GetEpDevices())
    if (std::string(device.EpName()) == "VTAExecutionProvider") devices.push_back(device);
  Ort::SessionOptions options;
  options.AddConfigEntry("session.disable_cpu_ep_fallback", "1");
  options.AppendExecutionProvider_V2(env, devices, {{"device", "functional"}});
  return Ort::Session(env, model, options);
}

void print_output(Ort::Session& session) {
  std::vector<int64_t> shape = session.GetInputTypeInfo(0).GetTensorTypeAndShapeInfo().GetShape();
  std::vector<float> values(
      session.GetInputTypeInfo(0).GetTensorTypeAndShapeInfo().GetElementCount());
  for (size_t i = 0; i < values.size(); ++i) values[i] = 0.001F * static_cast<float>(i);
  const auto memory = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
  const Ort::Value input = Ort::Value::CreateTensor<float>(memory, values.data(), values.size(),
                                                           shape.data(), shape.size());
  const Ort::AllocatorWithDefaultOptions allocator;
  const Ort::AllocatedStringPtr input_name = session.GetInputNameAllocated(0, allocator);
  const Ort::AllocatedStringPtr output_name = session.GetOutputNameAllocated(0, allocator);
  const char* const inputs[] = {input_name.get()};
  const char* const outputs[] = {output_name.get()};
  const std::vector<Ort::Value> results =
      session.Run(Ort::RunOptions(nullptr), inputs, &input, 1, outputs, 1);
  const size_t count = results[0].GetTensorTypeAndShapeInfo().GetElementCount();
  for (size_t i = 0; i < count; ++i) std::printf("%.9g\n", results[0].GetTensorData<float>()[i]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: provider_client LIBONNXRUNTIME PROVIDER MODEL\n", stderr);
    return 2;
  }
  try {
    load_onnxruntime(argv[1]);
    Ort::Env env(ORT_LOGGING_LEVEL_ERROR, "provider_client");
    {
      Ort::Session session = open_session(env, argv[2], argv[3]);
      print_output(session);
    }
    env.UnregisterExecutionProviderLibrary("vta");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "provider_client: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
