import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { run } from './run.ts'

export type ToolName =
  | 'ffmpeg'
  | 'ffprobe'
  | 'exiftool'
  | 'heif-convert'
  | 'bwrap'
  | 'prlimit'
  | 'nice'
  | 'xorriso'
  | '7z'

/** An installed program and how to start it. */
export interface Tool {
  readonly name: ToolName
  /** The tool's own version, for the derivation record; `unknown` when it has none. */
  readonly version: string
  /** Program and leading arguments on this machine: `[perl, script]` for a script. */
  readonly command: readonly string[]
  /** The command inside a sandbox, and the folders that it needs there besides /usr. */
  readonly inside: { readonly command: readonly string[]; readonly folders: readonly Folder[] }
}

export interface Folder {
  readonly from: string
  readonly to: string
}

export interface Toolbox {
  /**
   * Those of the tools that are installed now. To be called before every use, for the used tools only. It is cheap: a few `stat` calls, and
   * a version is read only at first use and after a change of the file.
   */
  findTools(names?: readonly ToolName[]): Promise<ReadonlyMap<ToolName, Tool>>
  /** Those of the tools that are not installed now. Does not read versions, which takes some tools a tenth of a second. */
  missing<Name extends ToolName>(names: readonly Name[]): Promise<Name[]>
  /** A text that changes when a program is installed, removed or replaced. Starts no program. */
  stamp(): Promise<string>
}

export interface ToolboxOptions {
  /** Folders searched, first match wins. */
  readonly searchPath?: readonly string[]
  /** The exiftool script that is preferred to an installed one; null for none. Default: that of the npm package. */
  readonly exiftoolScript?: string | null
}

export const USUAL_FOLDERS: readonly string[] = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin']

/** Those that make derived files, and what confines them. */
const ALL: readonly ToolName[] = ['ffmpeg', 'ffprobe', 'heif-convert', 'bwrap', 'prlimit', 'nice', 'exiftool']

/** How to read versions. The other programs do not affect derived files. */
const VERSION: Partial<Record<ToolName, { args: string[]; pattern: RegExp }>> = {
  ffmpeg: { args: ['-version'], pattern: /^ffmpeg version (\S+)/ },
  ffprobe: { args: ['-version'], pattern: /^ffprobe version (\S+)/ },
  exiftool: { args: ['-config', '', '-ver'], pattern: /^(\d+\.\d+)/ },
  'heif-convert': { args: ['-h'], pattern: /libheif version: (\S+)/ },
  bwrap: { args: ['--version'], pattern: /(\d+\.\d+\S*)/ },
}

/** Finds the tools of this machine: for media, the programs that confine them, and those for packages. */
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

  const findProgram = async (name: ToolName): Promise<Tool | null> => {
    const found = await find(name)
    if (!found) return null
    const version = await versionOf(name, [found.path], found.stamp)
    return { name, version, command: [found.path], inside: await sandboxCommand(found.path) }
  }

  /** The script that the package brings, with what runs it; null where one of the two is missing. */
  const ownExiftool = async (): Promise<{ perl: string; script: string; stamp: string } | null> => {
    const perl = script === null ? null : await find('perl')
    const stamp = script !== null && perl ? await stampOf(script, constants.R_OK) : null
    return script === null || !perl || !stamp ? null : { perl: perl.path, script, stamp }
  }

  const exiftool = async (): Promise<Tool | null> => {
    const own = await ownExiftool()
    if (own === null) return findProgram('exiftool')
    const command = [own.perl, own.script]
    const sandboxed = await sandboxCommand(own.perl)
    return {
      name: 'exiftool',
      version: await versionOf('exiftool', command, own.stamp),
      command,
      inside: {
        command: [...sandboxed.command, '/opt/exiftool/exiftool'],
        folders: [...sandboxed.folders, { from: dirname(own.script), to: '/opt/exiftool' }],
      },
    }
  }

  return {
    findTools: async (names = ALL) => {
      const found = await Promise.all(names.map((name) => (name === 'exiftool' ? exiftool() : findProgram(name))))
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
      const scriptStamp = script === null ? null : await stampOf(script, constants.R_OK)
      return JSON.stringify([...found, scriptStamp])
    },
  }
}

/** A program outside /usr (in the packaged program or /opt) gets its own folder in the sandbox, read-only. */
async function sandboxCommand(path: string): Promise<Tool['inside']> {
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

/** Versions of programs, cached for the whole process, since tools are searched often and seldom change. */
const versions = new Map<string, Promise<string>>()

/** The cache key has path, size, time and inode, so that the version of a replaced program is read again. */
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
  const query = VERSION[name]
  if (query === undefined) return 'unknown'
  const { args, pattern } = query
  const [file = '', ...leading] = command
  const answer = await run({ file, args: [...leading, ...args], timeoutMs: 20_000 })
  return pattern.exec(`${answer.stdout.toString('utf8')}\n${answer.stderr}`.trim())?.[1] ?? 'unknown'
}

function bundledExiftool(): string | null {
  try {
    const requireHere = createRequire(import.meta.url)
    const beside = createRequire(requireHere.resolve('exiftool-vendored'))
    const script: unknown = beside('exiftool-vendored.pl')
    // In a packaged application scripts are beside the archive, since perl cannot read from it.
    return typeof script === 'string' ? script.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`) : null
  } catch {
    return null
  }
}
