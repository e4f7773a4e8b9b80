// SPDX-License-Identifier: Apache-2.0
//
// rpc_victim URI: runs programs until it is killed (killed_client_test.cc).
#include <unistd.h>

#include "tests/rpc/tiny_client.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  vta::support::TinyClient client(argv[1], static_cast<uint64_t>(getpid()));
  while (client.run()) {
  }
  return 1;
}
