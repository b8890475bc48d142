/** B4: the primary database server is killed under load, and its synchronous standby takes its place. */
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lostThroughHttp, told } from '../crash/judge.ts'
import { pause } from '../crash/world.ts'
import { openJournal } from '../support/integrator.ts'
import { scale } from '../support/scale.ts'
import { startClusterTraffic } from './cluster-traffic.ts'
import { startHeadquarters } from './headquarters.ts'

const RUNS = scale(1, 10)

describe('B4: the primary is killed under load', () => {
  it.each(Array.from({ length: RUNS }, (_, run) => run + 1))(
    'run %i: nothing that was acknowledged is lost, and the nodes go on with the standby',
    { timeout: 900_000 },
    async () => {
      const headquarters = await startHeadquarters({ nodes: 2, standby: true })
      onTestFinished(headquarters.close)
      const picture = path.join(headquarters.folder, 'picture.png')
      execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=320x240', '-frames:v', '1', picture])
      const journal = openJournal(path.join(headquarters.folder, 'journal'))
      const integrator = await headquarters.integrator()
      const traffic = startClusterTraffic(integrator, journal, 8, readFileSync(picture))
      const doneBy = async (count: number, ms: number): Promise<boolean> => {
        for (const until = Date.now() + ms; Date.now() < until; await pause(50))
          if (traffic.done() >= count) return true
        return false
      }
      expect(await doneBy(40, 120_000)).toBe(true)
      await pause(randomInt(0, 500))
      await headquarters.postgres.kill()
      const atKill = traffic.done()
      await pause(2_000)
      await headquarters.standby?.promote()
      headquarters.useStandby()
      expect(await doneBy(atKill + 40, 180_000), 'nothing was done after the failover').toBe(true)
      await traffic.end()
      expect(traffic.surprises).toEqual([])
      const acknowledged = journal.entries()
      journal.close()
      for (const { station } of headquarters.nodes)
        expect(await Promise.race([station?.ended, pause(0)])).toBeUndefined()
      expect(acknowledged.filter(({ kind }) => kind === 'complete').length).toBeGreaterThan(20)
      const faults = [...(await lostThroughHttp(integrator, acknowledged)), ...(await headquarters.verify())]
      expect(faults, told(faults)).toEqual([])
      console.info(
        `B4: ${acknowledged.length} acknowledgements kept, ${traffic.brokenOff()} operations broken off by the failover`,
      )
    },
  )
})
