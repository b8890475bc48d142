import { defineConfig } from 'vitest/config'

/** `npm run test:desktop`: the true runtime, one program at a time. */
export default defineConfig({
  test: {
    include: ['test/desktop/runtime/*.suite.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
