/*
 * Shows what a disk would hold after power loss. Preloaded into a process, it keeps beside the file named in
 * POWER_LOSS_FILE a second one, named with `.disk` behind, that has only what was synced: the whole content
 * after fsync or fdatasync, and each write through a descriptor opened with O_DSYNC or O_SYNC at once.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_watched(int fd) {
  const char *path = getenv("POWER_LOSS_FILE");
  struct stat watched, given;
  return path && stat(path, &watched) == 0 && fstat(fd, &given) == 0 && watched.st_ino == given.st_ino &&
         watched.st_dev == given.st_dev;
}

static int open_disk(void) {
  static int (*real)(const char *, int, ...);
  char disk[PATH_MAX];
  if (!real) real = dlsym(RTLD_NEXT, "open");
  snprintf(disk, sizeof disk, "%s.disk", getenv("POWER_LOSS_FILE"));
  return real(disk, O_RDWR | O_CREAT, 0600);
}

static ssize_t real_pwrite(int fd, const void *bytes, size_t size, off_t at) {
  static ssize_t (*real)(int, const void *, size_t, off_t);
  if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
  return real(fd, bytes, size, at);
}

static void copy_all(int fd) {
  char bytes[65536];
  off_t at = 0;
  int disk = open_disk();
  ssize_t size;
  while ((size = pread(fd, bytes, sizeof bytes, at)) > 0) {
    real_pwrite(disk, bytes, size, at);
    at += size;
  }
  close(disk);
}

static int sync_through(const char *name, int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, name);
  pthread_mutex_lock(&lock);
  int result = real(fd);
  if (result == 0 && is_watched(fd)) copy_all(fd);
  pthread_mutex_unlock(&lock);
  return result;
}

int fdatasync(int fd) { return sync_through("fdatasync", fd); }

int fsync(int fd) { return sync_through("fsync", fd); }

static ssize_t write_through(int fd, const void *bytes, size_t size, off_t at) {
  pthread_mutex_lock(&lock);
  ssize_t result = real_pwrite(fd, bytes, size, at);
  if (result > 0 && (fcntl(fd, F_GETFL) & O_DSYNC) && is_watched(fd)) {
    int disk = open_disk();
    real_pwrite(disk, bytes, result, at);
    close(disk);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) { return write_through(fd, bytes, size, at); }

ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at) { return write_through(fd, bytes, size, at); }
