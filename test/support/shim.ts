/**
 * A disk that fails when told to. A small C library of our own is put before libc with LD_PRELOAD; its rules say which calls on which
 * paths fail, are left out, or are held. The product knows nothing of it: faults and mutants are made outside (docs/guarantees.md, D2 to D4).
 *
 * Rules live in the environment, their counters in a file mapped into every process under the shim, so that a test arms a rule,
 * reads how often it was met and releases a held call while the station runs.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'

export type ShimCall = 'sync' | 'write' | 'rename' | 'open' | 'truncate' | 'mkdir' | 'unlink'

export interface ShimRule {
  call: ShimCall
  /** A glob over the absolute path; `*` also matches `/`. For `rename` either name may match. */
  path: string
  on?: 'file' | 'folder' | 'any'
  /**
   * `EIO`, `ENOSPC`: the call fails and does nothing. `after`: it is done and EIO is answered all the same. `skip`: it does nothing and
   * claims to have succeeded. `hold`: it is done and answers only when released. `cached`: an open loses O_DIRECT. `count`: nothing.
   */
  action: 'EIO' | 'ENOSPC' | 'after' | 'skip' | 'hold' | 'cached' | 'count'
  /** The first matching call it applies to, from 1, counted while armed. */
  at?: number
  /** To every later one too. */
  sticky?: boolean
  /** From the start of the process, or only once `arm` was called. */
  armed?: boolean
}

export interface Shim {
  /** To be given to the station or the command. */
  readonly env: Readonly<Record<string, string>>
  /** Sets the counters of the rule to 0 and lets it apply; `at` replaces the rule's own. */
  arm(rule?: number, at?: number): void
  disarm(rule?: number): void
  /** Calls that matched while armed, and how many of them it acted on. One that is held counts when it is done and waits. */
  met(rule?: number): number
  acted(rule?: number): number
  /** Lets held calls go on. */
  release(rule?: number): void
  close(): void
}

/** Why there is no shim on this machine, or null. */
export function shimMissing(): string | null {
  if (process.platform !== 'linux') return 'LD_PRELOAD needs Linux'
  return spawnSync('gcc', ['--version'], { stdio: 'ignore' }).status === 0 ? null : 'gcc is not installed'
}

const SLOT = { size: 64, armed: 0, at: 8, met: 16, acted: 24, released: 32 } as const

/** Compiles the library into `folder` once and lays the control file for these rules beside it. */
export function makeShim(folder: string, rules: readonly ShimRule[]): Shim {
  const library = path.join(folder, 'shim.so')
  const source = path.join(folder, 'shim.c')
  const control = path.join(folder, `shim-${process.hrtime.bigint()}.control`)
  writeFileSync(source, SOURCE)
  execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-Wall', '-Werror', '-o', library, source, '-ldl'], { stdio: 'pipe' })
  writeFileSync(control, Buffer.alloc(SLOT.size * rules.length))
  const file = openSync(control, 'r+')

  const write = (rule: number, member: number, value: number): void => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(BigInt(value))
    writeSync(file, bytes, 0, 8, rule * SLOT.size + member)
  }
  const read = (rule: number, member: number): number => {
    const bytes = Buffer.alloc(8)
    readSync(file, bytes, 0, 8, rule * SLOT.size + member)
    return Number(bytes.readBigInt64LE())
  }
  for (const [index, rule] of rules.entries()) {
    write(index, SLOT.at, rule.at ?? 1)
    write(index, SLOT.armed, rule.armed === false ? 0 : 1)
  }
  const lines = rules.map((rule) =>
    [rule.call, rule.on ?? 'any', rule.action, rule.sticky === true ? 1 : 0, rule.path].join('|'),
  )
  return {
    env: {
      LD_PRELOAD: library,
      SHIM_CONTROL: control,
      SHIM_RULES: lines.join('\n'),
      // Calls made through io_uring never pass libc.
      UV_USE_IO_URING: '0',
    },
    arm: (rule = 0, at) => {
      if (at !== undefined) write(rule, SLOT.at, at)
      for (const member of [SLOT.met, SLOT.acted, SLOT.released]) write(rule, member, 0)
      write(rule, SLOT.armed, 1)
    },
    disarm: (rule = 0) => write(rule, SLOT.armed, 0),
    met: (rule = 0) => read(rule, SLOT.met),
    acted: (rule = 0) => read(rule, SLOT.acted),
    release: (rule = 0) => write(rule, SLOT.released, 1),
    close: () => closeSync(file),
  }
}

