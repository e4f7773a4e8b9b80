// SPDX-License-Identifier: Apache-2.0
//
// The init program of the emulated Zynq: mounts file systems and runs the commands in /etc/commands
// one after another: one per line, words separated by spaces. Prints the resident memory of the
// current one every second, and its end. The kernel has configured the network (ip=).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kMaxWords = 64 };

static void start(char* command) {
  char* words[kMaxWords + 1] = {0};
  int count = 0;
  for (char* word = strtok(command, " "); word != NULL && count < kMaxWords; word = strtok(NULL, " "))
    words[count++] = word;
  execv(words[0], words);
  perror("init: a command");
  _exit(127);
}

// The line of /proc/PID/status that begins with "VmRSS".
static void show_memory(pid_t process) {
  char path[64], line[256];
  snprintf(path, sizeof(path), "/proc/%d/status", (int)process);
  FILE* file = fopen(path, "r");
  if (file == NULL) return;
  while (fgets(line, sizeof(line), file) != NULL)
    if (strncmp(line, "VmRSS:", 6) == 0) printf("init: command %s", line);
  fclose(file);
  fflush(stdout);
}

static void run(char* command) {
  const pid_t process = fork();
  if (process == 0) start(command);
  int status = 0;
  struct rusage used = {0};
  while (wait4(process, &status, WNOHANG, &used) != process) {
    show_memory(process);
    sleep(1);
  }
  printf("init: command ended with %d, at most %ld kB resident\n",
         WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), used.ru_maxrss);
  fflush(stdout);
}

int main(void) {
  mkdir("/proc", 0755), mkdir("/sys", 0755), mkdir("/dev", 0755), mkdir("/tmp", 0777);
  mount("proc", "/proc", "proc", 0, NULL);
  mount("sysfs", "/sys", "sysfs", 0, NULL);
  mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);
  mount("tmpfs", "/tmp", "tmpfs", 0, NULL);
  freopen("/dev/console", "w", stdout), freopen("/dev/console", "w", stderr);
  static char line[4096];
  FILE* commands = fopen("/etc/commands", "r");
  while (commands != NULL && fgets(line, sizeof(line), commands) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    run(line);
  }
  printf("init: all commands ended\n");
  for (;;) pause();
}
