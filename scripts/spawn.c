// Runs a program with nothing to read and nobody who listens; prints the nanoseconds that it took, the most memory that
// it had, in kilobytes, and the microseconds of processors that it used. What the caller's own start of a child costs is not in them.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

int main(int count, char **arguments) {
  if (count < 2) return 2;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  char *environment[] = {"HOME=/", "PATH=/usr/bin:/bin", 0};
  struct timespec start, end;
  pid_t child;
  int status;
  struct rusage used;
  clock_gettime(CLOCK_MONOTONIC, &start);
  if (posix_spawn(&child, arguments[1], &files, 0, arguments + 1, environment)) return 3;
  if (wait4(child, &status, 0, &used) < 0 || status != 0) return 4;
  clock_gettime(CLOCK_MONOTONIC, &end);
  long long took = (end.tv_sec - start.tv_sec) * 1000000000LL + end.tv_nsec - start.tv_nsec;
  long long seconds = used.ru_utime.tv_sec + used.ru_stime.tv_sec;
  long long processors = seconds * 1000000 + used.ru_utime.tv_usec + used.ru_stime.tv_usec;
  printf("%lld %ld %lld\n", took, used.ru_maxrss, processors);
}
