/** Programs of this machine that packages need: a station may be without them. */
import { packageProblem } from '../../../shared/messages/package-problems.ts'
import { run, type RunRequest, type RunResult } from '../../platform/run/run.ts'
import { createToolbox, type Toolbox } from '../../platform/run/tools.ts'
import { StorageFault } from '../faults.ts'

type Asked = Pick<RunRequest, 'onBytes' | 'stdin' | 'maxStdout'> & { readonly signal?: AbortSignal | undefined }

export interface PackageTools {
  missing(): Promise<PackageTool[]>
  /** @throws StorageFault that says how to get it, when it is not installed */
  require(name: PackageTool): Promise<void>
  /** @throws StorageFault NoSpace, StoreFailed with the program's own words; the signal's reason */
  run(name: PackageTool, args: readonly string[], asked: Asked): Promise<RunResult>
}

/** @param folders where programs are looked for, and nowhere else; undefined: the usual ones of the system */
export function packageTools(folders: readonly string[] | undefined): PackageTools {
  const toolbox = createToolbox({ exiftoolScript: null, ...(folders === undefined ? {} : { searchPath: folders }) })
  return {
    missing: () => toolbox.missing(Object.keys(MISSING) as PackageTool[]),
    require: async (name) => void (await pathOf(toolbox, name)),
    run: async (name, args, asked) => runTool(name, await pathOf(toolbox, name), args, asked),
  }
}

const MISSING = { xorriso: 'noXorriso', '7z': 'noSevenZip' } as const
export type PackageTool = keyof typeof MISSING

async function pathOf(toolbox: Toolbox, name: PackageTool): Promise<string> {
  const [path] = (await toolbox.findTools([name])).get(name)?.command ?? []
  if (path !== undefined) return path
  throw new StorageFault('StoreFailed', packageProblem(MISSING[name]))
}

/** A volume of the largest discs over a slow cable takes hours. */
const LONGEST_MS = 48 * 3600 * 1000

async function runTool(
  name: PackageTool,
  file: string,
  args: readonly string[],
  { signal, ...rest }: Asked,
): Promise<RunResult> {
  const request = { file, args, timeoutMs: LONGEST_MS, ...rest }
  const done = await run(signal === undefined ? request : { ...request, signal })
  if (done.end === 'ok') return done
  signal?.throwIfAborted()
  const said = done.stderr.trim().split('\n').slice(-6).join('\n')
  if (/no space left|disk full|ENOSPC|exceeds free space|not enough space/i.test(`${said}${done.stdout.toString()}`))
    throw new StorageFault('NoSpace', packageProblem('volumeIsFull'))
  throw new StorageFault('StoreFailed', packageProblem('toolEnded', { tool: name, end: done.code ?? done.end, said }))
}
