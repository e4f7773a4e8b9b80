# SPDX-License-Identifier: Apache-2.0
# ONNX::onnx_proto: the protobuf classes of ONNX models. ONNX 1.12 (Debian 12) exports the target without a namespace and does
# not look for protobuf, which its targets name.
find_package(Protobuf REQUIRED)
find_package(ONNX CONFIG REQUIRED)
if(NOT TARGET ONNX::onnx_proto)
  add_library(ONNX::onnx_proto INTERFACE IMPORTED)
  target_link_libraries(ONNX::onnx_proto INTERFACE onnx_proto)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OnnxProto REQUIRED_VARS ONNX_DIR)
