/** `npm run check`: types, lint, format, layers, side by side; every finding of every one of them. */
import { spawn } from 'node:child_process'

interface Check {
  readonly name: string
  readonly command: readonly string[]
}

const bin = (name: string) => `node_modules/.bin/${name}`

/** The longest first. */
const CHECKS: readonly Check[] = [
  // Each part is checked once, against the declarations of the parts that it uses (tsconfig.json). Two parts at a time, each by one checker: a
  // second checker of one part would make out once more what the first one knows.
  { name: 'types', command: [bin('tsc'), '--build', '--builders', '2', '--checkers', '1'] },
  { name: 'lint', command: [bin('oxlint'), '--deny-warnings'] },
  { name: 'format', command: [bin('biome'), 'format'] },
  { name: 'layers', command: [process.execPath, 'build/scripts/layers.ts'] },
]

function run(check: Check): Promise<{ check: Check; code: number; output: string; seconds: number }> {
  const start = performance.now()
  return new Promise((resolve) => {
    const [program, ...args] = check.command as [string, ...string[]]
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', (error) => resolve({ check, code: 1, output: error.message, seconds: 0 }))
    child.on('close', (code) =>
      resolve({ check, code: code ?? 1, output, seconds: (performance.now() - start) / 1000 }),
    )
  })
}

const results: Awaited<ReturnType<typeof run>>[] = []
// Two at a time: the type checker takes both cores of a small machine.
const waiting = [...CHECKS]
await Promise.all(
  [1, 2].map(async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) results.push(await run(check))
  }),
)
let failed = 0
for (const { check, code, output, seconds } of results) {
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'}  ${check.name}  ${seconds.toFixed(1)} s\n`)
  if (code !== 0) {
    failed += 1
    process.stdout.write(`${output.trim()}\n`)
  }
}
process.exitCode = failed === 0 ? 0 : 1
