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
  /** An empty private folder the tool may write in, seen as `/out`. */
  readonly outDir?: string
  readonly limits: ToolLimits
  readonly timeoutMs: number
  readonly stallMs?: number
  readonly signal?: AbortSignal
  readonly maxStdout?: number
  readonly onStdout?: (text: string) => void
  readonly onBytes?: (chunk: Buffer) => void
  /** Gives way to everything else on the machine. */
  readonly background?: boolean
}

export interface ToolLimits {
  readonly memoryBytes: number
  /** Processor seconds over all threads. */
  readonly cpuSeconds: number
  /** Largest file the tool may write. */
  readonly fileBytes: number
}

export interface SandboxState {
  readonly sandbox: SandboxKind
  /** Why there is none, or what the one that there is lacks, in words for a person; null where nothing is missing. */
  readonly reason: string | null
}

/** What a sandbox takes away beyond namespaces. Older versions of bubblewrap and some kernels know only a part of it. */
interface Hardening {
  /** No further user namespaces inside. */
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
  /** `off` never makes one (for tests, and for a machine whose owner says so). */
  readonly mode?: 'auto' | 'off'
  /** Monotonic milliseconds. */
  readonly monotonic?: () => number
}

/** What goes around a media program. */
const WRAPPERS: readonly ToolName[] = ['bwrap', 'prlimit', 'nice']
const RECHECK_MS = 60_000

/** 128 + KILL, XCPU, XFSZ: a limit was met. Other codes above 128 are crashes and ffmpeg's own errors. */
const LIMIT_CODES = new Set([137, 152, 153])

/** Sandboxes that could be made, of the whole process: the trial of one takes two processes. */
const made = new Map<string, Known>()

/** Runs media tools confined where this machine allows it, and says where it does not. Never falls back within a call. */
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
    known = made.get(key) ?? { key, at: monotonic(), ...(await tryOut(bwrap)) }
    if (known.state.sandbox !== 'none') made.set(key, known)
    return known
  }

  return {
    state: async () => (await knownWith(await toolbox.look(WRAPPERS))).state,
    run: async (call) => {
      const tools = await toolbox.look(WRAPPERS)
      const { state, hardening } = await knownWith(tools)
      const inside = state.sandbox === 'bwrap'
      const argv = inside ? confined(call, tools, hardening) : unconfined(call, tools)
      const [file = '', ...args] = argv
      const outcome = await run({ file, args, ...passedOn(call), ...(inside ? filterFor(hardening) : {}) })
      return judged(outcome, state.sandbox)
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

const passedOn = (call: ToolCall): Omit<RunRequest, 'file' | 'args'> => ({
  timeoutMs: call.timeoutMs,
  ...(call.stallMs === undefined ? {} : { stallMs: call.stallMs }),
  ...(call.signal === undefined ? {} : { signal: call.signal }),
  ...(call.maxStdout === undefined ? {} : { maxStdout: call.maxStdout }),
  ...(call.onStdout === undefined ? {} : { onStdout: call.onStdout }),
  ...(call.onBytes === undefined ? {} : { onBytes: call.onBytes }),
})

/** No network, no other process, no file but the system's programs, the one input and the output folder. */
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
  if (!bwrap) throw new Error('bwrap is gone')
  const binds = {
    input: call.input,
    folders: call.tool.inside.folders,
    hardening,
    ...(call.outDir === undefined ? {} : { outDir: call.outDir }),
  }
  const inner = [...wrapping(call, tools, (tool) => tool.inside.command), ...call.tool.inside.command, ...call.args]
  return [...bwrap.command, ...bwrapArguments(binds), '--', ...inner]
}

function unconfined(call: ToolCall, tools: ReadonlyMap<ToolName, Tool>): string[] {
  const real = (argument: string): string => {
    if (argument === TOOL_INPUT) return call.input
    if (call.outDir !== undefined && argument.startsWith(`${TOOL_OUTPUT}/`)) {
      return join(call.outDir, argument.slice(TOOL_OUTPUT.length + 1))
    }
    return argument
  }
  return [...wrapping(call, tools, (tool) => tool.command), ...call.tool.command, ...call.args.map(real)]
}

/** Limits and priority, as programs that start the next one in their place. */
function wrapping(
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

/** Inside a sandbox a death by signal arrives as 128 + n, and a sandbox that could not be made as a message of its own. */
function judged(outcome: RunResult, sandbox: SandboxKind): RunResult {
  if (outcome.end !== 'failed' || outcome.code === null) return outcome
  // 126 and 127 are what wrappers, shells and the loader answer for a program that cannot be executed.
  if (outcome.code === 126 || outcome.code === 127) return { ...outcome, end: 'not-started' }
  if (sandbox === 'bwrap' && /^bwrap: /m.test(outcome.stderr)) return { ...outcome, end: 'not-started' }
  return LIMIT_CODES.has(outcome.code) ? { ...outcome, end: 'killed' } : outcome
}

/** Takes the strongest sandbox that this machine can make: bubblewrap before 0.8 cannot forbid further namespaces, some kernels have no seccomp. */
async function tryOut(bwrap: Tool): Promise<Pick<Known, 'state' | 'hardening'>> {
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
    if (outcome.end === 'ok') return { state: { sandbox: 'bwrap', reason: lacking(hardening) }, hardening }
    refusal = outcome.stderr.trim().split('\n').at(-1) ?? ''
  }
  return without(`bubblewrap cannot make a sandbox here${refusal ? `: ${refusal}` : ''}`)
}

function tryWith(bwrap: Tool, hardening: Hardening): Promise<RunResult> {
  const [file = '', ...leading] = bwrap.command
  const args = [...leading, ...bwrapArguments({ hardening }), '--', '/usr/bin/true']
  return run({ file, args, timeoutMs: 10_000, ...filterFor(hardening) })
}

function lacking({ userNamespaces, filter }: Hardening): string | null {
  const lacks = [
    ...(userNamespaces ? [] : ['it does not forbid further user namespaces (bubblewrap 0.8 does)']),
    ...(filter === null ? ['it does not filter system calls'] : []),
  ]
  return lacks.length === 0 ? null : lacks.join('; ')
}
