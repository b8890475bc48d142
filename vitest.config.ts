import { defineConfig } from 'vitest/config'

/** Stations that are killed, disks that fail: one file has the machine to itself. */
const HEAVY = ['test/crash/**/*.test.ts']

const common = {
  pool: 'forks',
  testTimeout: 60_000,
  hookTimeout: 60_000,
  teardownTimeout: 20_000,
} as const

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'suites',
          include: ['{shared,server,test}/**/*.test.ts'],
          exclude: HEAVY,
          // Stations are real processes with real disks: two cores carry two files at a time.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...common, name: 'heavy', include: HEAVY, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
})
