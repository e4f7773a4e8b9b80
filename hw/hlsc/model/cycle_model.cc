// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/cycle_model.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>

#include "hw/hlsc/model/expression.h"
#include "hw/hlsc/model/model_input.h"
#include "hw/hlsc/model/process_body.h"

namespace vta::hlsc::model {

using ir::Object;
using ir::ObjectId;
using ir::ObjectKind;
using ir::Opcode;

namespace {

// Items of deeper FIFOs are available a cycle later (SMALL in hw/rtl/hls_fifo.sv).
constexpr uint32_t kMaxSmallFifo = 32;

class Header {
 public:
  explicit Header(const ModelInput& input) : input_(input), late_(late_registers(input)) {
    for (size_t process = 0; process < input.design.processes.size(); ++process) {
      for (const ir::Op& op : input.design.processes[process].ops) {
        if (op.object == ir::kNoObject) continue;
        used_.insert(op.object);
        if (op.opcode == Opcode::kRegisterRead) read_.insert(op.object);
        add_end(op, process);
      }
    }
  }

  std::string text(const std::string& name) {
    for (ObjectId id = 0; id < input_.design.objects.size(); ++id) {
      if (used_.contains(id)) object(id);
    }
    const std::string processes = bodies();
    return fmt::format(
        "// SPDX-License-Identifier: Apache-2.0\n// Written by vta-hlsc.\n#pragma once\n#pragma "
        "clang system_header  // warnings are for people\n"
        "#include <algorithm>\n#include <vector>\n\n#include \"sim/process_network/arbiter.h\"\n"
        "#include \"sim/process_network/bits.h\"\n#include \"sim/process_network/dram_ports.h\"\n"
        "#include \"sim/process_network/late_register.h\"\n#include "
        "\"sim/process_network/pipeline.h\"\n"
        "#include \"sim/process_network/records.h\"\n"
        "#include \"sim/process_network/stream.h\"\n\nnamespace vta::process_network {{\n\nstruct "
        "{0} {{\n"
        "struct Rams {{\n{1}}};\nenum Number : uint32_t {{\n{2}}};\n"
        "static constexpr const char* kObjects[] = {{\n{3}}};\n\n"
        "{0}(ProcessNetwork& network, [[maybe_unused]] Rams& rams) : network_(network){4} "
        "{{\n{5}}}\n\n"
        "ProcessNetwork& network_;\n{6}\n{7}{8}\n{9}}};\n\n}}  // namespace vta::process_network\n",
        name, rams_, numbers_, names_, ram_references_, bindings(), members_, processes, processes_,
        arbiters());
  }

 private:
  // The processes at the ends of a stream or a DRAM port; none: the outside.
  struct Ends {
    std::optional<size_t> reader, writer;
    std::optional<size_t> beats;  // writes the beats of a write port
  };

  void add_end(const ir::Op& op, size_t process) {
    Ends& ends = ends_[op.object];
    if (!ir::accesses_channel(op.opcode)) return;
    if (ir::takes(op.opcode)) {
      ends.reader = process;
    } else if (op.opcode == Opcode::kWriteBeat) {
      ends.beats = process;
    } else {
      ends.writer = process;
    }
  }

  void object(ObjectId id) {
    const Object& object = input_.design.objects[id];
    const std::string name = object_name(object), type = content_type(input_, id);
    numbers_ += fmt::format("{} = {},\n", object_number(object), num_objects_++);
    names_ += fmt::format("\"{}\",\n", object.name);
    switch (object.kind) {
      case ObjectKind::kRam:
        if (!input_.slice.contents[id]) return;
        rams_ += fmt::format("std::vector<{}> {} = {};\n", type, name, contents(object, type));
        members_ += fmt::format("std::vector<{}>& {};\n", type, name);
        ram_references_ += fmt::format(", {0}(rams.{0})", name);
        return;
      case ObjectKind::kRegister:
        if (!input_.slice.contents[id]) return;
        members_ +=
            late_.contains(id)
                ? fmt::format("LateRegister<{}, {}> {}{};\n", type, late_.at(id), name,
                              first_value(object, "{", "}", ""))
                : fmt::format("{} {}{};\n", type, name, first_value(object, " = ", "", " = 0"));
        if (is_outward(id)) members_ += fmt::format("RegisterLog* log_{} = nullptr;\n", name);
        return;
      case ObjectKind::kInput:
        members_ += fmt::format("bits<{}> {} = 0;\n", object.width, name);
        return;
      case ObjectKind::kStream:
        members_ += stream(object, ends_[id], type);
        return;
      case ObjectKind::kReadPort:
        members_ += fmt::format("ReadPort {}{{{}}};\n", name, object.depth);
        members_ += fmt::format("static constexpr bool {}_has_content = {};\n", name,
                                static_cast<bool>(input_.slice.contents[id]));
        return;
      case ObjectKind::kWritePort:
        members_ += fmt::format("WritePort {}{{{}}};\n", name, object.depth);
        return;
    }
  }

