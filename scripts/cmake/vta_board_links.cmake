# SPDX-License-Identifier: Apache-2.0
# What programs for boards must not link; at the end of the root's CMakeLists.txt, in the build for boards as in others.

# Host operators, compilers and simulators with a clock stay on the host.
vta_forbid_links(vta_session vta_driver_xrt vta_flash vta_selftest vta-rpc-server-board
  PATTERN "LLVM|[Cc]lang|onnx|ONNX|protobuf|dnnl|OneDNN|zip|JPEG|PNG|WebP|verilated|vta_(host|hlsc|compiler|import|quantize|sim_rtl|sim_cycle|sim_timed)")
if(VTA_BOARD)  # a host's has the simulators
  set(board_flash vta-flash)
endif()
vta_forbid_links(vta-run vta_c_lean ${board_flash}
  PATTERN "LLVM|[Cc]lang|onnx|ONNX|protobuf|dnnl|OneDNN|zip|verilated|vta_(hlsc|compiler|import|quantize|sim_rtl|sim_cycle|sim_timed)")
