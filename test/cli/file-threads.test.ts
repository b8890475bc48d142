// @module-tag merge
import { expect, it } from 'vitest'
import { fileThreadsOf } from '../support/file-threads.ts'
import { startStation, temporaryFolder } from '../support/station.ts'

it.skipIf(process.platform !== 'linux')(
  'L1 a station has threads for files enough for every bay: with four it would read two cameras at a time',
  async () => {
    const folder = await temporaryFolder('threads')
    try {
      const station = await startStation({ data: folder.dir })
      expect(fileThreadsOf(station.pid)).toBe(40)
      await station.stop()
      const told = await startStation({ data: folder.dir, env: { UV_THREADPOOL_SIZE: '6' } })
      expect(fileThreadsOf(told.pid)).toBe(6)
      await told.stop()
    } finally {
      await folder.dispose()
    }
  },
)
