import { statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import LongestFirst from './build/scripts/sequence.ts'
import { filesLeftWhole, TAGS, TIER } from './build/scripts/tiers.ts'

// Threads of a station inside a test compile themselves anew in every process, unless they find what another one compiled.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

/** What stands beside its source: no station, nothing kept from one file to the next. */
const UNITS = ['{shared,server,renderer,main}/**/*.test.ts']
/** Stations that are killed, disks that fail. */
const CRASH = ['test/crash/**/*.test.ts']
/** Of these one file has the machine to itself: disks that are full, the pace of others beside slow clients, overload and the worst requests, and what is held against a measured cost. */
const ALONE = [
  'test/crash/{d6,l5,u8}-*.test.ts',
  'test/api/http/dripping.test.ts',
  'test/api/load/load.test.ts',
  'test/api/cases/many-evidence-ids.test.ts',
  'test/custody/verify-speed.test.ts',
  'test/dock/large-card.test.ts',
]
/** Over HTTP, and about nothing that a disk does. */
const API = ['test/{api,conformance,correlation,notices}/**/*.test.ts']
/** They put something else in a module's place. */
const OWN_PROCESS = ['test/api/permissions/service-checks.test.ts']
/** What a person sees: real Chromium, one for a process, the pages built once before the first of them. */
const SCREENS = ['test/ui/**/*.test.ts']
/** The same in the desktop program, which brings its own Chromium. */
const DESKTOP = ['test/desktop/**/*.test.ts']

/** Headquarters and several nodes, killed and cut off for minutes: `npm run test:scale`, and the long counts. */
const SCALE = ['test/scale/**/*.test.ts']
const isScale =
  process.env['SALLYPORT_TEST_LONG'] === '1' || process.argv.some((argument) => argument.startsWith('test/scale'))

const LEFT = process.env[TIER] === 'quick' ? filesLeftWhole() : []

const common = {
  exclude: [...configDefaults.exclude, ...LEFT],
  pool: 'forks',
  setupFiles: './test/support/cost.ts',
  testTimeout: 60_000,
  hookTimeout: 60_000,
  teardownTimeout: 20_000,
} as const
// Stations wait for disks, jobs and scanners: with three files at a time two cores were idle for a third of the time. What shares a group leaves no core waiting for
// the last file of another.
const together = { maxWorkers: 4, sequence: { groupOrder: 0 } } as const
// What suites start as a process of its own is bundled before the first of them.
const PROGRAM = './test/support/bundle.ts'
// With SALLYPORT_TEST_DATABASE=postgres: the server on which stations have their databases.
const POSTGRES = './test/support/postgres-setup.ts'
// Stations begin with a copy of one that was set up before.
const stations = {
  env: { SALLYPORT_TEST_TEMPLATE: join(tmpdir(), `sallyport-template-${process.pid}`) },
  globalSetup: ['./test/support/template.ts', PROGRAM, POSTGRES],
  setupFiles: ['./test/support/cost.ts', './test/support/threads.ts'],
}
// Their folders lie in memory where there is room: nobody waits for a disk. Only for suites that judge no disk.
const inMemory = {
  ...stations,
  env: { ...stations.env, ...(hasRoom('/dev/shm') ? { TMPDIR: '/dev/shm' } : {}) },
} as const
// Modules come from Node itself, as in a station: they are compiled once for all processes.
const native = { experimental: { viteModuleRunner: false } } as const
const inChromium = {
  ...inMemory,
  globalSetup: ['./test/support/template.ts', PROGRAM, POSTGRES, './test/support/renderer.ts'],
  // A browser on two busy cores takes its time; what never comes is still found.
  expect: { poll: { timeout: 15_000 } },
  testTimeout: 120_000,
  // Pages wait for frames, animations and the station: with two of these processes two cores were idle for a third of the time.
  maxWorkers: 3,
  sequence: { groupOrder: 1 },
} as const

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return Math.min(bavail * bsize, freemem()) > 8 * 2 ** 30
  } catch {
    return false
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    tags: TAGS,
    projects: [
      // A process for each of these files would spend a third of their time on starting.
      { test: { ...common, ...together, name: 'units', include: UNITS, isolate: false } },
      {
        test: {
          ...common,
          ...together,
          ...native,
          ...inMemory,
          name: 'api',
          include: API,
          exclude: [...common.exclude, ...ALONE, ...OWN_PROCESS],
          isolate: false,
        },
      },
      {
        test: {
          ...common,
          ...together,
          ...native,
          ...stations,
          name: 'suites',
          include: ['test/**/*.test.ts'],
          exclude: [...common.exclude, ...API, ...CRASH, ...SCREENS, ...DESKTOP, ...ALONE, ...SCALE],
          isolate: false,
        },
      },
      { test: { ...common, ...together, ...native, ...inMemory, name: 'own process', include: OWN_PROCESS } },
      {
        test: {
          ...common,
          ...together,
          ...native,
          name: 'crash',
          globalSetup: PROGRAM,
          include: CRASH,
          exclude: [...common.exclude, ...ALONE],
        },
      },
      // The browser, its profiles, the media and the modules of a station are there for the next file.
      { test: { ...common, ...native, ...inChromium, name: 'screens', include: SCREENS, isolate: false } },
      { test: { ...common, ...native, ...inChromium, name: 'desktop', include: DESKTOP } },
      {
        test: {
          ...common,
          ...native,
          ...stations,
          name: 'scale',
          include: isScale ? SCALE : [],
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...common,
          ...native,
          ...stations,
          name: 'alone',
          include: ALONE,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
