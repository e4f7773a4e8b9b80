// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/bind/ram_hazards.h"

namespace vta::hlsc::bind {

using ir::ValueId;

bool waits_for_read(const schedule::PipelinedBody& body, ValueId read, ValueId other) {
  return body.stage(other) > body.stage(read);
}

StageRange pending_stages(const schedule::PipelinedBody& body, ValueId read, ValueId write) {
  return {body.word_stage(read) + 1, body.stage(write)};
}

bool forwards(const schedule::PipelinedBody& body, ValueId read, ValueId write) {
  return body.stage(write) > body.stage(read);
}

}  // namespace vta::hlsc::bind
