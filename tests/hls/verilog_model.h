// SPDX-License-Identifier: Apache-2.0
//
// The Verilated model of many kernels, and the ports of each kernel in it.
#ifndef VTA_TESTS_HLS_VERILOG_MODEL_H_
#define VTA_TESTS_HLS_VERILOG_MODEL_H_

#include <cstdint>
#include <map>
#include <string>

namespace vta::kernels {

// An end of a stream: the item in little-endian bytes (null for tokens), `blocked` is set by the
// test (empty or full), `moves` by the model (pop or push).
struct StreamPins {
  void* data = nullptr;
  uint32_t width = 0;  // bits
  uint8_t* blocked = nullptr;
  uint8_t* moves = nullptr;
};
struct ConstantPins {
  void* data = nullptr;
  uint32_t width = 0;
};

struct KernelModel {
  std::map<std::string, StreamPins> inputs, outputs;              // by stream
  std::map<std::string, StreamPins> read_requests, read_beats;    // by port
  std::map<std::string, StreamPins> write_requests, write_beats;  // by port
  std::map<std::string, uint8_t*> idles;                          // by write port
  std::map<std::string, ConstantPins> constants;
};

class VerilogModel {
 public:
  virtual ~VerilogModel() = default;
  virtual void eval(bool clk, bool rst) = 0;

  std::map<std::string, KernelModel> kernels;  // by the name of the kernel's file
};

}  // namespace vta::kernels

// The caller owns the result. VerilogTop generates this function; it may be in a shared object.
extern "C" vta::kernels::VerilogModel* make_verilog_model();

#endif  // VTA_TESTS_HLS_VERILOG_MODEL_H_
