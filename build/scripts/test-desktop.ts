/**
 * `npm run test:desktop`: the suite on Electron's true runtime. Where that cannot be had it is skipped aloud; `--required` (the release
 * workflow) makes that a failure.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensureApp } from './app.ts'
import { isTrueRuntime } from './fuses.ts'
import { ensureRenderer } from './renderer.ts'
import { findRuntime } from './runtime.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const args = process.argv.slice(2).filter((argument) => argument !== '--required')

async function whyNot(): Promise<string | null> {
  if (process.platform === 'linux' && process.getuid?.() === 0) return 'Chromium’s sandbox does not run for root'
  const runtime = await findRuntime(process.env)
  if ('why' in runtime) return runtime.why
  return process.platform !== 'darwin' && !isTrueRuntime(runtime.program)
    ? `${runtime.program} is no runtime of Electron`
    : null
}

const why = await whyNot()
if (why !== null) {
  process.stdout.write(`SKIPPED: the suite on the true runtime, because ${why}.\n`)
  process.stdout.write('What it would show: test/desktop/README.md.\n')
  process.exitCode = process.argv.includes('--required') ? 1 : 0
} else {
  await ensureRenderer()
  await ensureApp()
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/desktop/runtime/vitest.config.ts', ...args]
  process.exitCode = spawnSync(process.execPath, vitest, { cwd: root, stdio: 'inherit' }).status ?? 1
}
