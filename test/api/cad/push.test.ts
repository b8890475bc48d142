import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CadWorld, CASES, cadWorld, fresh } from './world.ts'

let world: CadWorld
beforeAll(async () => {
  world = await cadWorld()
})
afterAll(() => world.given.close())

/** Minutes from when this file began: of one moment, so that lengths are exact. */
const BASE = Date.now()
const soon = (minutes: number): string => new Date(BASE + minutes * 60_000).toISOString()

describe('the thin path', () => {
  it('an event becomes a case, a recording of its officer is linked, and it is told why', async () => {
    const officer = await world.officer()
    const camera = await world.camera(officer.id, soon(0))
    const evidenceId = await world.recording(camera, soon(10), soon(20))
    const eventId = fresh('E')
    const result = await world.pushed({
      eventId,
      name: 'Burglary in progress',
      eventStartTimeUtc: soon(12),
      eventEndTimeUtc: soon(18),
      involvedResources: [{ id: officer.badge, name: 'Unit 7' }],
    })
    expect(result).toEqual({
      eventId,
      caseId: expect.any(String),
      uri: `${world.given.url}/cases/${result.caseId}`,
      applied: true,
    })
    const made = await world.eventually(
      () => world.caseOf(result.caseId),
      (one) => one.Evidences.length > 0,
    )
    expect(made).toMatchObject({
      Title: 'Burglary in progress',
      SourceType: 'Cad',
      ExternalReferenceId2: eventId,
      PersonnelRelations: [{ PrincipalId: officer.id, Role: 'Assigned' }],
      Evidences: [{ EvidenceId: evidenceId, LinkKind: 'Automatic', Confirmed: false }],
    })
    const why = await world.given.expecting(
      200,
      world.as(world.chief, 'GET', `${CASES}/${result.caseId}/evidence/${evidenceId}/correlation`),
    )
    expect(why).toMatchObject({ State: 'Linked', Rule: 'officer', OverlapSeconds: 600, Because: null })
    expect(why.Text).toContain('10 min of it lie within')
  })
})
