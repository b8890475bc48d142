/**
 * Builds the program into dist/app: main and server as a bundle whose entries lie as in the sources, the preload as one CommonJS file (a
 * sandboxed preload can load no other), the icons. Types are checked by `npm run check`, not here.
 */
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { bundleProgram, movedAddresses } from './bundle.ts'
import { noticeOf, noticesText, programPackages } from './notices.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = [
  'main',
  'server',
  'shared',
  'build/icons',
  'build/scripts/app.ts',
  'build/scripts/bundle.ts',
  'build/scripts/notices.ts',
  'package-lock.json',
]
/** What is started, and what is found by an address beside its module. */
const ENTRIES = ['main/index.ts', 'server/bin/sallyport.ts', 'server/app/units.ts', 'server/**/*.worker.ts']
const ICONS = ['icon.png', 'tray.png', 'tray-attention.png', 'trayTemplate.png', 'trayAttentionTemplate.png']

const target = join(root, 'dist/app')
const stamp = join(target, 'main/index.js')

/** Of the files, not the folders: a file that was removed does no harm. */
function newestUnder(path: string): number {
  const found = statSync(path)
  if (!found.isDirectory()) return found.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newestUnder(join(path, name))))
}

export function appIsCurrent(): boolean {
  return (
    existsSync(stamp) && statSync(stamp).mtimeMs > Math.max(...SOURCES.map((path) => newestUnder(join(root, path))))
  )
}

export async function buildApp(): Promise<void> {
  const fresh = `${target}.new`
  rmSync(fresh, { recursive: true, force: true })
  await bundleProgram({
    root,
    folder: fresh,
    entries: globSync(ENTRIES, { cwd: root }),
    extension: '.js',
    plugins: [movedAddresses(root)],
  })
  await buildPreload(join(fresh, 'main/preload'))
  const notices = noticesText('Third-party software in Sallyport', programPackages().map(noticeOf))
  writeFileSync(join(fresh, 'THIRD-PARTY-NOTICES.txt'), notices)
  mkdirSync(join(fresh, 'icons'), { recursive: true })
  // A picture for screens of twice the density lies beside each, and is found by its name.
  for (const icon of ICONS.flatMap((name) => [name, name.replace('.png', '@2x.png')])) {
    const from = join(root, 'build/icons', icon)
    if (existsSync(from)) cpSync(from, join(fresh, 'icons', icon))
  }
  // Read from beside the module that uses them.
  cpSync(join(root, 'server/platform/pdf/fonts'), join(fresh, 'server/platform/pdf/fonts'), { recursive: true })
  rmSync(target, { recursive: true, force: true })
  renameSync(fresh, target)
}

async function buildPreload(folder: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      target: 'chrome140',
      lib: { entry: join(root, 'main/preload/index.ts'), formats: ['cjs'], fileName: () => 'index.cjs' },
      rollupOptions: { external: ['electron'] },
    },
  })
}

/** Milliseconds after which a build that holds the lock is taken for dead. */
const DEAD_AFTER = 120_000

/** One builder at a time, however many ask. @returns whether it was built now. */
export async function ensureApp(): Promise<boolean> {
  const lock = `${target}.lock`
  for (;;) {
    if (appIsCurrent()) return false
    try {
      mkdirSync(lock, { recursive: false })
      break
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') mkdirSync(join(root, 'dist'), { recursive: true })
      else if (code !== 'EEXIST') throw error
      else if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > DEAD_AFTER)
        rmSync(lock, { recursive: true, force: true })
      else await new Promise((later) => setTimeout(later, 100))
    }
  }
  try {
    if (appIsCurrent()) return false
    await buildApp()
    return true
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildApp()
  process.stdout.write('The program was built into dist/app.\n')
}
