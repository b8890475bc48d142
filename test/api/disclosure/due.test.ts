/** To whom a supplement is due, how long what was given is kept, and who may ask (promise C5). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { DEFENCE, DISCLOSURES, type DisclosureWorld, disclosureStation, PROSECUTOR } from './world.ts'

let world: DisclosureWorld
beforeAll(async () => {
  world = await disclosureStation()
}, 120_000)
afterAll(() => world?.given.close())

const CASES = '/api/v1/case/station'

/** What is due by recipient: reason and evidence. */
async function due(caseId: string): Promise<Record<string, string[]>> {
  const { Due } = await world.ok(200, 'GET', `${DISCLOSURES}/case/${caseId}`)
  return Object.fromEntries(
    Due.map(({ Recipient, Changes }: Json) => [
      Recipient.Role,
      Changes.map(({ Reason, EvidenceId }: Json) => `${Reason} ${EvidenceId}`),
    ]),
  )
}

async function caseWith(...titles: string[]): Promise<[string, ...string[]]> {
  const caseId = await world.newCase('Burglary')
  const ids: string[] = []
  for (const title of titles) ids.push(await world.add(title))
  await world.link(caseId, ...ids)
  return [caseId, ...ids]
}

describe('a supplement is due', () => {
  it('C5: for new evidence in the case, until it is given', async () => {
    const [caseId, one = ''] = await caseWith('One')
    await world.disclose(caseId, { EvidenceIds: [one] })
    expect(await due(caseId)).toEqual({})
    const two = await world.add('Two')
    expect(await due(caseId)).toEqual({})
    await world.link(caseId, two)
    expect(await due(caseId)).toEqual({ defence: [`new ${two}`] })
    await world.disclose(caseId, { Recipient: null, Supplements: '1', EvidenceIds: [two] })
    expect(await due(caseId)).toEqual({})
  })

  it('C5: not for the scan by which somebody acknowledged, which came into the case for that', async () => {
    const [caseId, one = ''] = await caseWith('One')
    await world.disclose(caseId, { EvidenceIds: [one] })
    await world.disclose(caseId, { Recipient: PROSECUTOR, EvidenceIds: [one] })
    const scan = await world.add('Signed receipt')
    await world.link(caseId, scan)
    expect(await due(caseId)).toEqual({ defence: [`new ${scan}`], prosecutor: [`new ${scan}`] })
    await world.ok(200, 'POST', `${DISCLOSURES}/case/${caseId}/record/1/acknowledge`, {
      By: 'A. Mercer',
      How: 'signature-scan',
      EvidenceId: scan,
    })
    expect(await due(caseId)).toEqual({})
  })

  it('C5: for a file that came into evidence that was given', async () => {
    const [caseId, one = ''] = await caseWith('One')
    await world.disclose(caseId, { EvidenceIds: [one] })
    await world.given.completed(Buffer.from('late'), { name: 'late.txt', evidenceId: one })
    const { Due } = await world.ok(200, 'GET', `${DISCLOSURES}/case/${caseId}`)
    expect(Due[0].Changes).toMatchObject([
      { Reason: 'new', EvidenceId: one, ResourceId: expect.stringMatching(/^\d+$/) },
    ])
  })

  it('C5: not for evidence that was there and was left out, nor for a thumbnail', async () => {
    const [caseId, one = '', two = ''] = await caseWith('One', 'Two')
    await world.disclose(caseId, { EvidenceIds: [one] })
    expect(await due(caseId)).toEqual({})
    expect(two).not.toBe('')
  })

  it('C5: for a file whose times or bytes are others now', async () => {
    const [caseId, one = ''] = await caseWith('One')
    const { Items } = await world.disclose(caseId, { EvidenceIds: [one] })
    const id = Number(Items[0].ResourceId)
    // As a change of the row leaves it: another version, with what that version said.
    await world.given.meddle((db) =>
      db
        .prepare("UPDATE resources SET start_utc = '2026-11-20T08:00:00Z', concurrency_id = 'x' WHERE resource_id = ?")
        .run(id),
    )
    expect(await due(caseId)).toEqual({ defence: [`changed ${one}`] })
    await world.given.meddle((db) =>
      db.prepare("UPDATE resources SET start_utc = NULL, thumbnail_derivation = 'x' WHERE resource_id = ?").run(id),
    )
    expect(await due(caseId)).toEqual({})
  })

  it('C5: where a restriction was set since, and where the ground of a withheld one fell away', async () => {
    const [caseId, one = '', two = ''] = await caseWith('One', 'Two')
    await world.restrict(two)
    await world.disclose(caseId, { EvidenceIds: [one] })
    await world.disclose(caseId, { Recipient: PROSECUTOR, EvidenceIds: [one] })
    expect(await due(caseId)).toEqual({})
    await world.restrict(one, 'privileged')
    expect(await due(caseId)).toEqual({ defence: [`restricted ${one}`], prosecutor: [`restricted ${one}`] })
    await world.lift(one, 'privileged')
    await world.lift(two)
    expect(await due(caseId)).toEqual({ defence: [`ground-fell ${two}`], prosecutor: [`ground-fell ${two}`] })
    await world.disclose(caseId, { EvidenceIds: [two] })
    expect(await due(caseId)).toEqual({ prosecutor: [`ground-fell ${two}`] })
  })

  it('C5: where somebody recorded that a ground of its own no longer applies, once, and until it is given', async () => {
    const [caseId, one = '', two = ''] = await caseWith('One', 'Two')
    const line = { EvidenceId: two, Description: 'The way there', Ground: 'Not relevant', Basis: 'MG6C' }
    await world.disclose(caseId, { EvidenceIds: [one], Withheld: [line] })
    expect(await due(caseId)).toEqual({})
    const end = (EvidenceId: string, no = 1) =>
      world.call('POST', `${DISCLOSURES}/case/${caseId}/record/${no}/end-ground`, { EvidenceId, Reason: 'An alibi' })
    expect((await end(one)).status).toBe(400)
    const { status, json } = await end(two)
    expect([status, json.Withheld[0].Ended]).toMatchObject([200, { Reason: 'An alibi' }])
    expect(await due(caseId)).toEqual({ defence: [`ground-fell ${two}`] })
    expect((await end(two)).json.ErrorCode).toBe('DisclosureGroundEnded')
    await world.disclose(caseId, { Withheld: [{ ...line, Ground: 'Another ground' }] })
    expect(await due(caseId)).toEqual({})
    expect((await end(two, 2)).status).toBe(200)
    await world.disclose(caseId, { EvidenceIds: [two] })
    expect(await due(caseId)).toEqual({})
  })

  it('C5: of one file alone, and not of what is restricted: that is lifted', async () => {
    const caseId = await world.newCase('Burglary')
    const one = await world.add('One', ['a.txt', 'b.txt'])
    const secret = await world.add('Secret')
    await world.link(caseId, one, secret)
    await world.restrict(secret)
    const [a, b] = world.given.database((db) =>
      db
        .prepare('SELECT CAST(resource_id AS TEXT) FROM resources WHERE evidence_id = ? ORDER BY resource_id')
        .pluck()
        .all(Number(one)),
    ) as string[]
    const line = { EvidenceId: one, ResourceId: b, Description: 'B', Ground: 'Not relevant', Basis: 'MG6C' }
    const { Withheld } = await world.disclose(caseId, { Recipient: PROSECUTOR, Withheld: [line] })
    expect(Withheld).toHaveLength(2)
    const end = (body: Json) =>
      world.call('POST', `${DISCLOSURES}/case/${caseId}/record/1/end-ground`, { Reason: 'An alibi', ...body })
    expect((await end({ EvidenceId: secret })).status).toBe(400)
    expect((await end({ EvidenceId: one, ResourceId: a })).status).toBe(400)
    expect((await end({ EvidenceId: secret, ResourceId: b })).status).toBe(400)
    expect((await end({ EvidenceId: one, ResourceId: b })).status).toBe(200)
    const { Due } = await world.ok(200, 'GET', `${DISCLOSURES}/case/${caseId}`)
    expect(Due[0].Changes).toContainEqual({ Reason: 'ground-fell', EvidenceId: one, ResourceId: b })
  })

  it('C5: of new restricted evidence to those alone who are told of it', async () => {
    const [caseId, one = ''] = await caseWith('One')
    await world.disclose(caseId, { EvidenceIds: [one] })
    await world.disclose(caseId, { Recipient: PROSECUTOR, EvidenceIds: [one] })
    const secret = await world.add('Secret')
    await world.link(caseId, secret)
    await world.restrict(secret)
    expect(await due(caseId)).toEqual({ prosecutor: [`new ${secret}`] })
  })

  it('C5: of a record that was replaced by what the other one says', async () => {
    const [caseId, one = '', two = ''] = await caseWith('One', 'Two')
    await world.disclose(caseId, { EvidenceIds: [one, two] })
    await world.restrict(two)
    expect(await due(caseId)).toEqual({ defence: [`restricted ${two}`] })
    const body = {
      Authority: 'x',
      Medium: 'handover',
      EvidenceIds: [one],
      Reason: 'The second one was not on the disc',
    }
    await world.ok(201, 'POST', `${DISCLOSURES}/case/${caseId}/record/1/supersede`, body)
    expect(await due(caseId)).toEqual({})
  })
})

