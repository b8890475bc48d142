import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { BunnyAnswer, BunnyTask } from './bunny.types.ts'
export type { BunnyAnswer, BunnyContainer, BunnyCopy, BunnyProbe, BunnyTask } from './bunny.types.ts'

export interface BunnyRun {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  readonly onProgress?: (fraction: number) => void
}

/** `failed`: the file cannot be read this way; nothing else is known. */
export type BunnyOutcome = Exclude<BunnyAnswer, { kind: 'progress' }> | { kind: 'timeout' } | { kind: 'aborted' }

/**
 * mediabunny in a worker thread: reads and stream-copies where no ffmpeg is installed. The worker's memory is bounded and it
 * is ended on timeout and abort; it parses hostile bytes in a memory-safe language but not in a sandbox.
 */
export function runBunny(task: BunnyTask, options: BunnyRun): Promise<BunnyOutcome> {
  if (options.signal?.aborted) return Promise.resolve({ kind: 'aborted' })
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./bunny.worker.ts', import.meta.url), {
      workerData: task,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 512 },
      // Its remarks about damaged files are not the station's output.
      stdout: true,
      stderr: true,
    })
    worker.stdout.resume()
    worker.stderr.resume()
    let settled = false
    const finish = (outcome: BunnyOutcome) => {
      if (settled) return
      settled = true
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

/** The installed mediabunny's version, for the derivation record. */
export function bunnyVersion(): string {
  let folder = dirname(createRequire(import.meta.url).resolve('mediabunny'))
  for (let up = 0; up < 6; up += 1, folder = dirname(folder)) {
    try {
      const own: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      if (typeof own === 'object' && own !== null && 'name' in own && own.name === 'mediabunny' && 'version' in own) {
        return String(own.version)
      }
    } catch {
      // Not the package's own folder yet.
    }
  }
  return 'unknown'
}
