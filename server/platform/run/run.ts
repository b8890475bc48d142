import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { type Readable, Writable } from 'node:stream'

/** One child process, without a shell, without the server's environment, and with stdin closed unless it is given bytes. */
export interface RunRequest {
  /** Absolute path of the program. */
  readonly file: string
  readonly args: readonly string[]
  readonly timeoutMs: number
  /** The program is killed after this time without output on stdout; for tools that report progress there. */
  readonly stallMs?: number
  readonly signal?: AbortSignal
  /** Most bytes of stdout (default 1 MiB). More ends the run as `too-much-output`. Does not apply with `onStdout` or `onBytes`. */
  readonly maxStdout?: number
  /** Receives stdout in chunks, which are then not kept. */
  readonly onStdout?: (text: string) => void
  /** The same for binary output; chunks of at most 64 KiB. */
  readonly onBytes?: (chunk: Buffer) => void
  /** Bytes that the program can read from descriptor 3. Without them it has no descriptor 3. */
  readonly descriptor3?: Uint8Array
  /** Bytes that the program can read from stdin, such as a secret: other users see the arguments and may see the environment of a program. */
  readonly stdin?: Uint8Array
}

/**
 * How a run ended. `ok`: exit code 0. `failed`: another exit code, or a crash. `killed`: by a limit of time or file size, or from outside.
 * `not-started`: the program or its wrapper could not be started, a fault of this machine and not of the input.
 */
export type RunEnd = 'ok' | 'failed' | 'killed' | 'timeout' | 'stalled' | 'aborted' | 'too-much-output' | 'not-started'

export interface RunResult {
  readonly end: RunEnd
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: Buffer
  /** The last 16 KiB. For logs only, since it may contain bytes of the input. */
  readonly stderr: string
  readonly millis: number
}

/** The whole environment of a child process. */
const CHILD_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }
const STDERR_KEPT = 16 * 1024

interface Capture {
  chunks: Buffer[]
  length: number
  stderr: string
}

/** The only place where the server starts programs. Always resolves; the whole process group has ended by then. */
export function run(request: RunRequest): Promise<RunResult> {
  const started = performance.now()
  const { signal } = request
  const capture: Capture = { chunks: [], length: 0, stderr: '' }
  if (signal?.aborted) return Promise.resolve(result(started, capture, 'aborted', null, null))
  return new Promise((resolve) => {
    let forced: RunEnd | null = null
    let isFinished = false
    // `detached` gives the child its own process group, so that its child processes can be ended with it.
    const child = spawn(request.file, request.args, {
      detached: true,
      env: CHILD_ENVIRONMENT,
      shell: false,
      stdio: [
        request.stdin === undefined ? 'ignore' : 'pipe',
        'pipe',
        'pipe',
        request.descriptor3 === undefined ? 'ignore' : 'pipe',
      ],
      windowsHide: true,
      cwd: '/',
    }) as ChildProcessByStdio<null, Readable, Readable>
    if (request.descriptor3 !== undefined) give(child.stdio[3], request.descriptor3)
    if (request.stdin !== undefined) give(child.stdio[0], request.stdin)
    const stop = (why: RunEnd) => {
      forced ??= why
      endGroup(child.pid)
    }
    const onAbort = () => stop('aborted')
    const timer = setTimeout(() => stop('timeout'), request.timeoutMs)
    const stall = request.stallMs === undefined ? null : setTimeout(() => stop('stalled'), request.stallMs)
    signal?.addEventListener('abort', onAbort, { once: true })

    const finish = (end: RunEnd, code: number | null, by: string | null) => {
      if (isFinished) return
      isFinished = true
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
    // Not `close`: a grandchild that keeps the pipes open would delay it for ever.
    child.on('exit', (code, by) => {
      setTimeout(() => finish(endOf(code, by), code, by), 2000).unref()
    })
  })
}

/** Writes to a descriptor of the program. One that ends without reading closes its side; `RunEnd` reports its end. */
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
    // The group has ended already.
  }
}

function result(started: number, capture: Capture, end: RunEnd, code: number | null, signal: string | null): RunResult {
  const stdout = Buffer.concat(capture.chunks)
  return { end, code, signal, stdout, stderr: capture.stderr, millis: performance.now() - started }
}