describe('what is due at the station', () => {
  it('is listed by the day by which it was asked for, of the cases that the caller may edit', async () => {
    const given: string[] = []
    for (const Due of ['2027-03-01', '2027-01-01', null]) {
      const [caseId, one = ''] = await caseWith('One')
      await world.disclose(caseId, { EvidenceIds: [one], Request: { Number: 'R', Due } })
      await world.link(caseId, await world.add('Two'))
      given.push(caseId)
    }
    const list = async (token = world.token): Promise<string[]> => {
      const { json } = await world.call('GET', `${DISCLOSURES}/due`, undefined, token)
      return json.Items.map(({ CaseId }: Json) => CaseId).filter((id: string) => given.includes(id))
    }
    expect(await list()).toEqual([given[1], given[0], given[2]])
    const nobody = await signIn(await world.given.integration('nobody', []), world.given.url)
    expect(await list(nobody)).toEqual([])
  })
})

describe('rights', () => {
  it('S19: a disclosure needs Edit on the case, and Download on every item', async () => {
    const [caseId, one = ''] = await caseWith('One')
    const connection = await world.given.integration('sharer', [])
    const token = await signIn(connection, world.given.url)
    const share = (Permissions: string): Promise<Json> =>
      world.ok(200, 'POST', `${CASES}/${caseId}/share`, {
        AccessPolicies: [
          {
            Permissions,
            PrincipalId: connection.ServicePrincipalId,
            KId: `urn:service:station:sharer:${connection.ServicePrincipalId}`,
            PrincipalType: 'service',
          },
        ],
      })
    const body = { Recipient: DEFENCE, Authority: 'x', Medium: 'handover', EvidenceIds: [one] }
    const asked = async (method: string, rest = '', sent?: Json): Promise<number> =>
      (await world.call(method, `${DISCLOSURES}/case/${caseId}${rest}`, sent, token)).status
    await world.disclose(caseId, { EvidenceIds: [one] })
    for (const level of ['View', 'Download']) {
      await share(level)
      expect(await asked('POST', '', body)).toBe(403)
      expect(await asked('GET')).toBe(403)
      expect(await asked('GET', '/record/1')).toBe(403)
      expect(await asked('GET', '/record/1/schedule')).toBe(403)
      expect(await asked('GET', '/record/1/receipt')).toBe(403)
      expect(await asked('POST', '/record/1/supersede', { ...body, Reason: 'x' })).toBe(403)
      expect(await asked('POST', '/record/1/acknowledge', { By: 'x', How: 'in-person', Witnesses: ['a', 'b'] })).toBe(
        403,
      )
    }
    await share('Edit')
    expect(await asked('POST', '', body)).toBe(201)
    // What the station linked by itself and nobody confirmed gives View alone.
    await world.given.meddle((db) =>
      db
        .prepare("UPDATE case_links SET kind = 'Automatic', confirmed = 0, rule = 'x' WHERE evidence_id = ?")
        .run(Number(one)),
    )
    expect(await asked('POST', '', body)).toBe(403)
    // What is named as withheld needs View, which that gives.
    const Withheld = [{ EvidenceId: one, Description: 'x', Ground: 'x', Basis: 'MG6C' }]
    expect(await asked('POST', '', { ...body, EvidenceIds: [], Withheld })).toBe(201)
  })
})

describe('what was disclosed is kept', () => {
  it('until its case closes, also when it is in that case no more', async () => {
    const [caseId, one = ''] = await caseWith('One')
    const place = `${world.given.documents}/evidence/${one}`
    await world.disclose(caseId, { EvidenceIds: [one] })
    const refused = await world.call('DELETE', place)
    expect([refused.status, refused.json.ErrorCode]).toEqual([409, 'EvidenceDisclosed'])
    await world.ok(204, 'POST', `${CASES}/${caseId}/link-evidences`, {
      Evidences: [{ EvidenceId: one, Action: 'Remove' }],
    })
    expect((await world.call('DELETE', place)).json.ErrorCode).toBe('EvidenceDisclosed')
    // Nor with the files of another case.
    const other = await world.newCase('Another')
    await world.link(other, one)
    await world.ok(200, 'POST', `${CASES}/${other}/close`)
    const whole = await world.call('DELETE', `${CASES}/${other}?withFiles=true`)
    expect([whole.status, whole.json.ErrorCode]).toEqual([400, 'EvidenceDisclosed'])
    await world.ok(200, 'POST', `${CASES}/${caseId}/close`)
    await world.ok(200, 'DELETE', place)
  })
})
