// SPDX-License-Identifier: Apache-2.0
//
// The init program of the emulated Zynq: mounts file systems, starts /bin/vta-rpc-server with the
// arguments in /etc/server, one per line, and prints its resident memory every second. The kernel has
// configured the network (ip=).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kMaxWords = 64 };

static void start_server(void) {
  static char text[4096];
  char* words[kMaxWords + 1] = {0};
  FILE* file = fopen("/etc/server", "r");
  if (file == NULL) return;
  text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
  int count = 0;
  for (char* word = strtok(text, "\n"); word != NULL && count < kMaxWords; word = strtok(NULL, "\n"))
    words[count++] = word;
  execv(words[0], words);
  perror("init: /etc/server");
  _exit(127);
}

// The line of /proc/PID/status that begins with "VmRSS".
static void show_memory(pid_t server) {
  char path[64], line[256];
  snprintf(path, sizeof(path), "/proc/%d/status", (int)server);
  FILE* file = fopen(path, "r");
  if (file == NULL) return;
  while (fgets(line, sizeof(line), file) != NULL)
    if (strncmp(line, "VmRSS:", 6) == 0) printf("init: server %s", line);
  fclose(file);
  fflush(stdout);
}

int main(void) {
  mkdir("/proc", 0755), mkdir("/sys", 0755), mkdir("/dev", 0755), mkdir("/tmp", 0777);
  mount("proc", "/proc", "proc", 0, NULL);
  mount("sysfs", "/sys", "sysfs", 0, NULL);
  mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);
  mount("tmpfs", "/tmp", "tmpfs", 0, NULL);
  freopen("/dev/console", "w", stdout), freopen("/dev/console", "w", stderr);
  const pid_t server = fork();
  if (server == 0) start_server();
  for (;;) {
    int status = 0;
    if (waitpid(server, &status, WNOHANG) == server) printf("init: server ended with %d\n", status);
    show_memory(server);
    sleep(1);
  }
}
