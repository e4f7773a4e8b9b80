// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/rtl/module.h"

#include <utility>

namespace vta::hlsc::rtl {

Statement blocking(Expression target, Expression value) {
  Statement statement = nonblocking(std::move(target), std::move(value));
  statement.kind = StatementKind::kBlocking;
  return statement;
}

Statement nonblocking(Expression target, Expression value) {
  Statement statement;
  statement.target = std::move(target);
  statement.value = std::move(value);
  return statement;
}

Statement if_then(Expression condition, Statement then) {
  Statement statement;
  statement.kind = StatementKind::kIf;
  statement.condition = std::move(condition);
  statement.then.push_back(std::move(then));
  return statement;
}

Statement if_else(Expression condition, Statement then, Statement otherwise) {
  Statement statement = if_then(std::move(condition), std::move(then));
  statement.otherwise.push_back(std::move(otherwise));
  return statement;
}

Statement sequence(std::vector<Statement> statements) {
  Statement statement;
  statement.kind = StatementKind::kSequence;
  statement.then = std::move(statements);
  return statement;
}

}  // namespace vta::hlsc::rtl
