/** `npm start`: the station without a window, with the tools it likes to have. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensureTools, STATION_TOOLS } from './tools.ts'

ensureTools(STATION_TOOLS)
const station = spawn(
  process.execPath,
  [fileURLToPath(new URL('../../server/bin/sallyport.ts', import.meta.url)), 'serve', ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
// The station drains by itself; this process only waits for it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => station.kill(signal))
// npm tells its shell to end and the shell tells nobody: when it is gone, somebody wanted the station to stop.
const starter = process.ppid
if (process.env['npm_lifecycle_event'] !== undefined && process.platform !== 'win32') {
  const watch = setInterval(() => {
    if (process.ppid === starter) return
    clearInterval(watch)
    station.kill('SIGTERM')
  }, 500)
  watch.unref()
}
station.on('exit', (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 1
})
