// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/host_port.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/errors/error.h"

namespace vta::rpc {
namespace {

[[noreturn]] void refuse(const std::string& text) {
  fail(ErrorCode::kInvalidArgument, "expected HOST:PORT, got '{}' (IPv6 addresses need brackets)",
       without_user_info(text));
}

// A name or an address, possibly with IPv6's zone ("fe80::1%eth0"). No user info, no path.
bool is_host(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(".-_:%").find(c) != std::string_view::npos;
  });
}

uint16_t parse_port(const std::string& digits, const std::string& text) {
  uint16_t port = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, port);
  if (error == std::errc::result_out_of_range) {
    fail(ErrorCode::kInvalidArgument, "'{}': port {}, the highest is {}", without_user_info(text),
         digits, UINT16_MAX);
  }
  if (error != std::errc() || stop != end) refuse(text);
  return port;
}

}  // namespace

std::string without_user_info(const std::string& text) {
  const size_t at = text.rfind('@');
  return at == std::string::npos ? text : "..." + text.substr(at);
}

HostPort parse_host_port(const std::string& text) {
  HostPort result;
  std::string rest;
  if (text.starts_with('[')) {
    const size_t bracket = text.find(']');
    if (bracket == std::string::npos) refuse(text);
    result.host = text.substr(1, bracket - 1);
    rest = text.substr(bracket + 1);
  } else {
    const size_t colon = std::min(text.find(':'), text.size());
    result.host = text.substr(0, colon);
    rest = text.substr(colon);
  }
  if (!is_host(result.host)) refuse(text);
  if (rest.empty()) return result;
  if (rest.front() != ':') refuse(text);
  result.port = parse_port(rest.substr(1), text);
  return result;
}

}  // namespace vta::rpc
