// SPDX-License-Identifier: Apache-2.0
//
// The functions of the full build in the build for boards.
#include "tools/c_api/status.h"
#include "tools/c_api/vta.h"

namespace {

vta_status refuse(const char* what) {
  return vta::c_api::guarded([&] {
    vta::fail(vta::ErrorCode::kUnsupported,
              "{}: this build of libvta is for boards and has no compiler; compile the network on "
              "another machine",
              what);
  });
}

}  // namespace

extern "C" {

int vta_has_compiler(void) { return 0; }

vta_status vta_network_load(const char*, const vta_network_options*, vta_network**) {
  return refuse("vta_network_load");
}
vta_status vta_network_parse(const char*, const uint8_t*, size_t, const vta_network_options*,
                             vta_network**) {
  return refuse("vta_network_parse");
}
void vta_network_free(vta_network*) {}
const char* vta_network_name(const vta_network*) { return nullptr; }
int64_t vta_network_batch(const vta_network*) { return 0; }
int vta_network_is_quantized(const vta_network*) { return 0; }
const char* vta_network_note(const vta_network*, size_t) { return nullptr; }
size_t vta_network_num_inputs(const vta_network*) { return 0; }
size_t vta_network_num_outputs(const vta_network*) { return 0; }
const vta_tensor_info* vta_network_input(const vta_network*, size_t) { return nullptr; }
const vta_tensor_info* vta_network_output(const vta_network*, size_t) { return nullptr; }

vta_status vta_node_refusals_of(const char*, vta_node_refusals**) {
  return refuse("vta_node_refusals_of");
}
vta_status vta_node_refusals_parse(const uint8_t*, size_t, vta_node_refusals**) {
  return refuse("vta_node_refusals_parse");
}
size_t vta_node_refusals_size(const vta_node_refusals*) { return 0; }
const char* vta_node_refusals_at(const vta_node_refusals*, size_t) { return nullptr; }
void vta_node_refusals_free(vta_node_refusals*) {}

vta_status vta_compile(const vta_network*, const vta_compile_options*, vta_program**) {
  return refuse("vta_compile");
}

vta_status vta_reference_open(const vta_network*, vta_reference**) {
  return refuse("vta_reference_open");
}
vta_status vta_reference_run(vta_reference*, const vta_buffer*, size_t, const vta_buffer*, size_t) {
  return refuse("vta_reference_run");
}
const vta_tensor_info* vta_reference_output(const vta_reference*, size_t) { return nullptr; }
void vta_reference_free(vta_reference*) {}

vta_status vta_dataset_open(const char*, const vta_program*, vta_dataset**) {
  return refuse("vta_dataset_open");
}
void vta_dataset_free(vta_dataset*) {}
size_t vta_dataset_size(const vta_dataset*) { return 0; }
const int64_t* vta_dataset_labels(const vta_dataset*) { return nullptr; }
vta_status vta_dataset_read(const vta_dataset*, size_t, const vta_buffer*) {
  return refuse("vta_dataset_read");
}

}  // extern "C"
