/**
 * Before each file of suites with stations inside the test's process: their threads come from the bundle (bundle.ts). The thread of a database
 * reads 470 modules of the sources, which is a third of what such a station costs the processors. The station itself is of the sources.
 */
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import threads, { Worker, type WorkerOptions } from 'node:worker_threads'
import { FOLDER, programOf } from './program.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** What a thread is given to load; the others are data. */
const MODULES = /\.worker\.ts$|\/server\/app\/units\.ts$/

function bundled(address: string): string {
  if (!address.startsWith(pathToFileURL(path.join(ROOT, 'server')).href) || !MODULES.test(address)) return address
  return pathToFileURL(programOf(path.relative(ROOT, fileURLToPath(address)))).href
}

class BundledWorker extends Worker {
  constructor(file: string | URL, options: WorkerOptions = {}) {
    const { units } = (options.workerData ?? {}) as { units?: unknown }
    // Units of a test's own are of the sources, and so must the thread be that runs them: two copies of one module do not know each other.
    const isOwn = typeof units === 'string' && bundled(units) === units
    if (!(file instanceof URL) || isOwn) super(file, options)
    else if (typeof units !== 'string') super(new URL(bundled(file.href)), options)
    else
      super(new URL(bundled(file.href)), { ...options, workerData: { ...options.workerData, units: bundled(units) } })
  }
}

// Files share a process: it is put in place once.
if (process.env[FOLDER] !== undefined && threads.Worker.name !== BundledWorker.name) {
  threads.Worker = BundledWorker
  syncBuiltinESMExports()
}
