/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/tools/c_api/digits_client.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/c_api/vta.h"

static int fail(const char* what) {
  fprintf(stderr, "%s: %s\n", what, vta_last_error());
  return -1;
}

static int best_class(const float* scores, size_t count) {
  size_t best = 0;
  for (size_t i = 1; i < count; ++i) {
    if (scores[i] > scores[best]) best = i;
  }
  return (int)best;
}

static int run_sample(vta_session* session, const vta_program* program, uint64_t* cycles) {
  const vta_tensor_info* input = vta_program_input(program, 0);
  const vta_tensor_info* output = vta_program_output(program, 0);
  vta_buffer x = {malloc(input->num_bytes), input->num_bytes};
  vta_buffer y = {malloc(output->num_bytes), output->num_bytes};
  vta_report* report = NULL;
  int result = -1;
  if (vta_program_read_input(program, NULL, &x) != VTA_OK) {
    fail("read_input");
  } else if (vta_session_run(session, &x, 1, &y, 1, NULL, &report) != VTA_OK) {
    fail("run");
  } else {
    result = best_class((const float*)y.data, y.num_bytes / sizeof(float));
    *cycles = vta_report_totals(report)->counters.cycles;
  }
  vta_report_free(report);
  free(x.data);
  free(y.data);
  return result;
}

int classify_digit(const char* device_uri, uint64_t* cycles) {
  vta_network* network = NULL;
  vta_program* program = NULL;
  vta_device* device = NULL;
  vta_session* session = NULL;
  int result = -1;
  if (vta_network_load("digits.json", NULL, &network) != VTA_OK) {
    fail("load");
  } else if (vta_compile(network, NULL, &program) != VTA_OK) {
    fail("compile");
  } else if (vta_device_open(device_uri, program, &device) != VTA_OK) {
    fail("open device");
  } else if (vta_session_open(program, device, &session) != VTA_OK) {
    fail("open session");
  } else {
    result = run_sample(session, program, cycles);
  }
  vta_network_free(network);
  vta_device_free(device); /* before the session that uses it */
  vta_session_free(session);
  vta_program_free(program);
  return result;
}
