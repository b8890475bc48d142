/**
 * What the station and its tests use beside npm's packages. Installed where that is allowed (root on a Debian system), else named
 * with the command that installs it. The station runs without them and says what it cannot do; it catches up when they appear.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface Tool {
  readonly program: string
  readonly debianPackage: string
  readonly for: string
}

export const STATION_TOOLS: readonly Tool[] = [
  { program: 'ffmpeg', debianPackage: 'ffmpeg', for: 'converting video and making thumbnails' },
  { program: 'bwrap', debianPackage: 'bubblewrap', for: 'shutting media programs in' },
  { program: 'perl', debianPackage: 'perl', for: 'reading Exif metadata' },
  { program: 'heif-convert', debianPackage: 'libheif-examples', for: 'reading HEIC pictures' },
]

export const TEST_TOOLS: readonly Tool[] = [
  { program: 'convert-im6', debianPackage: 'imagemagick', for: 'making test pictures' },
  { program: 'exiftool', debianPackage: 'libimage-exiftool-perl', for: 'checking metadata independently' },
  { program: 'strace', debianPackage: 'strace', for: 'seeing the order of system calls' },
  { program: 'gcc', debianPackage: 'gcc', for: 'the library that makes disk calls fail' },
  { program: 'mkfs.xfs', debianPackage: 'xfsprogs', for: 'power cuts' },
  { program: 'mkfs.ext4', debianPackage: 'e2fsprogs', for: 'power cuts' },
  { program: 'losetup', debianPackage: 'mount', for: 'power cuts' },
  { program: 'openssl', debianPackage: 'openssl', for: 'checking signatures independently' },
]

const EXTRA_FOLDERS = ['/usr/sbin', '/sbin', '/usr/local/sbin']

export function isThere(program: string): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...EXTRA_FOLDERS]
  return folders.some((folder) => existsSync(join(folder, program)))
}

const command = (missing: readonly Tool[]): string =>
  `apt-get install -y --no-install-recommends ${[...new Set(missing.map((tool) => tool.debianPackage))].join(' ')}`

/** @returns the tools that are still missing; what happened goes to stderr. */
export function ensureTools(tools: readonly Tool[]): Tool[] {
  const missing = tools.filter((tool) => !isThere(tool.program))
  if (missing.length === 0) return []
  const allowed = process.getuid?.() === 0 && isThere('apt-get')
  if (!allowed) {
    process.stderr.write(
      `Missing: ${missing.map((tool) => `${tool.program} (${tool.for})`).join(', ')}.\nInstall with: sudo ${command(missing)}\n`,
    )
    return missing
  }
  process.stderr.write(`Installing ${missing.map((tool) => tool.program).join(', ')} …\n`)
  const run = (line: string) =>
    spawnSync('sh', ['-c', line], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  run('apt-get update -q')
  const done = run(command(missing))
  if (done.status !== 0)
    process.stderr.write(
      `${done.stderr.toString().split('\n').slice(-4).join('\n')}\nInstall by hand with: ${command(missing)}\n`,
    )
  return tools.filter((tool) => !isThere(tool.program))
}
