import type { SandboxKind } from '../../../shared/media/rules.ts'
import { EXIF_ARGUMENTS, EXIF_MOST_BYTES, type ExifReading, parseExif } from '../exif/exif.ts'
import { type FfmpegProgress, progressReader } from '../run/progress.ts'
import type { RunResult } from '../run/run.ts'
import { type ByteReader, type Scratch, scratch, withReader } from '../run/scratch.ts'
import { createToolbox, type Tool, type Toolbox, type ToolboxOptions, type ToolName } from '../run/tools.ts'
import { createSandbox, type Sandbox, type SandboxState, type ToolLimits } from '../sandbox/sandbox.ts'
import {
  type BunnyContainer,
  type BunnyCopy,
  type BunnyOutcome,
  type BunnyProbe,
  bunnyVersion,
  runBunny,
} from './bunny.ts'
import { type PacketScan, type PacketTime, type Probe, packetScanner, parsePackets, parseProbe } from './probe.ts'

/** The tool that was run, for the derivation record. */
export interface UsedTool {
  readonly name: string
  readonly version: string
  readonly arguments: readonly string[]
}

/**
 * `missing`: the tool is not installed. `unreadable`: the tool could not read the input. `limit`: it exceeded its limit of time, memory or
 * space. `aborted`: the caller's signal. `machine`: the tool could not be run; another attempt may help.
 */
export type ToolAnswer<T> =
  | { readonly ok: true; readonly value: T; readonly used: UsedTool }
  | {
      readonly ok: false
      readonly why: 'missing' | 'unreadable' | 'limit' | 'aborted' | 'machine'
      readonly tool: string
      readonly detail: string
    }

export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface ConvertOptions extends CallOptions {
  readonly outDir: string
  /** Whole run, milliseconds. */
  readonly timeoutMs: number
  readonly memoryBytes: number
  readonly fileBytes: number
  readonly onProgress?: (progress: FfmpegProgress) => void
}

export interface StreamOptions extends Omit<ConvertOptions, 'outDir' | 'onProgress'> {
  readonly onBytes: (chunk: Buffer) => void
}

export interface MediaState {
  readonly sandbox: SandboxKind
  readonly reason: string | null
  /** Version of each tool; null for a missing one. */
  readonly versions: Readonly<Record<'ffmpeg' | 'ffprobe' | 'exiftool' | 'heif-convert' | 'mediabunny', string | null>>
}

/** The media tools of this machine for derivations: confined, with limits, and with missing tools reported. */
export interface MediaTools {
  readonly scratch: Scratch
  state(): Promise<MediaState>
  /** The tools that are missing on this machine, and how tools are confined. Does not read the tools' versions. */
  standing(): Promise<SandboxState & { readonly missing: readonly ToolName[] }>
  /** How tools are confined on this machine. Does not read the tools' versions. */
  confined(): Promise<SandboxKind>
  /** Changes when a tool is installed, removed or replaced. */
  stamp(): Promise<string>
  read<T>(path: string, use: (reader: ByteReader) => Promise<T>): Promise<T>
  probe(input: string, args: readonly string[], options?: CallOptions): Promise<ToolAnswer<Probe>>
  /** Reads every packet of a stream (`args` say which and whether to decode). `bytes`: length of the input, for the time allowed. */
  scan(input: string, args: readonly string[], bytes: number, options?: CallOptions): Promise<ToolAnswer<PacketScan>>
  /** The packets of a part of one stream, as listed by ffprobe. */
  packets(input: string, args: readonly string[], options?: CallOptions): Promise<ToolAnswer<PacketTime[]>>
  ffmpeg(input: string, args: readonly string[], options: ConvertOptions): Promise<ToolAnswer<null>>
  /** Runs ffmpeg with its output on stdout, which is passed on in chunks and not stored. */
  pcm(input: string, args: readonly string[], options: StreamOptions): Promise<ToolAnswer<null>>
  exif(input: string, args: readonly string[], options?: CallOptions): Promise<ToolAnswer<ExifReading>>
  heif(input: string, args: readonly string[], options: ConvertOptions): Promise<ToolAnswer<null>>
  bunnyProbe(input: string, container: BunnyContainer, options?: CallOptions): Promise<ToolAnswer<BunnyProbe>>
  bunnyScan(input: string, container: BunnyContainer, options?: CallOptions): Promise<ToolAnswer<BunnyCopy>>
  bunnyCopy(
    input: string,
    container: BunnyContainer,
    output: string,
    options: BunnyCopyOptions,
  ): Promise<ToolAnswer<BunnyCopy>>
}

