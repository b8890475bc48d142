/** Builds the renderer where it is missing or older than what it is made of. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = [
  'renderer',
  'shared',
  'build/vite.config.ts',
  'build/schemas-apart.ts',
  'build/contract-for-pages.ts',
  'build/syntax.ts',
  'package-lock.json',
]

const newestUnder = (path: string): number => {
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newestUnder(join(path, name))))
}

export function rendererIsCurrent(): boolean {
  const built = join(root, 'dist/renderer/index.html')
  return (
    existsSync(built) && statSync(built).mtimeMs > Math.max(...SOURCES.map((path) => newestUnder(join(root, path))))
  )
}

/** @returns whether it was built now. */
export async function ensureRenderer(): Promise<boolean> {
  if (rendererIsCurrent()) return false
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  // Built aside and put in place whole: a station that starts meanwhile finds the pages before or the pages after.
  const aside = join(root, `dist/.renderer-${process.pid}`)
  const built = join(root, 'dist/renderer')
  try {
    // A process of its own: whoever asks may run with NODE_ENV=test, and the bundle would follow it.
    await promisify(execFile)(
      process.execPath,
      [
        vite,
        'build',
        '-c',
        join(root, 'build/vite.config.ts'),
        '--outDir',
        aside,
        '--emptyOutDir',
        '--logLevel',
        'warn',
      ],
      { cwd: root, env: { ...process.env, NODE_ENV: 'production' } },
    )
    rmSync(built, { recursive: true, force: true })
    renameSync(aside, built)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
  return true
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const built = await ensureRenderer()
  process.stdout.write(built ? 'The renderer was built.\n' : 'The renderer is up to date.\n')
}
