/** What `npm run package -- --dir` makes, opened, and its server and program started from it. */
// @module-tag merge
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { extractAll } from '@electron/asar'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { APART } from '../../build/scripts/bundle.ts'
import { installedRuntime } from '../../build/scripts/runtime.ts'
import { isTrueRuntime, runtimeFile, wrongFuses } from '../../build/scripts/fuses.ts'
import { NODE, temporaryFolder } from '../support/station.ts'
import { type Packed, packedFiles, whatFills } from './archive.ts'
import { cleanEnvironment, ROOT, startShell } from './shell.ts'
import { readyz } from './station.ts'

const linux = process.platform === 'linux' && process.arch === 'x64'
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let unpacked: string
let opened: string
let files: Packed[]

beforeAll(async () => {
  if (!linux) return
  folder = await temporaryFolder('package')
  const args = ['build/scripts/package.ts', '--dir', `-c.directories.output=${path.join(folder.dir, 'out')}`]
  const { ELECTRON_OVERRIDE_DIST_PATH: _standIn, ...env } = cleanEnvironment()
  const { status, stderr, stdout } = spawnSync(NODE, args, { cwd: ROOT, env })
  if (status !== 0) throw new Error(`It was not packed:\n${stdout.toString()}\n${stderr.toString()}`)
  unpacked = path.join(folder.dir, 'out/linux-unpacked')
  files = packedFiles(path.join(unpacked, 'resources/app.asar'))
  // Beside what is unpacked, so that it stands as the program does.
  opened = path.join(folder.dir, 'opened')
  extractAll(path.join(unpacked, 'resources/app.asar'), opened)
}, 300_000)
afterAll(() => folder?.dispose())

const built = test.skipIf(!linux)
const names = (pattern: RegExp): string[] => files.map((file) => file.path).filter((name) => pattern.test(name))

built('the archive holds the built program, the pages and what they need, and is small', () => {
  for (const name of [
    'package.json',
    'LICENSE',
    'dist/app/main/index.js',
    'dist/app/main/preload/index.cjs',
    'dist/app/icons/tray.png',
    'dist/app/server/kernel/database/sqlite/connection.worker.js',
    'dist/renderer/index.html',
  ])
    expect(names(new RegExp(`^${name.replaceAll('.', '\\.')}$`))).toEqual([name])
  const bytes = files.filter((file) => !file.unpacked).reduce((sum, file) => sum + file.size, 0)
  process.stdout.write(
    `asar: ${(bytes / 1e6).toFixed(1)} MB; beside it: ${((files.reduce((sum, file) => sum + file.size, 0) - bytes) / 1e6).toFixed(1)} MB\n`,
  )
  for (const [part, size] of whatFills(files).slice(0, 12))
    process.stdout.write(`  ${(size / 1e6).toFixed(2)} MB  ${part}\n`)
  expect(bytes).toBeLessThan(35e6)
})

/** Names of the packages in the archive. */
const shippedPackages = (): string[] =>
  names(/^node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/).map((name) => name.split('/').slice(1, -1).join('/'))

/** What a package needs, itself included, as npm installed it on this machine. @param from a path in the lock file, '' for the program */
function neededBy(name: string, from = '', found = new Set<string>()): Set<string> {
  const above = from === '' ? '' : from.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '')
  const at = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  const known = LOCK[at]
  if (known === undefined) return from === '' ? found : neededBy(name, above, found)
  if (found.has(at) || !existsSync(path.join(ROOT, at))) return found
  found.add(at)
  for (const one of Object.keys({ ...known.dependencies, ...known.optionalDependencies })) neededBy(one, at, found)
  return found
}
interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
const LOCK = (
  JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
).packages
/** Declarations, what addons are built with, and what counts installations. */
const NOT_RUN = /node_modules\/(?:@types\/|@scarf\/|node-addon-api$)/

built('beside the bundle the packages that are not in it, with all that they need, and no others', () => {
  const needed = new Set(APART.flatMap((name) => [...neededBy(name)]).filter((at) => !NOT_RUN.test(at)))
  const atTop = [...needed].map((at) => at.split('node_modules/').at(-1) as string)
  expect(shippedPackages().toSorted()).toEqual([...new Set(atTop)].toSorted())
})

built('each thread of the program lies where the bundle looks for it', () => {
  const address = /new URL\("(\.[^"]+)", new URL\("([^"]+)", new URL\("([^"]+)", import\.meta\.url\)\)\)/g
  const threads = names(/^dist\/app\/.*\.js$/).flatMap((name) => {
    const file = path.join(opened, name)
    return Array.from(readFileSync(file, 'utf8').matchAll(address), ([, beside, module, up]) =>
      path.relative(
        opened,
        path.join(path.dirname(file), up as string, path.dirname(module as string), beside as string),
      ),
    )
  })
  expect(threads.filter((name) => name.endsWith('.worker.js')).length).toBeGreaterThan(10)
  expect(threads).toContain('dist/app/server/app/units.js')
  expect(threads.filter((name) => !existsSync(path.join(opened, name)))).toEqual([])
  expect(names(/^dist\/app\/server\/platform\/pdf\/fonts\/DejaVuSans\.ttf$/)).toHaveLength(1)
})

