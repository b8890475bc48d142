import { join } from 'node:path'
import { type SandboxKind, TOOL_INPUT, TOOL_OUTPUT } from '../../../shared/media/rules.ts'
import { run, type RunRequest, type RunResult } from '../run/run.ts'
import type { Tool, Toolbox, ToolName } from '../run/tools.ts'
import { systemCallFilter } from './system-calls.ts'

/** One call of a media tool on one input (docs/guarantees.md, S9). In `args`, `/in` is the input and `/out/…` files of `outDir`. */
export interface ToolCall {
  readonly tool: Tool
  readonly args: readonly string[]
  /** Path of the input on this machine. The tool sees it as `/in`, read-only. */
  readonly input: string
  /** An empty private folder that the tool may write to, seen as `/out`. */
  readonly outDir?: string
  readonly limits: ToolLimits
  readonly timeoutMs: number
  readonly stallMs?: number
  readonly signal?: AbortSignal
  readonly maxStdout?: number
  readonly onStdout?: (text: string) => void
  readonly onBytes?: (chunk: Buffer) => void
  /** Runs with the lowest priority. */
  readonly background?: boolean
}

export interface ToolLimits {
  readonly memoryBytes: number
  /** Processor seconds over all threads. */
  readonly cpuSeconds: number
  /** Largest file that the tool may write. */
  readonly fileBytes: number
}

export interface SandboxState {
  readonly sandbox: SandboxKind
  /** Text for people: why there is no sandbox, or what it lacks; null when nothing is missing. */
  readonly reason: string | null
}

/** Restrictions of a sandbox beyond namespaces. Older versions of bubblewrap and some kernels support only a part of them. */
interface Hardening {
  /** Forbids further user namespaces inside. */
  readonly userNamespaces: boolean
  /** Bytes of a seccomp filter. */
  readonly filter: Buffer | null
}

interface Known {
  readonly key: string
  readonly at: number
  readonly state: SandboxState
  readonly hardening: Hardening
}

export interface Sandbox {
  state(): Promise<SandboxState>
  run(call: ToolCall): Promise<RunResult>
}

export interface SandboxOptions {
  readonly toolbox: Toolbox
  /** `off` disables the sandbox (for tests, and by choice of the machine's owner). */
  readonly mode?: 'auto' | 'off'
  /** Monotonic milliseconds. */
  readonly monotonic?: () => number
}

/** Programs that wrap a media program. */
const WRAPPERS: readonly ToolName[] = ['bwrap', 'prlimit', 'nice']
const RECHECK_MS = 60_000

/** 128 + KILL, XCPU, XFSZ: a limit was exceeded. Other codes above 128 are crashes and ffmpeg's own errors. */
const LIMIT_CODES = new Set([137, 152, 153])

/** Sandboxes that work, for the whole process: to try one takes two processes. */
const working = new Map<string, Known>()

/** Runs media tools in a sandbox if this machine allows it, and reports if not. Never falls back to no sandbox within a call. */
export function createSandbox({
  toolbox,
  mode = 'auto',
  monotonic = () => performance.now(),
}: SandboxOptions): Sandbox {
  let known: Known | null = null

  const knownWith = async (tools: ReadonlyMap<ToolName, Tool>): Promise<Pick<Known, 'state' | 'hardening'>> => {
    if (mode === 'off') return without('the sandbox is turned off by a setting')
    const bwrap = tools.get('bwrap')
    if (!bwrap) return without('bubblewrap (bwrap) is not installed')
    const key = `${bwrap.command.join(' ')} ${bwrap.version}`
    const stale = known?.state.sandbox === 'none' && monotonic() - known.at > RECHECK_MS
    if (known?.key === key && !stale) return known
    known = working.get(key) ?? { key, at: monotonic(), ...(await findStrongest(bwrap)) }
    if (known.state.sandbox !== 'none') working.set(key, known)
    return known
  }

  return {
    state: async () => (await knownWith(await toolbox.findTools(WRAPPERS))).state,
    run: async (call) => {
      const tools = await toolbox.findTools(WRAPPERS)
      const { state, hardening } = await knownWith(tools)
      const inside = state.sandbox === 'bwrap'
      const argv = inside ? confined(call, tools, hardening) : unconfined(call, tools)
      const [file = '', ...args] = argv
      const outcome = await run({ file, args, ...runOptionsOf(call), ...(inside ? filterFor(hardening) : {}) })
      return interpretEnd(outcome, state.sandbox)
    },
  }
}

