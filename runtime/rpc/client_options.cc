// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/client_options.h"

#include <cstdlib>
#include <map>
#include <set>

#include "base/errors/error.h"
#include "runtime/rpc/token.h"

namespace vta::rpc {
namespace {

constexpr char kScheme[] = "rpc://";

struct Key {
  const char* name;
  const char* variable;  // null for none
};
constexpr Key kKeys[] = {{"token-file", "VTA_RPC_TOKEN_FILE"},
                         {"ca", "VTA_RPC_CA"},
                         {"cert", "VTA_RPC_CERT"},
                         {"key", "VTA_RPC_KEY"},
                         {"insecure", nullptr}};

bool is_key(const std::string& name) {
  for (const Key& key : kKeys) {
    if (name == key.name) return true;
  }
  return false;
}

// `uri`: for messages.
void add_query(const std::string& query, const std::string& uri,
               std::map<std::string, std::string>& values) {
  std::set<std::string> given;
  for (size_t begin = 0; begin < query.size();) {
    const size_t end = std::min(query.find('&', begin), query.size());
    const std::string pair = query.substr(begin, end - begin);
    const size_t equals = pair.find('=');
    const std::string name = pair.substr(0, equals);
    if (equals == std::string::npos || !is_key(name)) {
      // The option itself may be a secret.
      fail(ErrorCode::kInvalidArgument,
           "device '{}': it has an option other than token-file=, ca=, cert=, key= and insecure=",
           uri);
    }
    if (!given.insert(name).second)
      fail(ErrorCode::kInvalidArgument, "device '{}': {}= is given twice", uri, name);
    values[name] = pair.substr(equals + 1);
    begin = end + 1;
  }
}

std::map<std::string, std::string> environment() {
  std::map<std::string, std::string> values;
  for (const Key& key : kKeys) {
    const char* const value = key.variable == nullptr ? nullptr : std::getenv(key.variable);
    values[key.name] = value == nullptr ? "" : value;
  }
  return values;
}

}  // namespace

ClientOptions parse_client_uri(const std::string& uri) {
  if (!uri.starts_with(kScheme)) {
    fail(ErrorCode::kInvalidArgument, "device '{}': expected rpc://HOST:PORT", uri);
  }
  const std::string rest = uri.substr(sizeof(kScheme) - 1);
  const size_t question = std::min(rest.find('?'), rest.size());
  const std::string server = rest.substr(0, question);
  // A password with '?' ends the server early.
  const bool is_cut = server.find('@') == std::string::npos && rest.find('@') != std::string::npos;
  const std::string shown = kScheme + (is_cut ? "..." : without_user_info(server));
  std::map<std::string, std::string> values = environment();
  if (question < rest.size()) add_query(rest.substr(question + 1), shown, values);

  ClientOptions options;
  options.uri = uri;
  options.server = parse_host_port(server);
  if (!values["token-file"].empty()) options.token = read_token(values["token-file"]);
  options.ca = values["ca"];
  options.certificate = values["cert"];
  options.key = values["key"];
  options.insecure = values["insecure"] == "1";
  if (!options.insecure && !values["insecure"].empty() && values["insecure"] != "0") {
    fail(ErrorCode::kInvalidArgument, "device '{}': expected insecure=0 or insecure=1, got '{}'",
         shown, values["insecure"]);
  }
  if (options.certificate.empty() != options.key.empty() ||
      (options.ca.empty() && !options.certificate.empty())) {
    fail(ErrorCode::kInvalidArgument,
         "device '{}': cert and key must be given together, and with ca", shown);
  }
  return options;
}

}  // namespace vta::rpc
