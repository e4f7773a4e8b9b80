// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/rtl/verify.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "base/errors/error.h"

namespace vta::hlsc::rtl {
namespace {

enum class Driver : uint8_t { kInput, kContinuous, kProcedural, kConstant };

Driver driver_of(NetKind kind) {
  switch (kind) {
    case NetKind::kWire:
      return Driver::kContinuous;
    case NetKind::kRegister:
      return Driver::kProcedural;
    case NetKind::kLocalparam:
      return Driver::kConstant;
  }
  VTA_ASSERT(false, "a kind of net without a driver");
  return Driver::kConstant;
}

class Verifier {
 public:
  explicit Verifier(const Module& module) : module_(module) {}

  void run() {
    for (const Port& port : module_.ports) {
      declare(port.name, port.width,
              !port.is_output    ? Driver::kInput
              : port.is_register ? Driver::kProcedural
                                 : Driver::kContinuous);
    }
    for (const Net& net : module_.nets) {
      declare(net.name, net.width, driver_of(net.kind));
    }
    for (const Net& net : module_.nets) {
      use(net.value);
      if (net.kind == NetKind::kWire && !net.value.empty()) drive(net.name);
    }
    for (const Item& item : module_.items) std::visit([this](const auto& it) { check(it); }, item);
  }

 private:
  struct Declared {
    uint32_t width;
    Driver driver;
  };

  void require(bool condition, const char* what, const std::string& name) const {
    VTA_ASSERT(condition, fmt::format("module {}: {} '{}'", module_.name, what, name).c_str());
  }

  void declare(const std::string& name, uint32_t width, Driver driver) {
    require(names_.emplace(name, Declared{width, driver}).second, "second declaration of", name);
  }

  void drive(const std::string& name) {
    require(driven_.insert(name).second, "second driver of", name);
  }

  void use(const Expression& expression) const {
    if (expression.empty()) return;
    if (expression.form() == Form::kNet) {
      const auto found = names_.find(expression.text());
      require(found != names_.end(), "no declaration of", expression.text());
      require(found->second.width == expression.width(), "wrong width of", expression.text());
    }
    for (const Expression& operand : expression.operands()) use(operand);
  }

  // The net of which the target is a part.
  const std::string& assigned(const Expression& target, Driver driver) const {
    use(target);
    const Expression& net = target.form() == Form::kNet ? target : target.operands()[0];
    require(names_.at(net.text()).driver == driver, "wrong kind of assignment to", net.text());
    return net.text();
  }

  void check(const Assignment& assignment) {
    use(assignment.value);
    drive(assigned(assignment.target, Driver::kContinuous));
  }

  void check(const Instance& instance) {
    std::set<std::string> ports;
    for (const Connection& connection : instance.connections) {
      require(ports.insert(connection.port).second, "second connection of", connection.port);
      use(connection.value);
    }
  }

  void check(const Always& always) {
    for (const Statement& statement : always.body) check(statement);
  }

  void check(const Statement& statement) {
    for (const Variable& variable : statement.variables)
      declare(variable.name, variable.width, Driver::kProcedural);
    use(statement.condition);
    use(statement.value);
    if (!statement.target.empty()) assigned(statement.target, Driver::kProcedural);
    for (const Statement& inner : statement.then) check(inner);
    for (const Statement& inner : statement.otherwise) check(inner);
    for (const Variable& variable : statement.variables) names_.erase(variable.name);
  }

  const Module& module_;
  std::unordered_map<std::string, Declared> names_;
  std::set<std::string> driven_;
};

}  // namespace

void verify(const Module& module) { Verifier(module).run(); }

}  // namespace vta::hlsc::rtl