const SOURCE = String.raw`
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum action { NOTHING, FAIL_EIO, FAIL_ENOSPC, AFTER, SKIP, HOLD, CACHED, COUNT };
enum kind { ANY, REGULAR, FOLDER };
struct slot { _Atomic long armed, at, met, acted, released, unused[3]; };
struct rule { char call[12]; enum kind kind; enum action action; int sticky; char path[PATH_MAX]; };

#define MAX_RULES 32
static struct rule rules[MAX_RULES];
static struct slot *slots;
static int count;

static enum action action_of(const char *name) {
  static const char *names[] = {"", "EIO", "ENOSPC", "after", "skip", "hold", "cached", "count"};
  for (int i = 1; i <= COUNT; i++) if (strcmp(names[i], name) == 0) return (enum action)i;
  dprintf(2, "shim: no such action: %s\n", name);
  _exit(97);
}

__attribute__((constructor)) static void start(void) {
  const char *given = getenv("SHIM_RULES"), *control = getenv("SHIM_CONTROL");
  if (!given || !control) return;
  char *text = strdup(given), *rest = text, *line;
  while ((line = strsep(&rest, "\n")) && *line && count < MAX_RULES) {
    struct rule *r = &rules[count++];
    snprintf(r->call, sizeof r->call, "%s", strsep(&line, "|"));
    char *kind = strsep(&line, "|");
    r->kind = strcmp(kind, "file") == 0 ? REGULAR : strcmp(kind, "folder") == 0 ? FOLDER : ANY;
    r->action = action_of(strsep(&line, "|"));
    r->sticky = atoi(strsep(&line, "|"));
    snprintf(r->path, sizeof r->path, "%s", line);
  }
  free(text);
  int fd = open(control, O_RDWR | O_CLOEXEC);
  if (fd < 0) { dprintf(2, "shim: no control file\n"); _exit(97); }
  slots = mmap(NULL, sizeof(struct slot) * count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (slots == MAP_FAILED) _exit(97);
}

/* The first rule that acts on this call decides; every armed rule counts. */
static enum action decide(const char *call, const char *path, const char *other, int folder, struct slot **by) {
  enum action found = NOTHING;
  for (int i = 0; i < count; i++) {
    struct rule *r = &rules[i];
    struct slot *s = &slots[i];
    if (!s->armed || strcmp(r->call, call) != 0) continue;
    if ((r->kind == FOLDER && !folder) || (r->kind == REGULAR && folder)) continue;
    if (fnmatch(r->path, path, 0) != 0 && (!other || fnmatch(r->path, other, 0) != 0)) continue;
    long n = atomic_fetch_add(&s->met, 1) + 1;
    if (r->action == COUNT || found != NOTHING || !(n == s->at || (r->sticky && n > s->at))) continue;
    // A call that is held counts once it is done: whoever waits for the count finds on the disk what it wrote.
    if (r->action != HOLD) atomic_fetch_add(&s->acted, 1);
    if (r->action != SKIP && r->action != CACHED) dprintf(2, "shim: rule %d, call %ld: %s %s\n", i, n, call, path);
    *by = s;
    found = r->action;
  }
  return found;
}

static int wanted(const char *call) {
  if (!slots) return 0;
  for (int i = 0; i < count; i++) if (slots[i].armed && strcmp(rules[i].call, call) == 0) return 1;
  return 0;
}

static enum action on_file(const char *call, int fd, struct slot **by) {
  if (fd <= 2 || !wanted(call)) return NOTHING;
  int saved = errno;
  char name[40], path[PATH_MAX];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(name, path, sizeof path - 1);
  struct stat about;
  enum action found = NOTHING;
  if (length > 0 && path[0] == '/') {
    path[length] = 0;
    found = decide(call, path, NULL, fstat(fd, &about) == 0 && S_ISDIR(about.st_mode), by);
  }
  errno = saved;
  return found;
}

static enum action on_path(const char *call, const char *path, struct slot **by) {
  if (!path || !wanted(call)) return NOTHING;
  return decide(call, path, NULL, 0, by);
}

static int fails(enum action a) {
  if (a != FAIL_EIO && a != FAIL_ENOSPC) return 0;
  errno = a == FAIL_EIO ? EIO : ENOSPC;
  return 1;
}

static void hold(enum action a, struct slot *by) {
  if (a == HOLD) atomic_fetch_add(&by->acted, 1);
  while (a == HOLD && !by->released) usleep(2000);
}

#define REAL(type, name, ...) static type (*real)(__VA_ARGS__); if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)
/* Does the call as the rule says; "done" is what a call that was left out answers. */
#define AS_RULED(call_expression, done) do { \
  if (fails(a)) return -1; \
  if (a == SKIP) return done; \
  __typeof__(call_expression) answer = call_expression; \
  hold(a, by); \
  if (a == AFTER) { errno = EIO; return -1; } \
  return answer; } while (0)

#define SYNC(name) int name(int fd) { REAL(int, #name, int); struct slot *by = NULL; enum action a = on_file("sync", fd, &by); AS_RULED(real(fd), 0); }
SYNC(fsync)
SYNC(fdatasync)

ssize_t write(int fd, const void *b, size_t n) { REAL(ssize_t, "write", int, const void *, size_t); struct slot *by = NULL; enum action a = on_file("write", fd, &by); AS_RULED(real(fd, b, n), (ssize_t)n); }
#define PWRITE(name, off) ssize_t name(int fd, const void *b, size_t n, off o) { REAL(ssize_t, #name, int, const void *, size_t, off); struct slot *by = NULL; enum action a = on_file("write", fd, &by); AS_RULED(real(fd, b, n, o), (ssize_t)n); }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

static ssize_t total(const struct iovec *v, int n) { ssize_t sum = 0; for (int i = 0; i < n; i++) sum += v[i].iov_len; return sum; }
ssize_t writev(int fd, const struct iovec *v, int n) { REAL(ssize_t, "writev", int, const struct iovec *, int); struct slot *by = NULL; enum action a = on_file("write", fd, &by); AS_RULED(real(fd, v, n), total(v, n)); }
#define PWRITEV(name, off) ssize_t name(int fd, const struct iovec *v, int n, off o) { REAL(ssize_t, #name, int, const struct iovec *, int, off); struct slot *by = NULL; enum action a = on_file("write", fd, &by); AS_RULED(real(fd, v, n, o), total(v, n)); }
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

#define TRUNCATE(name, off) int name(int fd, off n) { REAL(int, #name, int, off); struct slot *by = NULL; enum action a = on_file("truncate", fd, &by); AS_RULED(real(fd, n), 0); }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  struct slot *by = NULL;
  enum action a = wanted("rename") ? decide("rename", to, from, 0, &by) : NOTHING;
  AS_RULED(real(from, to), 0);
}
int link(const char *from, const char *to) { REAL(int, "link", const char *, const char *); struct slot *by = NULL; enum action a = on_path("rename", to, &by); AS_RULED(real(from, to), 0); }
int unlink(const char *path) { REAL(int, "unlink", const char *); struct slot *by = NULL; enum action a = on_path("unlink", path, &by); AS_RULED(real(path), 0); }
int mkdir(const char *path, mode_t m) { REAL(int, "mkdir", const char *, mode_t); struct slot *by = NULL; enum action a = on_path("mkdir", path, &by); AS_RULED(real(path, m), 0); }

static mode_t mode_of(int flags, va_list more) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0; }
#define OPEN(name) int name(const char *path, int flags, ...) { \
  REAL(int, #name, const char *, int, ...); \
  va_list more; va_start(more, flags); mode_t mode = mode_of(flags, more); va_end(more); \
  struct slot *by = NULL; enum action a = on_path("open", path, &by); \
  if (fails(a)) return -1; \
  if (a == CACHED) flags &= ~O_DIRECT; \
  int fd = real(path, flags, mode); hold(a, by); return fd; }
OPEN(open)
OPEN(open64)
int openat(int at, const char *path, int flags, ...) {
  REAL(int, "openat", int, const char *, int, ...);
  va_list more; va_start(more, flags); mode_t mode = mode_of(flags, more); va_end(more);
  struct slot *by = NULL; enum action a = on_path("open", path, &by);
  if (fails(a)) return -1;
  if (a == CACHED) flags &= ~O_DIRECT;
  int fd = real(at, path, flags, mode); hold(a, by); return fd;
}
`
