/** What a certificate says of the backups that its bytes may lie in. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goneBy } from '../../shared/integrity/kept-snapshots.ts'
import { isoMillis } from '../../server/platform/clock/clock.ts'
import type { HttpCall } from '../../server/http/handlers.ts'
import { DAY, HOUR, makeWorld, type World } from './world.ts'

let world: World
let one: HttpCall
let two: HttpCall
beforeAll(async () => {
  world = await makeWorld()
  one = await world.person()
  two = await world.person()
})
afterAll(() => world?.close())

/** Evidence that two people let go. @returns its id */
async function approved(): Promise<number> {
  const { id } = await world.evidence({ categoryId: await world.category(30) })
  await world.pass(31 * DAY)
  const item = (await world.itemOf(id))?.item_id as number
  await world.approve(one, item)
  await world.approve(two, item)
  return id
}

const destroyed = async (id: number) => {
  await world.pass(80 * HOUR)
  await world.pass(8 * DAY)
  const row = (await world.certificates()).find((found) => found.evidence_id === id)
  if (row === undefined) throw new Error('there is no certificate')
  return { at: Date.parse(row.created_utc), said: JSON.parse(Buffer.from(row.body).toString()) }
}

/** A snapshot was made into this folder; with hours, more are made there by themselves. */
const snapshot = (folder: string, everyHours: number | null): Promise<void> =>
  world.db.transaction(async (tx) => {
    const at = world.clock.now()
    await tx
      .insertInto('backups')
      .values({
        folder,
        snapshot: '20261121T000000000Z',
        state: 'made',
        started_at: at,
        ended_at: at,
        made_by: '{}',
        entries: 1,
        blobs: 1,
        bytes: 1,
        new_blobs: 1,
        new_bytes: 1,
        problem: null,
      })
      .execute()
    if (everyHours !== null)
      await tx
        .insertInto('backup_targets')
        .values({
          folder,
          every_hours: everyHours,
          created_utc: world.now(),
          created_by: '{}',
          removed_utc: null,
          next_at: at,
        })
        .execute()
  })

describe('the certificate on backups', () => {
  it('says in English and French that the station knew of none', async () => {
    const { said } = await destroyed(await approved())
    expect([said.format, said.snapshots]).toEqual([
      2,
      {
        scheduled: 0,
        untilUtc: null,
        elsewhere: 0,
        words: {
          en: 'The station knew of no snapshot of a backup that could hold these bytes.',
          fr: 'La station ne connaissait aucun instantané de sauvegarde pouvant contenir ces octets.',
        },
      },
    ])
  })

  it('says that they may keep the bytes, and until when, by the places that are known then', async () => {
    // What was made before the evidence came holds none of it.
    await snapshot('/mnt/before', null)
    await world.pass(DAY)
    const id = await approved()
    await snapshot('/mnt/daily', 24)
    await snapshot('/mnt/weekly', 168)
    await snapshot('/mnt/by-hand', null)
    const { at, said } = await destroyed(id)
    const untilUtc = isoMillis(goneBy(at, 168))
    const { words, ...known } = said.snapshots
    expect(known).toEqual({ scheduled: 2, untilUtc, elsewhere: 1 })
    for (const part of [
      'may keep these bytes until their own time is over.',
      `gone by ${untilUtc.slice(0, 10)} (UTC)`,
      'stay until somebody removes them.',
    ])
      expect(words.en).toContain(part)
    for (const part of [
      'peuvent garder ces octets jusqu’à la fin de leur propre délai.',
      `au plus tard le ${untilUtc.slice(0, 10)} (UTC)`,
      'jusqu’à ce que quelqu’un les supprime.',
    ])
      expect(words.fr).toContain(part)
    // Nothing of it names a place of this machine.
    expect(JSON.stringify(said)).not.toContain('/mnt/')
  })
})
