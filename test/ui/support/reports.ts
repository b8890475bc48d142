/** A station with something to report: recordings, calls, evidence that becomes due and is held, a failed job, and growth of some weeks. */
import type { Json } from '../../support/given.ts'
import { CASES } from '../../api/cad/world.ts'
import { todayStation, type TodayStation } from './today.ts'

export interface ReportsStation extends TodayStation {
  /** Has evidence, and is protected. */
  readonly heldCase: string
  /** With a picture. */
  readonly evidenceId: string
}

const DAY = 86_400_000

export async function reportsStation(): Promise<ReportsStation> {
  const station = await todayStation()
  const { given, chief, as } = station
  const categories: readonly (readonly [string, number])[] = [
    ['Patrol', 5],
    ['Shoplifting', 9],
    ['Неисправность', 9],
  ]
  let first = ''
  for (const [Name, RetentionDays] of categories) {
    const { CategoryId } = await given.expecting(
      201,
      as(chief, 'POST', '/api/v1/category/station', { Name, RetentionDays }),
    )
    for (let count = 0; count < RetentionDays; count++) {
      const made: Json = await given.expecting(
        201,
        as(chief, 'POST', `${given.documents}/evidence`, { Name: `${Name} ${count + 1}`, CategoryId }),
      )
      if (first === '') first = made.EvidenceId
    }
  }
  await given.expecting(
    200,
    as(chief, 'POST', `${given.documents}/evidence/${first}/protect`, { Reason: 'Appeal is open' }),
  )
  await given.expecting(
    204,
    as(chief, 'POST', `${CASES}/${station.caseId}/link-evidences`, {
      Evidences: Object.values(station.recordings).map((EvidenceId) => ({ EvidenceId })),
    }),
  )
  await given.expecting(
    200,
    as(chief, 'POST', `${CASES}/${station.caseId}/protect`, {
      Reason: 'Court order 4711',
      Until: new Date(Date.now() + 40 * DAY).toISOString(),
    }),
  )
  await given.meddle((db) => {
    const add = db.prepare("INSERT INTO blobs (sha256, length, read_back, created_utc) VALUES (?, ?, 'direct', ?)")
    for (let back = 80; back > 0; back--)
      add.run(
        String(back).padStart(64, '0'),
        200_000_000 + (back % 7) * 60_000_000,
        new Date(Date.now() - back * DAY).toISOString(),
      )
  })
  return { ...station, heldCase: station.caseId, evidenceId: Object.values(station.recordings)[0] as string }
}
