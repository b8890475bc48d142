import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { run } from './run.ts'

export type ToolName = 'ffmpeg' | 'ffprobe' | 'exiftool' | 'heif-convert' | 'bwrap' | 'prlimit' | 'nice'

/** A program of this machine, as it is to be started. */
export interface Tool {
  readonly name: ToolName
  /** As the tool gives it, for the derivation record; `unknown` where it does not say. */
  readonly version: string
  /** Program and leading arguments on this machine: `[perl, script]` for a script. */
  readonly command: readonly string[]
  /** The same inside a sandbox, and the folders it needs there besides /usr. */
  readonly inside: { readonly command: readonly string[]; readonly folders: readonly Folder[] }
}

export interface Folder {
  readonly from: string
  readonly to: string
}

export interface Toolbox {
  /**
   * What of these is installed now. Cheap (a few `stat` calls; a program is asked for its version when it is first looked for and when its
   * file changed): ask before every use, and only for what is used.
   */
  look(names?: readonly ToolName[]): Promise<ReadonlyMap<ToolName, Tool>>
  /** What of these is not installed now. Asks none of them for its version, which takes some of them a tenth of a second. */
  missing<Name extends ToolName>(names: readonly Name[]): Promise<Name[]>
  /** Another text when a program appeared, went or was replaced. Asks none of them. */
  stamp(): Promise<string>
}

export interface ToolboxOptions {
  /** Folders searched, first match wins. */
  readonly searchPath?: readonly string[]
  /** The exiftool script to prefer over an installed one; null for none. Default: the one the npm package brings. */
  readonly exiftoolScript?: string | null
}

export const USUAL_FOLDERS: readonly string[] = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin']

const ALL: readonly ToolName[] = ['ffmpeg', 'ffprobe', 'heif-convert', 'bwrap', 'prlimit', 'nice', 'exiftool']

/** The others take no part in what comes out. */
const VERSION: Partial<Record<ToolName, { args: string[]; pattern: RegExp }>> = {
  ffmpeg: { args: ['-version'], pattern: /^ffmpeg version (\S+)/ },
  ffprobe: { args: ['-version'], pattern: /^ffprobe version (\S+)/ },
  exiftool: { args: ['-config', '', '-ver'], pattern: /^(\d+\.\d+)/ },
  'heif-convert': { args: ['-h'], pattern: /libheif version: (\S+)/ },
  bwrap: { args: ['--version'], pattern: /(\d+\.\d+\S*)/ },
}

/** Finds the media tools of this machine and what confines them. */
export function createToolbox(options: ToolboxOptions = {}): Toolbox {
  const folders = options.searchPath ?? USUAL_FOLDERS
  const script = options.exiftoolScript === undefined ? bundledExiftool() : options.exiftoolScript
  const find = async (program: string): Promise<{ path: string; stamp: string } | null> => {
    for (const folder of folders) {
      const path = join(folder, process.platform === 'win32' ? `${program}.exe` : program)
      const stamp = await stampOf(path, constants.X_OK)
      if (stamp) return { path, stamp }
    }
    return null
  }

  const plain = async (name: ToolName): Promise<Tool | null> => {
    const found = await find(name)
    if (!found) return null
    const version = await versionOf(name, [found.path], found.stamp)
    return { name, version, command: [found.path], inside: await asSeenInside(found.path) }
  }

  /** The script that the package brings, with what runs it; null where one of the two is missing. */
  const ownExiftool = async (): Promise<{ perl: string; script: string; stamp: string } | null> => {
    const perl = script === null ? null : await find('perl')
    const stamp = script !== null && perl ? await stampOf(script, constants.R_OK) : null
    return script === null || !perl || !stamp ? null : { perl: perl.path, script, stamp }
  }

  const exiftool = async (): Promise<Tool | null> => {
    const own = await ownExiftool()
    if (own === null) return plain('exiftool')
    const command = [own.perl, own.script]
    const seen = await asSeenInside(own.perl)
    return {
      name: 'exiftool',
      version: await versionOf('exiftool', command, own.stamp),
      command,
      inside: {
        command: [...seen.command, '/opt/exiftool/exiftool'],
        folders: [...seen.folders, { from: dirname(own.script), to: '/opt/exiftool' }],
      },
    }
  }

  return {
    look: async (names = ALL) => {
      const found = await Promise.all(names.map((name) => (name === 'exiftool' ? exiftool() : plain(name))))
      return new Map(found.filter((tool) => tool !== null).map((tool) => [tool.name, tool]))
    },
    missing: async (names) => {
      const installed = async (name: ToolName): Promise<boolean> =>
        (name === 'exiftool' && (await ownExiftool()) !== null) || (await find(name)) !== null
      const found = await Promise.all(names.map(installed))
      return names.filter((_, index) => !found[index])
    },
    stamp: async () => {
      const found = await Promise.all([...ALL, 'perl'].map(find))
      const own = script === null ? null : await stampOf(script, constants.R_OK)
      return JSON.stringify([...found, own])
    },
  }
}

/** A program outside /usr (a package of our own, /opt) is shown its own folder, read-only. */
async function asSeenInside(path: string): Promise<Tool['inside']> {
  const real = await realpath(path)
  if (path.startsWith('/usr/') && real.startsWith('/usr/')) return { command: [path], folders: [] }
  if (path.startsWith('/usr/') && real.startsWith('/etc/alternatives/')) return { command: [path], folders: [] }
  if (path.startsWith('/bin/') && real.startsWith('/usr/')) return { command: [real], folders: [] }
  const name = real.slice(dirname(real).length + 1)
  return { command: [`/opt/tool/${name}`], folders: [{ from: dirname(real), to: '/opt/tool' }] }
}

async function stampOf(path: string, mode: number): Promise<string | null> {
  try {
    await access(path, mode)
    const info = await stat(path)
    return info.isFile() ? `${info.size}:${info.mtimeMs}:${info.ino}` : null
  } catch {
    return null
  }
}

/** What programs answered, of the whole process. A search for tools is made again and again; the programs seldom change. */
const versions = new Map<string, Promise<string>>()

/** Path, size, time and inode: a replaced program is asked again, an unchanged one never. */
function versionOf(name: ToolName, command: readonly string[], stamp: string): Promise<string> {
  const key = `${command.join('\0')}\0${stamp}`
  let version = versions.get(key)
  if (!version) {
    version = askVersion(name, command)
    versions.set(key, version)
  }
  return version
}

async function askVersion(name: ToolName, command: readonly string[]): Promise<string> {
  const asked = VERSION[name]
  if (asked === undefined) return 'unknown'
  const { args, pattern } = asked
  const [file = '', ...leading] = command
  const answer = await run({ file, args: [...leading, ...args], timeoutMs: 20_000 })
  return pattern.exec(`${answer.stdout.toString('utf8')}\n${answer.stderr}`.trim())?.[1] ?? 'unknown'
}

function bundledExiftool(): string | null {
  try {
    const own = createRequire(import.meta.url)
    const beside = createRequire(own.resolve('exiftool-vendored'))
    const script: unknown = beside('exiftool-vendored.pl')
    // Inside a packed application scripts lie beside the archive: perl cannot read into it.
    return typeof script === 'string' ? script.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`) : null
  } catch {
    return null
  }
}