const NOTHING: Hardening = { userNamespaces: false, filter: null }

const without = (reason: string): Pick<Known, 'state' | 'hardening'> => ({
  state: { sandbox: 'none', reason },
  hardening: NOTHING,
})

const filterFor = ({ filter }: Hardening): Pick<RunRequest, 'descriptor3'> =>
  filter === null ? {} : { descriptor3: filter }

const runOptionsOf = (call: ToolCall): Omit<RunRequest, 'file' | 'args'> => ({
  timeoutMs: call.timeoutMs,
  ...(call.stallMs === undefined ? {} : { stallMs: call.stallMs }),
  ...(call.signal === undefined ? {} : { signal: call.signal }),
  ...(call.maxStdout === undefined ? {} : { maxStdout: call.maxStdout }),
  ...(call.onStdout === undefined ? {} : { onStdout: call.onStdout }),
  ...(call.onBytes === undefined ? {} : { onBytes: call.onBytes }),
})

/** Arguments for a sandbox without network, without other processes, and with no files except the system's programs, the input and the output folder. */
export function bwrapArguments(binds: {
  input?: string
  outDir?: string
  folders?: Tool['inside']['folders']
  hardening?: Hardening
}): string[] {
  const { userNamespaces, filter } = binds.hardening ?? NOTHING
  return [
    '--unshare-all',
    ...(userNamespaces ? ['--unshare-user', '--disable-userns'] : []),
    ...(filter === null ? [] : ['--seccomp', '3']),
    '--die-with-parent',
    '--new-session',
    '--uid',
    '65534',
    '--gid',
    '65534',
    '--clearenv',
    '--setenv',
    'PATH',
    '/usr/bin',
    '--setenv',
    'LANG',
    'C.UTF-8',
    '--ro-bind',
    '/usr',
    '/usr',
    '--ro-bind',
    '/etc/alternatives',
    '/etc/alternatives',
    '--symlink',
    'usr/lib',
    '/lib',
    '--symlink',
    'usr/lib64',
    '/lib64',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    ...(binds.folders ?? []).flatMap(({ from, to }) => ['--ro-bind', from, to]),
    ...(binds.input === undefined ? [] : ['--ro-bind', binds.input, TOOL_INPUT]),
    ...(binds.outDir === undefined ? [] : ['--bind', binds.outDir, TOOL_OUTPUT]),
  ]
}

function confined(call: ToolCall, tools: ReadonlyMap<ToolName, Tool>, hardening: Hardening): string[] {
  const bwrap = tools.get('bwrap')
  if (!bwrap) throw new Error('bwrap is missing')
  const binds = {
    input: call.input,
    folders: call.tool.inside.folders,
    hardening,
    ...(call.outDir === undefined ? {} : { outDir: call.outDir }),
  }
  const inner = [...limitCommand(call, tools, (tool) => tool.inside.command), ...call.tool.inside.command, ...call.args]
  return [...bwrap.command, ...bwrapArguments(binds), '--', ...inner]
}

function unconfined(call: ToolCall, tools: ReadonlyMap<ToolName, Tool>): string[] {
  const real = (argument: string): string => {
    if (argument === TOOL_INPUT) return call.input
    if (call.outDir !== undefined && argument.startsWith(`${TOOL_OUTPUT}/`)) {
      return join(call.outDir, argument.slice(TOOL_OUTPUT.length + 1))
    }
    return call.outDir === undefined ? argument : withFolder(argument, call.outDir)
  }
  return [...limitCommand(call, tools, (tool) => tool.command), ...call.tool.command, ...call.args.map(real)]
}

