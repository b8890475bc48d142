/** B9: the nodes of a headquarters are upgraded one after the other to a program with another schema, while they work. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestSchema } from '../../server/kernel/database/migrate.ts'
import { lostThroughHttp, told } from '../crash/judge.ts'
import { pause } from '../crash/world.ts'
import { bundleChanged } from '../support/bundle.ts'
import { type Integrator, openJournal, Refused } from '../support/integrator.ts'
import { STARTING } from '../support/s3-server.ts'
import { type ClusterTraffic, startClusterTraffic } from './cluster-traffic.ts'
import { type Headquarters, type Node, startHeadquarters } from './headquarters.ts'

const NEXT = newestSchema() + 1

let headquarters: Headquarters
const AFTER_THE_STEPS = '\n/** The schema version of this program. */'
/** A program whose schema has a column more in two covered tables, and a table more. The one before it can work with that. */
let next: string
/** The same step, and nothing says that the program before it can work with it. */
let apart: string
beforeAll(async () => {
  headquarters = await startHeadquarters({ nodes: 2 })
  const { folder } = headquarters
  const program = async (name: string, step: string): Promise<string> => {
    const place = path.join(folder, name)
    mkdirSync(place)
    return bundleChanged(place, [
      {
        file: 'server/kernel/database/migrate.ts',
        // Behind the last step, whichever that is.
        from: `\n]\n${AFTER_THE_STEPS}`,
        to: `\n  { version: ${NEXT}, name: 'of the next program', sql: ${JSON.stringify(SQL)}${step} },\n]\n${AFTER_THE_STEPS}`,
      },
      {
        file: 'server/kernel/database/row-coverage.ts',
        from: "  padding: 'free room",
        to: "  later: 'of the next program',\n  padding: 'free room",
      },
    ])
  }
  next = await program('next', `, oldestProgram: ${newestSchema()}`)
  apart = await program('apart', '')
}, STARTING + 240_000)
afterAll(() => headquarters?.close())

const SQL = `
ALTER TABLE evidence ADD COLUMN later TEXT;
ALTER TABLE cases ADD COLUMN later INTEGER NOT NULL DEFAULT 7;
CREATE TABLE later (later_id INTEGER PRIMARY KEY, value TEXT NOT NULL) STRICT;
`

const versions = () => headquarters.query('SELECT name, schema_version::int AS schema FROM nodes ORDER BY name')

