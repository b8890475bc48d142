import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { type Readable, Writable } from 'node:stream'

/** One child process. Never a shell, never the server's environment, stdin closed. */
export interface RunRequest {
  /** Absolute path of the program. */
  readonly file: string
  readonly args: readonly string[]
  readonly timeoutMs: number
  /** Killed when nothing comes on stdout for this long; for tools that report progress there. */
  readonly stallMs?: number
  readonly signal?: AbortSignal
  /** Bytes of stdout kept (default 1 MiB). More ends the run as `too-much-output`; not counted where `onStdout` or `onBytes` takes them. */
  readonly maxStdout?: number
  /** Takes stdout as it comes instead of having it kept. */
  readonly onStdout?: (text: string) => void
  /** The same for output that is no text: every chunk as it comes, each at most 64 KiB. */
  readonly onBytes?: (chunk: Buffer) => void
  /** Bytes that the program reads from its descriptor 3. Without them it has none. */
  readonly descriptor3?: Uint8Array
}

/**
 * How a run ended. `ok`: exit code 0. `failed`: another code, or a crash. `killed`: by a limit of time or file size, or from outside.
 * `not-started`: the program, or what was to wrap it, could not be started: a fault of this machine, not of the input.
 */
export type RunEnd = 'ok' | 'failed' | 'killed' | 'timeout' | 'stalled' | 'aborted' | 'too-much-output' | 'not-started'

export interface RunResult {
  readonly end: RunEnd
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: Buffer
  /** The last 16 KiB. For logs: it may hold bytes of the input. */
  readonly stderr: string
  readonly millis: number
}

/** All that a child ever sees of an environment. */
const CHILD_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }
const STDERR_KEPT = 16 * 1024

interface Capture {
  chunks: Buffer[]
  length: number
  stderr: string
}

/** The one place where the server starts a program. Resolves in every case; the whole process group is gone by then. */
export function run(request: RunRequest): Promise<RunResult> {
  const started = performance.now()
  const { signal } = request
  const capture: Capture = { chunks: [], length: 0, stderr: '' }
  if (signal?.aborted) return Promise.resolve(result(started, capture, 'aborted', null, null))
  return new Promise((resolve) => {
    let forced: RunEnd | null = null
    let settled = false
    // `detached` gives the child a process group of its own, so that what it starts can be ended with it.
    const child = spawn(request.file, request.args, {
      detached: true,
      env: CHILD_ENVIRONMENT,
      shell: false,
      stdio: ['ignore', 'pipe', 'pipe', request.descriptor3 === undefined ? 'ignore' : 'pipe'],
      windowsHide: true,
      cwd: '/',
    }) as ChildProcessByStdio<null, Readable, Readable>
    if (request.descriptor3 !== undefined) give(child.stdio[3], request.descriptor3)
    const stop = (why: RunEnd) => {
      forced ??= why
      endGroup(child.pid)
    }
    const onAbort = () => stop('aborted')
    const timer = setTimeout(() => stop('timeout'), request.timeoutMs)
    const stall = request.stallMs === undefined ? null : setTimeout(() => stop('stalled'), request.stallMs)
    signal?.addEventListener('abort', onAbort, { once: true })

    const finish = (end: RunEnd, code: number | null, by: string | null) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      if (stall) clearTimeout(stall)
      signal?.removeEventListener('abort', onAbort)
      endGroup(child.pid)
      resolve(result(started, capture, forced ?? end, code, by))
    }
    child.on('error', (error) => {
      capture.stderr += error.message
      finish('not-started', null, null)
    })
    child.stdout.on('data', (chunk: Buffer) => {
      stall?.refresh()
      if (!takeStdout(request, capture, chunk)) stop('too-much-output')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      capture.stderr = (capture.stderr + chunk.toString('utf8')).slice(-STDERR_KEPT)
    })
    child.on('close', (code, by) => finish(endOf(code, by), code, by))
    // A grandchild that keeps the pipes open must not keep the caller waiting: `close` would never come.
    child.on('exit', (code, by) => {
      setTimeout(() => finish(endOf(code, by), code, by), 2000).unref()
    })
  })
}

/** A program that ends without reading closes its side; that is told by how it ended. */
function give(stream: unknown, bytes: Uint8Array): void {
  if (!(stream instanceof Writable)) return
  stream.on('error', () => {})
  stream.end(bytes)
}

const CRASHES: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE'])

const endOf = (code: number | null, by: string | null): RunEnd =>
  by === null ? (code === 0 ? 'ok' : 'failed') : CRASHES.has(by) ? 'failed' : 'killed'

function takeStdout(request: RunRequest, capture: Capture, chunk: Buffer): boolean {
  if (request.onStdout) {
    request.onStdout(chunk.toString('utf8'))
    return true
  }
  if (request.onBytes) {
    request.onBytes(chunk)
    return true
  }
  capture.length += chunk.length
  if (capture.length > (request.maxStdout ?? 1024 * 1024)) return false
  capture.chunks.push(chunk)
  return true
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Already gone, which is what was wanted.
  }
}

function result(started: number, capture: Capture, end: RunEnd, code: number | null, signal: string | null): RunResult {
  const stdout = Buffer.concat(capture.chunks)
  return { end, code, signal, stdout, stderr: capture.stderr, millis: performance.now() - started }
}
