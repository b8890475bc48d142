/**
 * A seccomp filter for the media programs, as the bytes that `bwrap --seccomp` reads. It refuses system calls that conversions never need and
 * that attacks on the kernel use: namespaces, mounts, tracing, keys, BPF, io_uring, sockets, clocks, modules. Refused calls
 * fail with EPERM; clone3 fails with ENOSYS, so that the C library falls back to clone, whose flags the filter can read.
 * Numbers: Linux' `asm/unistd_64.h` (x86-64) and `asm-generic/unistd.h` (arm64); a test compares them with the headers.
 */

interface Architecture {
  /** AUDIT_ARCH_… of `linux/audit.h`. */
  readonly audit: number
  readonly clone: number
  readonly clone3: number
  readonly refused: Readonly<Record<string, number>>
}

/** Calls with the same number on both architectures: those added after the numbering was unified. */
const UNIFIED = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_open: 434,
  pidfd_getfd: 438,
  mount_setattr: 442,
} as const

export const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    clone: 56,
    clone3: 435,
    refused: {
      socket: 41,
      connect: 42,
      bind: 49,
      listen: 50,
      ptrace: 101,
      syslog: 103,
      vhangup: 153,
      pivot_root: 155,
      adjtimex: 159,
      chroot: 161,
      acct: 163,
      settimeofday: 164,
      mount: 165,
      umount2: 166,
      swapon: 167,
      swapoff: 168,
      reboot: 169,
      iopl: 172,
      ioperm: 173,
      init_module: 175,
      delete_module: 176,
      quotactl: 179,
      clock_settime: 227,
      kexec_load: 246,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      unshare: 272,
      perf_event_open: 298,
      name_to_handle_at: 303,
      open_by_handle_at: 304,
      clock_adjtime: 305,
      setns: 308,
      process_vm_readv: 310,
      process_vm_writev: 311,
      kcmp: 312,
      finit_module: 313,
      kexec_file_load: 320,
      bpf: 321,
      userfaultfd: 323,
      ...UNIFIED,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    clone3: 435,
    refused: {
      umount2: 39,
      mount: 40,
      pivot_root: 41,
      chroot: 51,
      vhangup: 58,
      quotactl: 60,
      acct: 89,
      unshare: 97,
      kexec_load: 104,
      init_module: 105,
      delete_module: 106,
      clock_settime: 112,
      syslog: 116,
      ptrace: 117,
      reboot: 142,
      settimeofday: 170,
      adjtimex: 171,
      socket: 198,
      bind: 200,
      listen: 201,
      connect: 203,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      swapon: 224,
      swapoff: 225,
      perf_event_open: 241,
      name_to_handle_at: 264,
      open_by_handle_at: 265,
      clock_adjtime: 266,
      setns: 268,
      process_vm_readv: 270,
      process_vm_writev: 271,
      kcmp: 272,
      finit_module: 273,
      bpf: 280,
      userfaultfd: 282,
      kexec_file_load: 294,
      ...UNIFIED,
    },
  },
}

/** Instructions of classic BPF (`linux/filter.h`): load a word, compare, test bits, return. */
const LOAD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_AT_LEAST = 0x35
const JUMP_ANY_BIT = 0x45
const RETURN = 0x06

/** Return values of a filter (`linux/seccomp.h`). */
const ALLOW = 0x7fff0000
const KILL_PROCESS = 0x80000000
const EPERM = 0x00050000 | 1
const ENOSYS = 0x00050000 | 38

/** Offsets in `struct seccomp_data`. */
const NUMBER = 0
const ARCHITECTURE = 4
const FIRST_ARGUMENT = 16

/** Calls of the x32 interface have this bit; no program here uses it. */
const X32 = 0x40000000
const CLONE_NEWUSER = 0x10000000

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number]

/** @returns the filter for an architecture (`process.arch`); null when its numbers are unknown */
export function systemCallFilter(arch: string): Buffer | null {
  const known = ARCHITECTURES[arch]
  if (known === undefined) return null
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [JUMP_EQUAL, 1, 0, known.audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER],
    [JUMP_AT_LEAST, 0, 1, X32],
    [RETURN, 0, 0, EPERM],
    [JUMP_EQUAL, 0, 1, known.clone3],
    [RETURN, 0, 0, ENOSYS],
    ...Object.values(known.refused).flatMap((number): Instruction[] => [
      [JUMP_EQUAL, 0, 1, number],
      [RETURN, 0, 0, EPERM],
    ]),
    [JUMP_EQUAL, 1, 0, known.clone],
    [RETURN, 0, 0, ALLOW],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [JUMP_ANY_BIT, 0, 1, CLONE_NEWUSER],
    [RETURN, 0, 0, EPERM],
    [RETURN, 0, 0, ALLOW],
  ]
  const bytes = Buffer.alloc(program.length * 8)
  program.forEach(([code, whenTrue, whenFalse, value], at) => {
    bytes.writeUInt16LE(code, at * 8)
    bytes.writeUInt8(whenTrue, at * 8 + 2)
    bytes.writeUInt8(whenFalse, at * 8 + 3)
    bytes.writeUInt32LE(value, at * 8 + 4)
  })
  return bytes
}