describe('B9: an upgrade, node by node, under traffic', () => {
  it('a program that leaves no room for the one before it waits until all nodes are stopped', async () => {
    const third = await headquarters.furtherNode('node-3')
    await expect(third.start(apart)).rejects.toThrow(/these nodes do not understand: node-1, node-2\. Stop them first/)
    expect(await headquarters.query(`SELECT 1 AS n FROM schema_version WHERE version = ${NEXT}`)).toEqual([])
  })

  it('no request fails but those that are tried again, nothing is lost, and the rows are covered', {
    timeout: 400_000,
  }, async () => {
    const { folder, nodes } = headquarters
    const [first, second] = nodes as readonly [Node, Node]
    const picture = path.join(folder, 'picture.png')
    execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=320x240', '-frames:v', '1', picture])
    const journal = openJournal(path.join(folder, 'journal'))
    const traffic = startClusterTraffic(await headquarters.integrator(), journal, 4, readFileSync(picture))
    const persistent = startPersistent(await headquarters.integrator())
    await goesOn(traffic)
    const beneath = await changedBeneath(await headquarters.integrator())

    await first.stop()
    await first.start(next)
    expect(await versions()).toEqual([
      { name: 'node-1', schema: NEXT },
      { name: 'node-2', schema: NEXT - 1 },
    ])
    await goesOn(traffic)
    // The older program works beside it, and starts beside it too.
    const older = await headquarters.integrator(second.station?.url)
    await older.createEvidence({ Name: 'by the older program' }, randomUUID())
    await second.kill()
    await goesOn(traffic)
    await second.start()
    await (await headquarters.integrator(second.station?.url)).createEvidence({ Name: 'and again' }, randomUUID())
    // What it does not know it cannot verify.
    expect((await headquarters.verify(second)).join()).toContain(
      `is of version ${NEXT}; this program knows ${NEXT - 1}`,
    )

    await second.stop()
    await second.start(next)
    await goesOn(traffic)
    const { made, tries } = await persistent.end()
    await traffic.end()
    expect(traffic.surprises).toEqual([])
    const acknowledged = journal.entries()
    journal.close()
    const integrator = await headquarters.integrator()
    const faults = await lostThroughHttp(integrator, acknowledged)
    expect(faults, told(faults)).toEqual([])
    // The row that was changed before the upgrade was not stated as it is.
    const { problems } = JSON.parse(await headquarters.command(['verify', '--json'], undefined, 1))
    expect(problems).toEqual([expect.objectContaining({ what: `evidence ${beneath}` })])
    expect((await versions()).map(({ schema }) => schema)).toEqual([NEXT, NEXT])
    // Each call that was tried again was done once.
    const found = await headquarters.query(
      `SELECT name, count(*)::int AS n FROM evidence WHERE name LIKE 'persistent %' GROUP BY name`,
    )
    expect(found.map(({ n }) => n)).toEqual(made.map(() => 1))
    expect(found.map(({ name }) => name).sort()).toEqual(made.toSorted())
    // Every row of the tables with a new column was stated with it, or written since.
    const stated = await headquarters.query(
      `SELECT convert_from(body, 'UTF8')::json -> 'detail' ->> 'table' AS "table" FROM ledger WHERE object_type = 'rows' AND object_id = 'part'
       AND seq > (SELECT max(seq) FROM ledger WHERE object_type = 'rows' AND object_id = 'all' AND seq < (SELECT max(seq) FROM ledger WHERE object_type = 'rows' AND object_id = 'all'))`,
    )
    expect(new Set(stated.map(({ table }) => table))).toEqual(new Set(['evidence']))
    console.info(
      `B9: ${traffic.done()} operations, ${traffic.brokenOff()} broken off; ${made.length} calls that are tried again needed ${tries} tries`,
    )
  })
})

/** A row that somebody changes in the database, past the program and its triggers. @returns its id */
async function changedBeneath(integrator: Integrator): Promise<string> {
  const { value } = await integrator.createEvidence({ Name: 'beneath' }, randomUUID())
  await headquarters.query(
    `SET session_replication_role = replica; UPDATE evidence SET description = 'It was somebody else' WHERE evidence_id = ${value.EvidenceId}`,
  )
  return value.EvidenceId
}

async function goesOn(traffic: ClusterTraffic): Promise<void> {
  const before = traffic.done()
  for (const until = Date.now() + 60_000; Date.now() < until && traffic.done() < before + 8; ) await pause(20)
  expect(traffic.done()).toBeGreaterThanOrEqual(before + 8)
}

/** Most tries of one call, with a pause of a fifth of a second between two. */
const MOST_TRIES = 50

/** A client that tries each call again with its Idempotency-Key until it is answered, as our own uploaders do. */
function startPersistent(integrator: Integrator): { end(): Promise<{ made: string[]; tries: number }> } {
  let ending = false
  let tries = 0
  const made: string[] = []
  const one = async (name: string): Promise<void> => {
    const key = randomUUID()
    for (let left = MOST_TRIES; ; left--) {
      tries++
      try {
        await integrator.createEvidence({ Name: name }, key)
        return
      } catch (error) {
        if (left === 0 || (error instanceof Refused && ![409, 502, 503, 504].includes(error.status))) throw error
        await pause(200)
      }
    }
  }
  const running = (async () => {
    for (let at = 0; !ending; at++) {
      await one(`persistent ${at}`)
      made.push(`persistent ${at}`)
      await pause(50)
    }
  })()
  return {
    end: async () => {
      ending = true
      await running
      return { made, tries }
    },
  }
}