  // As many words as an address reaches.
  static std::string contents(const Object& object, const std::string& type) {
    const uint64_t words = uint64_t{1} << bind::address_bits(object);
    if (object.initial.empty()) return fmt::format("std::vector<{}>({})", type, words);
    std::string text;
    for (const llvm::APInt& word : object.initial)
      text += fmt::format("{}{}", text.empty() ? "" : ", ", literal(word));
    return fmt::format("[] {{ std::vector<{}> words = {{{}}}; words.resize({}); return words; }}()",
                       type, text, words);
  }
  static std::string first_value(const Object& object, const char* open, const char* close,
                                 const char* otherwise) {
    return object.initial.empty() ? otherwise : open + literal(object.initial[0]) + close;
  }

  static std::string stream(const Object& object, const Ends& ends, const std::string& type) {
    const std::string name = object_name(object);
    if (!ends.writer) return fmt::format("InputStream<{}> {};\n", type, name);
    if (!ends.reader) return fmt::format("OutputStream<{}> {};\n", type, name);
    if (object.width == 0) return fmt::format("Tokens<{}> {};\n", object.depth, name);
    const uint32_t delay = object.depth <= kMaxSmallFifo ? 1 : 2;
    return fmt::format("Stream<{}, {}, {}> {};\n", type, object.depth, delay, name);
  }

  // Visible outside the design, where the cycle of a write may matter.
  bool is_outward(ObjectId id) const {
    const Object& object = input_.design.objects[id];
    return object.kind == ObjectKind::kRegister && input_.slice.contents[id] &&
           !read_.contains(id) && object.width <= 64;
  }
  std::set<ObjectId> outward_registers() const {
    std::set<ObjectId> outward;
    for (ObjectId id : used_) {
      if (is_outward(id)) outward.insert(id);
    }
    return outward;
  }

  std::string process_name(size_t process) const {
    return "process_" + input_.design.processes[process].name;
  }

  std::string bindings() const {
    std::string text;
    const auto bind = [&](const std::string& end, const char* what, std::optional<size_t> process) {
      if (process) text += fmt::format("{}.bind_{}({});\n", end, what, process_name(*process));
    };
    for (const auto& [id, ends] : ends_) {
      const Object& object = input_.design.objects[id];
      const std::string name = object_name(object);
      if (object.kind == ObjectKind::kStream) {
        bind(name, "reader", ends.reader);
        bind(name, "writer", ends.writer);
      } else if (object.kind == ObjectKind::kReadPort) {
        bind(name + ".requests", "writer", ends.writer);
        bind(name + ".beats", "reader", ends.reader);
      } else if (object.kind == ObjectKind::kWritePort) {
        bind(name + ".requests", "writer", ends.writer);
        bind(name + ".beats", "writer", ends.beats);
        bind(name + ".idle", "reader", ends.reader);
      }
    }
    return text;
  }

  std::string bodies() {
    std::string text;
    const std::set<ObjectId> outward = outward_registers();
    for (size_t p = 0; p < input_.design.processes.size(); ++p) {
      const std::string& name = input_.design.processes[p].name;
      text += fmt::format("void run_{}() {{\nProcess& process = {};\n{}}}\n\n", name,
                          process_name(p), process_body(input_, p, late_, outward));
      processes_ += fmt::format("Process {}{{network_, \"{}\", [this] {{ run_{}(); }}}};\n",
                                process_name(p), name, name);
    }
    return text;
  }

  std::string arbiters() const {
    std::string text;
    for (const auto& [ram, ports] : input_.rams) {
      for (const SharedPort& port : shared_ports(input_, ram)) {
        std::string clients;
        for (size_t client : port.clients)
          clients += (clients.empty() ? "&" : ", &") + process_name(client);
        text += fmt::format("Arbiter {}{{{{{}}}}};\n", port.arbiter, clients);
      }
    }
    return text;
  }

  const ModelInput& input_;
  const std::map<ObjectId, uint32_t> late_;
  std::set<ObjectId> used_, read_;
  std::map<ObjectId, Ends> ends_;
  uint32_t num_objects_ = 0;
  std::string rams_, ram_references_, numbers_, names_, members_, processes_;
};

}  // namespace

std::string cycle_model(const ir::Design& design, const schedule::Schedule& schedule,
                        const bind::Binding& binding, const std::string& name) {
  const Slice slice = slice_of(design, schedule, binding.ram_ports);
  return Header({design, schedule, binding.ram_ports, slice})
      .text(name.empty() ? design.name + "Model" : name);
}

}  // namespace vta::hlsc::model
