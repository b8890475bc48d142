/** A station whose list has what a shift brings in: docked cameras of two officers, items that people added, a call from dispatch. */
import { type Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { fresh } from './docked.ts'
import { wallStation, worn } from './dock.ts'

export type ColumnsStation = Awaited<ReturnType<typeof columnsStation>>

const HOUR = 3_600_000
const DAY = 24 * HOUR

export async function columnsStation() {
  const world = await wallStation()
  const { given } = world
  await worn(world, { 'BW-0410': 'Okafor', 'BW-0388': 'Lindqvist' })
  // They had the cameras before the station was there.
  await given.meddle((db) => {
    const ticks = BigInt(Date.UTC(2026, 0, 1)) * 10_000n
    for (const table of ['device_activity', 'device_associations', 'device_accesses'])
      db.prepare(`UPDATE ${table} SET from_ticks = ?`).run(ticks)
  })
  const dock = async (serial: string, start: number, recordings: readonly number[]): Promise<void> => {
    const bay = fresh('bay')
    const camera = world.camera(bay, { serial, start, recordings, behind: 72_000, bytes: 40_000 })
    camera.plugIn()
    await world.reached(bay, 'released')
    camera.pull()
  }
  // In summer time and in one shift each: 14:10 and 22:30 in Berlin, days apart from now.
  const noon = Math.floor((Date.now() - 2 * DAY) / DAY) * DAY + 13 * HOUR + 10 * 60_000
  await dock('BW-0410', noon, [1, 2, 1])
  await dock('BW-0388', noon + 25 * 60_000, [1, 1])
  await dock('BW-0410', noon + 9 * HOUR, [1, 1])
  const policies = ['ManageConfiguration', 'CreateCases', 'ProtectFromDeletion', 'AccessUnassociatedFiles:Manage']
  const token = await signIn(await given.integration('desk', policies), given.url)
  const send = (method: string, address: string, body?: unknown, status = 200): Promise<Json> =>
    given.expecting(status, given.call(method, address, { token, ...(body === undefined ? {} : { body }) }))
  const category = async (Name: string): Promise<string> =>
    (await send('POST', '/api/v1/category/station', { Name, RetentionDays: 365 }, 201)).CategoryId
  const [theft, traffic] = [await category('Theft'), await category('Traffic accident')]
  const items: Json[] = (await send('GET', `${given.documents}/evidence?sort=recorded&direction=asc&count=100`)).Items
  const patch = async ({ EvidenceId, ConcurrencyId }: Json, body: Json): Promise<void> => {
    await send('PATCH', `${given.documents}/evidence/${EvidenceId}`, { ...body, ConcurrencyId })
  }
  await patch(items[0], { LocationText: 'Quay Road, Harrow', CategoryId: theft, Tags: ['Night'] })
  await patch(items[1], { LocationText: 'Tanner’s Row 12, Harrow', CategoryId: theft })
  await patch(items[2], { CategoryId: traffic })
  await patch(items[3], { Name: 'Arrest at the quay' })
  const { CaseId } = await send(
    'POST',
    '/api/v1/case/station',
    { Title: 'Burglary in progress', LocationText: 'Ferry Street 4, Harrow', EvidenceIds: [items[4].EvidenceId] },
    201,
  )
  await given.meddle((db) => db.prepare("UPDATE cases SET source_type = 'Cad' WHERE case_id = ?").run(Number(CaseId)))
  await given.meddle((db) =>
    db
      .prepare(
        "INSERT INTO case_policies (case_id, principal_id, level) SELECT ?, principal_id, 'Manage' FROM principals WHERE kind = 'group' AND built_in = 1",
      )
      .run(Number(CaseId)),
  )
  const note = `${given.documents}/evidence/${items[0].EvidenceId}/note`
  await send('POST', note, { Text: 'A witness called.' }, 201)
  await send('POST', `${given.documents}/evidence/${items[1].EvidenceId}/protect`, { Reason: 'Appeal' })
  return { ...world, send, items, theft, traffic, caseId: CaseId as string }
}
