/** A station that is killed while it adds or removes sample data goes on with it at its next start (promise D1). */
// @module-tag merge
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { callControl } from '../../../server/platform/control/control.ts'
import { openTestRows } from '../../support/rows.ts'
import { isOnPostgres } from '../../support/postgres-given.ts'
import { type Station, startStation, temporaryFolder } from '../../support/station.ts'
import type { Json } from '../../support/given.ts'
import { SAMPLE } from './world.ts'

const KILLS = 3
const PERSON = { username: 'sergeant', password: 'a long enough pass phrase' }

let station: Station | null = null
let dispose: (() => Promise<void>) | null = null
afterEach(async () => {
  await station?.kill()
  await dispose?.()
})

async function begin(data: string): Promise<(method: string, place?: string, body?: unknown) => Promise<Json>> {
  station = await startStation({ data, env: { SALLYPORT_MIN_FREE_BYTES: '0', SALLYPORT_RESERVE_BYTES: '1048576' } })
  const { url } = station
  const sent = (method: string, place: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${url}${place}`, {
      method,
      headers: { ...headers, origin: url, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  await callControl(
    data,
    { command: 'setup', args: PERSON, user: 'tester' },
    () => {},
    AbortSignal.timeout(20_000),
  ).catch(() => {})
  const signedIn = await sent('POST', '/connect/session', {
    Username: PERSON.username,
    Password: PERSON.password,
    NoticeId: 'default',
  })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  return async (method, place = '', body) => {
    const answer = await sent(method, `${SAMPLE}${place}`, body, { cookie })
    const json: Json = await answer.json()
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(json)}`)
    return json
  }
}

it.skipIf(isOnPostgres)(
  `D1: killed in the middle of both, it has each item once, and nothing is left when it is over${isOnPostgres ? ' (skipped: it starts the program with a database in a folder)' : ''}`,
  async () => {
    const folder = await temporaryFolder('sample-killed')
    ;({ dispose } = folder)
    const data = path.join(folder.dir, 'data')
    let ask = await begin(data)
    const reached = async (is: (now: Json) => boolean): Promise<Json> => {
      for (let tries = 0; tries < 1500; tries++) {
        const now = await ask('GET')
        if (is(now)) return now
        await new Promise((resolve) => setTimeout(resolve, 40))
      }
      throw new Error(`never: ${JSON.stringify(await ask('GET'))}`)
    }
    const again = async (): Promise<void> => {
      await station?.kill()
      ask = await begin(data)
    }
    await ask('POST', '', { Language: 'en' })
    for (const done of [3, 9]) {
      await reached(({ Done }) => Done >= done)
      await again()
    }
    const whole = await reached(({ State }) => State === 'Added' || State === 'Partial')
    expect(whole).toMatchObject({ State: 'Added', Problem: null })
    expect([whole.EvidenceIds.length, whole.CaseIds.length]).toEqual([10, 2])
    expect(whole.Removal).toMatchObject({ Evidence: 10, Cases: 2, Notes: 2, Bookmarks: 1, Tasks: 1 })
    await ask('POST', '/remove')
    await reached(({ State, Done }) => State === 'None' || Done >= 4)
    await again()
    expect(await reached(({ State }) => State === 'None' || State === 'Partial')).toMatchObject({ State: 'None' })
    await station?.stop()
    station = null
    const rows = openTestRows(path.join(data, 'sallyport.db'), { readOnly: true })
    try {
      for (const [table, count] of [
        ["evidence WHERE lifecycle_state <> 'Destroyed'", 0],
        ['cases', 0],
        ['notes', 0],
        ['case_tasks', 0],
        ['certificates', 10],
        ['blobs', 0],
      ] as const)
        expect([table, rows.prepare(`SELECT count(*) FROM ${table}`).pluck().get()]).toEqual([table, count])
      // A kill between placing and committing leaves the file in quarantine, of the sample data as of any other (decision 33).
      const putAside = rows.prepare('SELECT reason, resource_id FROM quarantine').all()
      expect(putAside.length).toBeLessThanOrEqual(KILLS)
      for (const one of putAside)
        expect(one).toEqual({ reason: 'It was put into place and no record of it was committed.', resource_id: null })
    } finally {
      rows.close()
    }
  },
  300_000,
)
