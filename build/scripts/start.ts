/** `npm start`: the station without a window, with the tools it likes to have. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensureTools, STATION_TOOLS } from './tools.ts'

ensureTools(STATION_TOOLS)
const station = spawn(
  process.execPath,
  [fileURLToPath(new URL('../../server/bin/sallyport.ts', import.meta.url)), 'serve', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
)
// The station drains by itself; this process only waits for it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => station.kill(signal))
station.on('exit', (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 1
})
