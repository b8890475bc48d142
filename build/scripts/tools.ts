/**
 * What the station and its tests use beside npm's packages. Installed where that is allowed (root on a Debian system), else named
 * with the command that installs it. The station runs without them and says what it cannot do; it catches up when they appear.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

export interface Tool {
  /** A program's name, or the absolute path of a file that has to be there. */
  readonly program: string
  readonly debianPackage: string
  readonly for: string
}

export const STATION_TOOLS: readonly Tool[] = [
  { program: 'ffmpeg', debianPackage: 'ffmpeg', for: 'converting video and making thumbnails' },
  { program: 'ffprobe', debianPackage: 'ffmpeg', for: 'looking into video' },
  { program: 'bwrap', debianPackage: 'bubblewrap', for: 'shutting media programs in' },
  { program: 'prlimit', debianPackage: 'util-linux', for: 'limiting media programs' },
  { program: 'perl', debianPackage: 'perl', for: 'reading Exif metadata' },
  { program: 'heif-convert', debianPackage: 'libheif-examples', for: 'reading HEIC pictures' },
  { program: 'xorriso', debianPackage: 'xorriso', for: 'making packages as disc images' },
  { program: '7z', debianPackage: 'p7zip-full', for: 'encrypting packages' },
]

export const TEST_TOOLS: readonly Tool[] = [
  { program: 'convert-im6', debianPackage: 'imagemagick', for: 'making test pictures' },
  // Not by its name alone: npm puts the one that the station brings along before it.
  { program: '/usr/bin/exiftool', debianPackage: 'libimage-exiftool-perl', for: 'checking metadata independently' },
  { program: 'heif-enc', debianPackage: 'libheif-examples', for: 'making HEIC pictures' },
  { program: 'strace', debianPackage: 'strace', for: 'seeing the order of system calls' },
  { program: 'gcc', debianPackage: 'gcc', for: 'the library that makes disk calls fail' },
  { program: '/usr/include/stdio.h', debianPackage: 'libc6-dev', for: 'the library that makes disk calls fail' },
  { program: 'mkfs.xfs', debianPackage: 'xfsprogs', for: 'power cuts' },
  { program: 'mkfs.ext4', debianPackage: 'e2fsprogs', for: 'power cuts' },
  { program: 'filefrag', debianPackage: 'e2fsprogs', for: 'power cuts' },
  { program: 'losetup', debianPackage: 'mount', for: 'power cuts' },
  { program: 'mount', debianPackage: 'mount', for: 'power cuts' },
  { program: 'mkfs.fat', debianPackage: 'dosfstools', for: 'cards of cameras' },
  { program: 'mcopy', debianPackage: 'mtools', for: 'cards of cameras' },
  { program: 'fusefat', debianPackage: 'fusefat', for: 'cards of cameras' },
  { program: 'mkfs.exfat', debianPackage: 'exfatprogs', for: 'cards of cameras' },
  { program: 'mount.exfat-fuse', debianPackage: 'exfat-fuse', for: 'cards of cameras' },
  { program: 'ntfs-3g', debianPackage: 'ntfs-3g', for: 'cards of cameras' },
  { program: 'setpriv', debianPackage: 'util-linux', for: 'files that may not be read' },
  { program: 'unzip', debianPackage: 'unzip', for: 'opening archives independently' },
  { program: 'python3', debianPackage: 'python3-minimal', for: 'opening archives independently' },
  { program: 'sqlite3', debianPackage: 'sqlite3', for: 'reading the database independently' },
  { program: 'openssl', debianPackage: 'openssl', for: 'checking signatures independently' },
  { program: 'pdftotext', debianPackage: 'poppler-utils', for: 'reading receipts as documents independently' },
  { program: 'pdfimages', debianPackage: 'poppler-utils', for: 'finding pictures in documents independently' },
  { program: 'pdffonts', debianPackage: 'poppler-utils', for: 'finding fonts in documents independently' },
  { program: 'pdfdetach', debianPackage: 'poppler-utils', for: 'reading receipts as documents independently' },
  { program: 'sslscan', debianPackage: 'sslscan', for: 'judging TLS independently' },
  { program: 'testssl', debianPackage: 'testssl.sh', for: 'judging TLS independently' },
  { program: 'avahi-browse', debianPackage: 'avahi-utils', for: 'finding the station by its name independently' },
  { program: 'ip', debianPackage: 'iproute2', for: 'a network of several hosts' },
  { program: '/usr/bin/swift-proxy-server', debianPackage: 'swift-proxy', for: 'an object store' },
  { program: '/usr/bin/swift-account-server', debianPackage: 'swift-account', for: 'an object store' },
  { program: '/usr/bin/swift-container-server', debianPackage: 'swift-container', for: 'an object store' },
  { program: '/usr/bin/swift-object-server', debianPackage: 'swift-object', for: 'an object store' },
  { program: 'memcached', debianPackage: 'memcached', for: 'an object store' },
  { program: '/usr/lib/postgresql/15/bin/initdb', debianPackage: 'postgresql-15', for: 'a database server' },
  { program: '/usr/sbin/nginx', debianPackage: 'nginx', for: 'a load balancer before several nodes' },
  { program: 'curl', debianPackage: 'curl', for: 'the shell blocks of the documents' },
  { program: 'jq', debianPackage: 'jq', for: 'the shell blocks of the documents' },
  { program: 'unshare', debianPackage: 'util-linux', for: 'the shell blocks of the documents' },
  { program: 'chromium-headless-shell', debianPackage: 'chromium-headless-shell', for: 'the screens' },
  {
    program: 'chromium',
    debianPackage: 'chromium',
    for: 'the window of the desktop program, and the screens elsewhere',
  },
  { program: 'firefox-esr', debianPackage: 'firefox-esr', for: 'opening the index of a package in another browser' },
]