built('no sources, tests, maps or declarations, and no dependency of the build', () => {
  expect(names(/\.(ts|tsx|mts|cts|map|cc|c|h)$/)).toEqual([])
  expect(names(/^(test|build|server|main|shared|renderer)\//)).toEqual([])
  expect(names(/\.test\.js$/)).toEqual([])
  expect(
    names(/^node_modules\/(electron|electron-builder|vite|vitest|typescript|react|react-dom|playwright-core|node)\//),
  ).toEqual([])
})

built(
  'the licences of dependencies ship with them, and the notices of all of them with the program and the pages',
  () => {
    const program = readFileSync(path.join(opened, 'dist/app/THIRD-PARTY-NOTICES.txt'), 'utf8')
    const pages = readFileSync(path.join(opened, 'dist/renderer/third-party-notices.txt'), 'utf8')
    const shipped = shippedPackages()
    expect(shipped.length).toBeGreaterThan(40)
    // Those that are in the bundle too.
    for (const name of [...shipped, 'kysely', 'koa', 'zod', '@aws-sdk/client-s3'])
      expect([name, program.includes(`\n${name} `)]).toEqual([name, true])
    expect(program).toContain('Source: https://github.com/Vanilagy/mediabunny')
    expect(pages).toContain('\nreact ')
    expect(pages).toContain('SIL OPEN FONT LICENSE')
    // Some dependencies carry their licence as Markdown.
    const markdown = readdirSync(path.join(ROOT, 'node_modules/luxon')).filter((name) => /^LICENSE\.md$/.test(name))
    expect(names(/^node_modules\/luxon\/LICENSE\.md$/)).toHaveLength(markdown.length)
    expect(names(/\/LICEN[CS]E[^/]*\.md$/i).length).toBeGreaterThan(0)
    expect(names(/\/README\.md$/i)).toEqual([])
  },
)

built(
  'addons of this platform alone, and perl’s library, lie beside the archive, where the system can open them',
  () => {
    const beside = files.filter((file) => file.unpacked).map((file) => file.path)
    const addons = names(/\.node$/)
    expect(addons.map((name) => path.basename(name)).toSorted()).toEqual([
      'argon2.linux-x64-gnu.node',
      'linux-x64.node',
    ])
    expect(beside).toEqual(expect.arrayContaining(addons))
    expect(beside).toContain('node_modules/exiftool-vendored.pl/bin/exiftool')
    for (const name of beside)
      expect([name, existsSync(path.join(unpacked, 'resources/app.asar.unpacked', name))]).toEqual([name, true])
  },
)

built('its server starts from it, and answers /readyz', async () => {
  const entry = path.join(opened, 'dist/app/server/bin/sallyport.js')
  const args = [entry, 'serve', '--data', path.join(folder.dir, 'station'), '--port', '0']
  const child = spawn(NODE, args, { cwd: folder.dir, env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise((done) => child.once('exit', done))
  try {
    const address = (): string | undefined => /^listening (\S+)$/m.exec(said)?.[1]
    await expect.poll(() => address() ?? (child.exitCode === null ? null : said), { timeout: 40_000 }).not.toBeNull()
    const url = address()
    if (url === undefined) throw new Error(`The packed server did not start:\n${said}`)
    const reply = await fetch(`${url}/readyz`)
    const { Status, Checks } = (await reply.json()) as { Status: string; Checks: Record<string, { Message: string }> }
    expect([reply.status, Status]).toEqual([200, 'ready'])
    // The exiftool that came along is found and runs.
    expect(Checks['media']?.Message).not.toContain('exiftool')
    const page = await fetch(`${url}/`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<script type="module"')
    expect((await fetch(`${url}/docs/swagger-ui-bundle.js`)).status).toBe(200)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
})

built('the packed program opens its window', async () => {
  const shell = await startShell({ userData: path.join(folder.dir, 'user'), app: opened })
  try {
    const page = await shell.page()
    expect(await readyz(await shell.url())).toBe('ready')
    expect(await page.title()).toContain('Sallyport')
    expect((await shell.state()).tray?.picture).toBe(path.join(opened, 'dist/app/icons/tray.png'))
  } finally {
    await shell.end()
  }
})

built('what the updater asks, and the words of the languages that are there', () => {
  expect(statSync(path.join(unpacked, 'resources/app-update.yml')).size).toBeGreaterThan(0)
  expect(readdirSync(path.join(unpacked, 'locales')).toSorted()).toEqual(['en-US.pak', 'fr.pak'])
})

const reason = installedRuntime({}) === null ? 'the runtime cannot be had here, the packed one is made up' : ''
test.skipIf(!linux || reason !== '')(
  `the fuses of the packed runtime are as they must be${reason && ` (skipped: ${reason})`}`,
  async () => {
    const file = runtimeFile('linux', unpacked)
    expect(isTrueRuntime(file)).toBe(true)
    expect(await wrongFuses(file)).toEqual([])
  },
)
