/** `npm run bench -- <name> [arguments]`: each benchmark is a file <name>.bench.ts beside this one, run in a process of its own. */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .sort()

const [name = '', ...rest] = process.argv.slice(2)
if (names.includes(name)) {
  const child = spawn(process.execPath, [join(folder, `${name}.bench.ts`), ...rest], { stdio: 'inherit' })
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128)
  })
  // Whoever stops this stops the benchmark, which then removes what it made.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
} else {
  process.stderr.write(`${name === '' ? 'Which benchmark?' : `There is no benchmark "${name}".`} There are:\n`)
  for (const known of names) process.stderr.write(`  npm run bench -- ${known}\n`)
  process.exitCode = 2
}
