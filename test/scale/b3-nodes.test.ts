/** B3: three nodes behind nginx under mixed traffic; one after the other is killed at random moments. */
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lostThroughHttp, told } from '../crash/judge.ts'
import { pause } from '../crash/world.ts'
import { type Acknowledged, openJournal } from '../support/integrator.ts'
import { STARTING } from '../support/s3-server.ts'
import { scale } from '../support/scale.ts'
import { startClusterTraffic } from './cluster-traffic.ts'
import { type Headquarters, startHeadquarters } from './headquarters.ts'

const KILLS = scale(10, 100)
/** A dead node's jobs are taken over within this time. */
const TAKE_OVER_MS = 60_000

let headquarters: Headquarters
beforeAll(async () => {
  headquarters = await startHeadquarters({ nodes: 3 })
}, STARTING + 240_000)
afterAll(() => headquarters?.close())

describe('B3: three nodes behind nginx', () => {
  it(`lose nothing that was acknowledged when one is killed, ${KILLS} times, and no job is lost or done twice`, {
    timeout: KILLS * 40_000 + 300_000,
  }, async () => {
    const { folder, nodes } = headquarters
    const picture = path.join(folder, 'picture.png')
    execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=320x240', '-frames:v', '1', picture])
    const journal = openJournal(path.join(folder, 'journal'))
    const traffic = startClusterTraffic(await headquarters.integrator(), journal, 8, readFileSync(picture))
    for (let kill = 0; kill < KILLS; kill++) {
      const before = traffic.done()
      for (const until = Date.now() + 20_000; Date.now() < until && traffic.done() < before + 8; ) await pause(20)
      await pause(randomInt(0, 400))
      const victim = nodes[kill % nodes.length]
      await victim?.kill()
      // The other two go on: something is done while it is away.
      const away = traffic.done()
      for (const until = Date.now() + 60_000; Date.now() < until && traffic.done() === away; ) await pause(20)
      expect(traffic.done(), `nothing was done after kill ${kill + 1}`).toBeGreaterThan(away)
      await victim?.start()
    }
    await traffic.end()
    expect(traffic.surprises).toEqual([])
    const acknowledged = journal.entries()
    journal.close()
    await jobsEnd()
    const faults = [
      ...(await lostThroughHttp(await headquarters.integrator(), acknowledged)),
      ...(await lostInLedger(acknowledged)),
      ...(await derivedTwice()),
      ...(await headquarters.verify()),
    ]
    expect(faults, told(faults)).toEqual([])
    const kinds = Map.groupBy(acknowledged, ({ kind }) => kind)
    expect(kinds.get('complete')?.length ?? 0).toBeGreaterThan(KILLS)
    console.info(
      `B3: ${KILLS} kills, ${traffic.done()} operations, ${traffic.brokenOff()} broken off; kept: ${[...kinds].map(([kind, list]) => `${kind} ${list.length}`).join(', ')}`,
    )
  })
})

/** Those of a dead node too. After many kills there are hundreds: it hangs when none ends for so long, and not when all take longer. */
async function jobsEnd(): Promise<void> {
  let left = ''
  let open = Number.POSITIVE_INFINITY
  for (let until = 0; ; await pause(500)) {
    const rows = await headquarters.query(
      "SELECT kind, state, count(*)::int AS n FROM jobs WHERE state IN ('queued', 'running', 'waiting') GROUP BY kind, state",
    )
    const now = rows.reduce((sum, { n }) => sum + Number(n), 0)
    if (now === 0) return
    if (now < open) until = Date.now() + TAKE_OVER_MS + 120_000
    if (Date.now() > until) break
    open = now
    left = JSON.stringify(rows)
  }
  throw new Error(`Jobs did not end: ${left}`)
}

async function lostInLedger(acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const rows = await headquarters.query("SELECT convert_from(body, 'UTF8')::json ->> 'correlationId' AS id FROM ledger")
  const noted = new Set(rows.map(({ id }) => id))
  return acknowledged.flatMap(({ kind, correlationId }) =>
    correlationId === undefined || noted.has(correlationId)
      ? []
      : [`the ledger has no entry for ${kind} ${correlationId}`],
  )
}

/** A derivation that two nodes made would stand there twice. */
async function derivedTwice(): Promise<string[]> {
  const rows = await headquarters.query(
    'SELECT parent_id, role, count(*)::int AS n FROM resources WHERE parent_id IS NOT NULL GROUP BY parent_id, role HAVING count(*) > 1',
  )
  return rows.map((row) => `derived twice: ${JSON.stringify(row)}`)
}
