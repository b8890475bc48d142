/**
 * `npm start`: the window with the station in it, where Electron's runtime is or can be had; else one sentence why, and the station
 * without a window. `npm start -- serve …` wants no window. Further arguments go to whichever starts.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { settingsFromEnvironment } from '../../server/config/environment.ts'
import { ensureApp } from './app.ts'
import { ensureRenderer } from './renderer.ts'
import { findRuntime } from './runtime.ts'
import { ensureTools, STATION_TOOLS } from './tools.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const args = process.argv.slice(2)
const windowless = args[0] === 'serve'

/** main/system/starting.ts: it told its person why the station did not start. 74: the disk failed, and it said so. */
const TOLD = [3, 74]

/** What Node compiled of the program; the next start finds it there and is ready in two thirds of the time. */
const COMPILED = join(root, 'node_modules/.cache/compiled')

const note = (text: string): void => void process.stderr.write(`${text}\n`)

/** @returns what the program ended with, and whether the station ever listened. */
function run(program: string, given: readonly string[]): Promise<{ code: number; listened: boolean }> {
  const child = spawn(program, given, {
    cwd: root,
    stdio: ['inherit', 'pipe', 'inherit'],
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env },
  })
  let listened = false
  child.stdout.on('data', (chunk: Buffer) => {
    listened ||= chunk.toString().includes('listening ')
    process.stdout.write(chunk)
  })
  // The station drains by itself; this process only waits for it.
  const pass = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, pass)
  // npm tells its shell to end and the shell tells nobody: when it is gone, somebody wanted the station to stop.
  const starter = process.ppid
  const watch = setInterval(() => {
    if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32' || process.ppid === starter)
      return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 500)
  watch.unref()
  return new Promise((resolve) => {
    const end = (code: number): void => {
      clearInterval(watch)
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, pass)
      resolve({ code, listened })
    }
    child.on('error', (error) => {
      note(error.message)
      end(1)
    })
    child.on('close', (code, signal) => end(signal === null ? (code ?? 1) : 1))
  })
}

/** @returns why there is no window, or its exit code. */
async function withWindow(): Promise<{ why: string } | { code: number }> {
  const runtime = await findRuntime(process.env)
  if ('why' in runtime) return runtime
  // In a checkout the window, the windowless station and the command line work on the same folder.
  const data = args.some((one) => one === '--data' || one.startsWith('--data=')) ? [] : dataFolder()
  const { code, listened } = await run(runtime.program, ['.', ...args, ...data])
  if (listened || code === 0 || TOLD.includes(code)) return { code }
  return { why: `the runtime did not come up (it ended with ${code})` }
}

/** Two seconds where the sources are newer; a start from the sources takes twice as long as one from what was built. @returns why it failed */
async function whyNotBuilt(): Promise<string | null> {
  try {
    await ensureApp()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

function dataFolder(): string[] {
  try {
    return ['--data', settingsFromEnvironment().data]
  } catch {
    // Settings that cannot be used are told by the program itself.
    return []
  }
}

ensureTools(STATION_TOOLS)
try {
  await ensureRenderer()
} catch (error) {
  note(`The pages could not be built; the interfaces work without them: ${(error as Error).message}`)
}
const notBuilt = await whyNotBuilt()
if (notBuilt !== null) note(`The program could not be built and runs from its sources, without its window: ${notBuilt}`)
const server = join(root, notBuilt === null ? 'dist/app/server/bin/sallyport.js' : 'server/bin/sallyport.ts')
const opened = windowless || notBuilt !== null ? null : await withWindow()
if (opened !== null && 'code' in opened) process.exitCode = opened.code
else {
  if (opened !== null)
    note(`The station runs without its window, because ${opened.why}; open the address below in a browser.`)
  const { code } = await run(process.execPath, [server, 'serve', ...(windowless ? args.slice(1) : args)])
  process.exitCode = code
}
