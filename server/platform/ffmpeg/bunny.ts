import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { BunnyAnswer, BunnyTask } from './bunny.types.ts'
export type { BunnyAnswer, BunnyContainer, BunnyCopy, BunnyProbe, BunnyTask } from './bunny.types.ts'

export interface BunnyRun {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  readonly onProgress?: (fraction: number) => void
}

/** `failed`: mediabunny cannot read the file. */
export type BunnyOutcome = Exclude<BunnyAnswer, { kind: 'progress' }> | { kind: 'timeout' } | { kind: 'aborted' }

/**
 * Runs mediabunny on a worker thread: it reads and stream-copies files when no ffmpeg is installed. The worker's memory is bounded, and
 * timeout and abort end it. It parses untrusted bytes in a memory-safe language but without a sandbox.
 */
export function runBunny(task: BunnyTask, options: BunnyRun): Promise<BunnyOutcome> {
  if (options.signal?.aborted) return Promise.resolve({ kind: 'aborted' })
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./bunny.worker.ts', import.meta.url), {
      workerData: task,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 512 },
      // Keeps its messages about damaged files out of the station's output.
      stdout: true,
      stderr: true,
    })
    worker.stdout.resume()
    worker.stderr.resume()
    let isFinished = false
    const finish = (outcome: BunnyOutcome) => {
      if (isFinished) return
      isFinished = true
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', onAbort)
      void worker.terminate().then(() => resolve(outcome))
    }
    const onAbort = () => finish({ kind: 'aborted' })
    const timer = setTimeout(() => finish({ kind: 'timeout' }), options.timeoutMs)
    options.signal?.addEventListener('abort', onAbort, { once: true })
    worker.on('message', (answer: BunnyAnswer) => {
      if (answer.kind === 'progress') options.onProgress?.(answer.fraction)
      else finish(answer)
    })
    worker.on('error', (error) =>
      finish({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
    )
    worker.on('exit', () => finish({ kind: 'failed', message: 'ended without an answer' }))
  })
}

/** Version of the installed mediabunny, for the derivation record. */
export function bunnyVersion(): string {
  const manifest = findPackageJSON('mediabunny', import.meta.url)
  if (manifest === undefined) return 'unknown'
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version?: unknown }
  return typeof version === 'string' ? version : 'unknown'
}