export interface BunnyCopyOptions extends CallOptions {
  readonly timeoutMs: number
  readonly onProgress?: (fraction: number) => void
}

export interface MediaToolsOptions extends ToolboxOptions {
  /** `off` runs tools without a sandbox and reports that. */
  readonly sandbox?: 'auto' | 'off'
}

const MIB = 1024 * 1024
const GIB = 1024 * MIB
/** A conversion without progress for this long counts as hanging. */
const STALL_MS = 120_000

export function createMediaTools(options: MediaToolsOptions = {}): MediaTools {
  const toolbox = createToolbox(options)
  const sandbox = createSandbox({ toolbox, mode: options.sandbox ?? 'auto' })
  const call = caller(toolbox, sandbox)
  const bunny = { version: bunnyVersion() }
  return {
    scratch,
    read: withReader,
    standing: async () => ({
      ...(await sandbox.state()),
      missing: await toolbox.missing(['ffmpeg', 'ffprobe', 'exiftool', 'heif-convert']),
    }),
    confined: async () => (await sandbox.state()).sandbox,
    stamp: toolbox.stamp,
    state: async () => {
      const tools = await toolbox.findTools()
      const version = (name: ToolName) => tools.get(name)?.version ?? null
      return {
        ...(await sandbox.state()),
        versions: {
          ffmpeg: version('ffmpeg'),
          ffprobe: version('ffprobe'),
          exiftool: version('exiftool'),
          'heif-convert': version('heif-convert'),
          mediabunny: bunny.version,
        },
      }
    },
    probe: async (input, args, { signal } = {}) => {
      const answer = await call('ffprobe', args, {
        input,
        signal,
        limits: limits(2 * GIB, 120),
        timeoutMs: 60_000,
        maxStdout: 4 * MIB,
      })
      return parseRun(answer, (run) => parseProbe(run.stdout.toString('utf8')))
    },
    scan: async (input, args, bytes, { signal } = {}) => {
      const scanner = packetScanner()
      const timeoutMs = 120_000 + bytes / 10_000
      const answer = await call('ffprobe', args, {
        input,
        signal,
        limits: limits(2 * GIB, timeoutMs / 500),
        timeoutMs,
        stallMs: STALL_MS,
        onStdout: scanner.take,
      })
      return parseRun(answer, () => scanner.done())
    },
    packets: async (input, args, { signal } = {}) => {
      const task = { input, signal, limits: limits(2 * GIB, 120), timeoutMs: 60_000, maxStdout: 4 * MIB }
      return parseRun(await call('ffprobe', args, task), (run) => parsePackets(run.stdout.toString('utf8')))
    },
    ffmpeg: async (input, args, { onProgress, ...rest }) => {
      const onStdout = progressReader((progress) => onProgress?.(progress))
      const bounds = {
        memoryBytes: rest.memoryBytes,
        cpuSeconds: seconds(rest.timeoutMs * 4),
        fileBytes: rest.fileBytes,
      }
      const { signal, outDir, timeoutMs } = rest
      const task = { input, signal, outDir, timeoutMs, limits: bounds, stallMs: STALL_MS, onStdout, background: true }
      return parseRun(await call('ffmpeg', args, task), () => null, true)
    },
    pcm: async (input, args, { signal, timeoutMs, memoryBytes, fileBytes, onBytes }) => {
      const bounds = { memoryBytes, cpuSeconds: seconds(timeoutMs * 2), fileBytes }
      const task = { input, signal, timeoutMs, limits: bounds, stallMs: STALL_MS, onBytes, background: true }
      return parseRun(await call('ffmpeg', args, task), () => null, true)
    },
    exif: async (input, args, { signal } = {}) => {
      const task = { input, signal, limits: limits(GIB, 60), timeoutMs: 60_000, maxStdout: EXIF_MOST_BYTES }
      const answer = await call('exiftool', [...EXIF_ARGUMENTS, ...args], task)
      // exiftool exits with 1 after an error, but still prints the metadata that it could read.
      return parseRun(answer, (run) => parseExif(run.stdout.toString('utf8')), false, true)
    },
    heif: async (input, args, { signal, outDir, timeoutMs, memoryBytes, fileBytes }) => {
      const bounds = { memoryBytes, cpuSeconds: seconds(timeoutMs * 2), fileBytes }
      const task = { input, signal, outDir, timeoutMs, limits: bounds, background: true }
      return parseRun(await call('heif-convert', args, task), () => null, true)
    },
    bunnyProbe: async (input, container, given = {}) => {
      const outcome = await runBunny({ kind: 'probe', container, input }, { timeoutMs: 60_000, ...given })
      return answerOf(outcome, bunny.version, (it) => (it.kind === 'probe' ? it.probe : null))
    },
    bunnyScan: async (input, container, given = {}) => {
      const outcome = await runBunny({ kind: 'scan', container, input }, { timeoutMs: 600_000, ...given })
      return answerOf(outcome, bunny.version, (it) => (it.kind === 'copy' ? it.copy : null))
    },
    bunnyCopy: async (input, container, output, given) => {
      const outcome = await runBunny({ kind: 'copy', container, input, output }, given)
      return answerOf(outcome, bunny.version, (it) => (it.kind === 'copy' ? it.copy : null))
    },
  }
}