/** Not on an ordinary user's PATH, and some of the programs lie there. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/sbin', '/usr/local/sbin']
/** Seconds that another package manager at work is waited for. */
const APT = 'apt-get -o DPkg::Lock::Timeout=120 -o Acquire::Retries=1'

export function isThere(program: string): boolean {
  if (isAbsolute(program)) return answers(program, constants.R_OK)
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...SYSTEM_FOLDERS]
  return folders.some((folder) => folder !== '' && answers(join(folder, program), constants.X_OK))
}

function answers(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

const packagesOf = (tools: readonly Tool[]): string =>
  [...new Set(tools.map(({ debianPackage }) => debianPackage))].toSorted().join(' ')

/** What a person types. */
export const installCommand = (missing: readonly Tool[]): string =>
  `apt-get update && apt-get install -y --no-install-recommends ${packagesOf(missing)}`

const note = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

/** @returns the tools that are still missing; what happened goes to stderr. */
export function ensureTools(tools: readonly Tool[], root = process.getuid?.() === 0): Tool[] {
  const missing = tools.filter((tool) => !isThere(tool.program))
  if (missing.length === 0) return []
  const named = missing.map((tool) => `  ${tool.program}: ${tool.for}`).join('\n')
  if (!isThere('apt-get')) {
    note(`Not on this machine:\n${named}\nOn Debian they are in: ${packagesOf(missing)}`)
    return missing
  }
  if (!root) {
    note(`Not on this machine:\n${named}\nInstall with:\n  sudo sh -c '${installCommand(missing)}'`)
    return missing
  }
  note(`Installing ${packagesOf(missing)} (a minute or two) …`)
  const run = (line: string) =>
    spawnSync('sh', ['-c', line], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  // Without a network the lists that are there may still do.
  run(`${APT} -q update`)
  const done = run(`${APT} install -y --no-install-recommends ${packagesOf(missing)}`)
  const left = tools.filter((tool) => !isThere(tool.program))
  if (left.length > 0) {
    const why = done.stderr.toString().trim().split('\n').slice(-4).join('\n')
    note(`Could not install everything. Missing: ${left.map(({ program }) => program).join(', ')}.`)
    if (why !== '') note(why)
    note(`Install by hand with:\n  ${installCommand(left)}`)
  }
  return left
}