/** Files that a filter reads: paths in a description of filters are escaped twice, as a value and as a part of the description. */
function withFolder(argument: string, outDir: string): string {
  const escaped = outDir
    .replaceAll('\\', '/')
    .replace(/[':]/g, '\\$&')
    .replace(/[\\'[\],;]/g, '\\$&')
  return argument.replaceAll(`=${TOOL_OUTPUT}/`, () => `=${escaped}/`)
}

/** Commands that set limits and priority and then start the program in their place. */
function limitCommand(
  call: ToolCall,
  tools: ReadonlyMap<ToolName, Tool>,
  command: (tool: Tool) => readonly string[],
): string[] {
  const { memoryBytes, cpuSeconds, fileBytes } = call.limits
  const prlimit = tools.get('prlimit')
  const nice = tools.get('nice')
  const limits = [`--as=${memoryBytes}`, `--cpu=${cpuSeconds}`, `--fsize=${fileBytes}`, '--core=0', '--nofile=256']
  return [
    ...(prlimit && prlimit.inside.folders.length === 0 ? [...command(prlimit), ...limits, '--'] : []),
    ...(nice && call.background && nice.inside.folders.length === 0 ? [...command(nice), '-n', '10'] : []),
  ]
}

/** Interprets the end of a run. In a sandbox, death by signal n has the code 128 + n, and bwrap reports its own failure in a message. */
function interpretEnd(outcome: RunResult, sandbox: SandboxKind): RunResult {
  if (outcome.end !== 'failed' || outcome.code === null) return outcome
  // Wrappers, shells and the loader end with 126 or 127 when a program cannot be executed.
  if (outcome.code === 126 || outcome.code === 127) return { ...outcome, end: 'not-started' }
  if (sandbox === 'bwrap' && /^bwrap: /m.test(outcome.stderr)) return { ...outcome, end: 'not-started' }
  return LIMIT_CODES.has(outcome.code) ? { ...outcome, end: 'killed' } : outcome
}

/** Finds the strongest sandbox that this machine can make. bubblewrap before 0.8 cannot forbid further namespaces, and some kernels have no seccomp. */
async function findStrongest(bwrap: Tool): Promise<Pick<Known, 'state' | 'hardening'>> {
  const filter = systemCallFilter(process.arch)
  const strongest: Hardening = { userNamespaces: true, filter }
  const weaker: readonly Hardening[] = [
    { userNamespaces: false, filter },
    { userNamespaces: true, filter: null },
    NOTHING,
  ]
  let refusal = ''
  for (const hardening of [strongest, ...weaker]) {
    const outcome = await tryWith(bwrap, hardening)
    if (outcome.end === 'ok') return { state: { sandbox: 'bwrap', reason: missingHardening(hardening) }, hardening }
    refusal = outcome.stderr.trim().split('\n').at(-1) ?? ''
  }
  return without(`bubblewrap cannot make a sandbox here${refusal ? `: ${refusal}` : ''}`)
}

function tryWith(bwrap: Tool, hardening: Hardening): Promise<RunResult> {
  const [file = '', ...leading] = bwrap.command
  const args = [...leading, ...bwrapArguments({ hardening }), '--', '/usr/bin/true']
  return run({ file, args, timeoutMs: 10_000, ...filterFor(hardening) })
}

function missingHardening({ userNamespaces, filter }: Hardening): string | null {
  const lacks = [
    ...(userNamespaces ? [] : ['it does not forbid further user namespaces (bubblewrap 0.8 does)']),
    ...(filter === null ? ['it does not filter system calls'] : []),
  ]
  return lacks.length === 0 ? null : lacks.join('; ')
}