const seconds = (millis: number): number => Math.max(10, Math.ceil(millis / 1000))
const limits = (memoryBytes: number, cpu: number): ToolLimits => ({
  memoryBytes,
  cpuSeconds: Math.max(10, Math.ceil(cpu)),
  fileBytes: 16 * MIB,
})

interface Task {
  readonly input: string
  readonly outDir?: string
  readonly limits: ToolLimits
  readonly timeoutMs: number
  readonly stallMs?: number
  readonly signal: AbortSignal | undefined
  readonly maxStdout?: number
  readonly onStdout?: (text: string) => void
  readonly onBytes?: (chunk: Buffer) => void
  readonly background?: boolean
}

type Called = {
  readonly tool: Tool | null
  readonly name: ToolName
  readonly args: readonly string[]
  readonly run: RunResult | null
}

const caller =
  (toolbox: Toolbox, sandbox: Sandbox) =>
  async (name: ToolName, args: readonly string[], { signal, ...task }: Task): Promise<Called> => {
    const tool = (await toolbox.findTools([name])).get(name) ?? null
    if (!tool) return { tool, name, args, run: null }
    return { tool, name, args, run: await sandbox.run({ tool, args, ...task, ...(signal ? { signal } : {}) }) }
  }

/** Turns a run into an answer. `strict`: only exit code 0 counts. `lenient`: readable output counts, whatever the exit code. */
function parseRun<T>(
  called: Called,
  read: (run: RunResult) => T | null,
  nothingIsFine = false,
  lenient = false,
): ToolAnswer<T> {
  const { tool, name, run } = called
  const failure = (why: 'missing' | 'unreadable' | 'limit' | 'aborted' | 'machine', detail: string): ToolAnswer<T> => ({
    ok: false,
    why,
    tool: name,
    detail,
  })
  if (!tool || !run)
    return { ok: false, why: 'missing', tool: name === 'ffprobe' ? 'ffmpeg' : name, detail: `${name} is not installed` }
  if (run.end === 'aborted') return failure('aborted', 'aborted')
  if (run.end === 'not-started') return failure('machine', run.stderr)
  if (run.end === 'killed' || run.end === 'timeout' || run.end === 'stalled' || run.end === 'too-much-output') {
    return failure('limit', `${run.end} ${run.signal ?? run.code ?? ''} ${run.stderr}`.trim())
  }
  if (run.end === 'failed' && !lenient) return failure('unreadable', run.stderr || `exit code ${run.code}`)
  const value = read(run)
  // These tools answer even for invalid input. Without any answer the tool itself is broken.
  if (value === null && lenient) return failure('machine', run.stderr || 'no answer')
  if (value === null && !nothingIsFine) return failure('unreadable', run.stderr || 'no answer')
  return { ok: true, value: value as T, used: { name, version: tool.version, arguments: called.args } }
}

function answerOf<T>(outcome: BunnyOutcome, version: string, take: (outcome: BunnyOutcome) => T | null): ToolAnswer<T> {
  const tool = 'mediabunny'
  if (outcome.kind === 'aborted') return { ok: false, why: 'aborted', tool, detail: 'aborted' }
  if (outcome.kind === 'timeout') return { ok: false, why: 'limit', tool, detail: 'timeout' }
  const value = take(outcome)
  if (value === null) {
    return { ok: false, why: 'unreadable', tool, detail: outcome.kind === 'failed' ? outcome.message : 'no answer' }
  }
  return { ok: true, value, used: { name: tool, version, arguments: [] } }
}
