/** Records of what was given to whom: their numbers, what is refused, and that nothing of them is changed later (promise C5). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { DEFENCE, DISCLOSURES, type DisclosureWorld, disclosureStation, PROSECUTOR } from './world.ts'

let world: DisclosureWorld
beforeAll(async () => {
  world = await disclosureStation()
}, 120_000)
afterAll(() => world?.given.close())

const AUTHORITY = { Authority: 'CPIA 1996, s. 3', Medium: 'handover' }
const place = (caseId: string, rest = ''): string => `${DISCLOSURES}/case/${caseId}${rest}`
const withheld = (EvidenceId: string, more: Json = {}): Json => ({
  EvidenceId,
  Description: 'Statement of a neighbour about the noise',
  Ground: 'not relevant',
  Basis: 'MG6C',
  ...more,
})
const idOf = ({ packageId }: { readonly packageId: string }): string => packageId.split('/').at(-1) as string

/** A new case with so many evidences. */
async function caseWith(count: number, title = 'Burglary'): Promise<{ caseId: string; ids: string[] }> {
  const caseId = await world.newCase(title)
  const ids: string[] = []
  for (let at = 0; at < count; at++) ids.push(await world.add(`${title} ${at + 1}`))
  if (ids.length > 0) await world.link(caseId, ...ids)
  return { caseId, ids }
}

it('C5: records a package that was made, with the hash of its signed list and every file in it', async () => {
  const [one, two] = [await world.add('Front desk'), await world.add('Yard', ['a.txt', 'b.txt'])]
  const caseId = await world.newCase('Burglary')
  await world.link(caseId, one, two)
  const made = await world.make(caseId, { variant: 'defence' })
  const before = world.given.ledger().at(-1)?.seq ?? 0
  const record = await world.disclose(caseId, {
    PackageId: idOf(made),
    Medium: 'usb',
    MediumSerial: 'SN-0042',
    Request: { Number: 'R-7', Date: '2026-11-01', Due: '2026-12-01' },
  })
  expect(record).toMatchObject({
    No: 1,
    Chain: 1,
    Supersedes: null,
    Recipient: DEFENCE,
    Package: { Sha256: made.signedSha256, Bytes: made.bytes },
    Request: { Number: 'R-7', Date: '2026-11-01', Due: '2026-12-01' },
    Medium: 'usb',
    MediumSerial: 'SN-0042',
    Acknowledged: null,
  })
  expect(record.Items.map((item: Json) => [item.Number, item.EvidenceId, item.Kind])).toEqual([
    [1, one, 'original'],
    [2, two, 'original'],
    [3, two, 'original'],
  ])
  const entries = world.given.ledger(before)
  expect(
    entries
      .filter(({ action }) => action === 'disclosure.given')
      .map(({ sha256, detail }) => [sha256, detail?.['evidence']]),
  ).toEqual([[made.signedSha256, [one, two]]])
  expect(
    entries
      .filter(({ action }) => action === 'resource.disclosed')
      .map(({ object, detail }) => [object.id, detail?.['number']]),
  ).toEqual(record.Items.map((item: Json) => [item.ResourceId, item.Number]))
})

it('C5: two people who disclose at the same moment both get their own number, and none is skipped', async () => {
  const { caseId, ids } = await caseWith(2)
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      world.disclose(caseId, { Recipient: { ...DEFENCE, Name: `Counsel ${at}` }, EvidenceIds: [ids[at % 2]] }),
    ),
  )
  expect(all.map(({ No }) => No).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(new Set(all.map(({ Items }) => Items[0].Number))).toEqual(new Set([1, 2]))
})

it('C5: each schedule has a series of its own, and an item keeps its number in every supplement', async () => {
  const { caseId, ids } = await caseWith(5)
  const [a = '', b = '', c = '', d = '', e = ''] = ids
  const sensitive = { Basis: 'MG6D', Reasons: 'names an informant' }
  const first = await world.disclose(caseId, { EvidenceIds: [b], Withheld: [withheld(c, sensitive), withheld(d)] })
  expect([first.Items[0].Number, ...first.Withheld.map((one: Json) => [one.Basis, one.Number])]).toEqual([
    1,
    ['MG6C', 1],
    ['MG6D', 1],
  ])
  const second = await world.disclose(caseId, {
    Recipient: PROSECUTOR,
    EvidenceIds: [a, b],
    Withheld: [withheld(e), withheld(d, sensitive), withheld(c, sensitive)],
  })
  expect(second.Items.map((item: Json) => [item.EvidenceId, item.Number])).toEqual([
    [b, 1],
    [a, 2],
  ])
  expect(second.Withheld.map((one: Json) => [one.EvidenceId, one.Basis, one.Number])).toEqual([
    [e, 'MG6C', 2],
    [c, 'MG6D', 1],
    [d, 'MG6D', 2],
  ])
  expect([second.No, second.Chain]).toEqual([2, 2])
})

describe('a supplement', () => {
  it('belongs to its recipient, however the name is written', async () => {
    const { caseId, ids } = await caseWith(1)
    await world.disclose(caseId, { EvidenceIds: ids })
    const Recipient = { ...DEFENCE, Name: '  a. MERCER ' }
    expect(await world.disclose(caseId, { Recipient, EvidenceIds: ids })).toMatchObject({ No: 2, Chain: 1 })
    const other = { ...DEFENCE, Name: 'Somebody else' }
    expect(await world.disclose(caseId, { Recipient: other, EvidenceIds: ids })).toMatchObject({ No: 3, Chain: 3 })
    expect(await world.disclose(caseId, { Recipient: null, Supplements: '1', EvidenceIds: ids })).toMatchObject({
      No: 4,
      Chain: 1,
      Recipient: DEFENCE,
    })
  })

  it('is refused where it names none, or one for somebody else', async () => {
    const { caseId, ids } = await caseWith(1)
    await world.disclose(caseId, { EvidenceIds: ids })
    const asked = async (more: Json): Promise<unknown[]> => {
      const { status, json } = await world.call('POST', place(caseId), { ...AUTHORITY, EvidenceIds: ids, ...more })
      return [status, json.ErrorCode]
    }
    expect(await asked({ Supplements: '7' })).toEqual([404, 'DisclosureNotFound'])
    expect(await asked({ Supplements: '1', Recipient: PROSECUTOR })).toEqual([400, 'InvalidModel'])
    expect(await asked({})).toEqual([400, 'InvalidModel'])
  })
})

it('C5: a record is never changed: another one replaces it once, and names it', async () => {
  const { caseId, ids } = await caseWith(2)
  const first = await world.disclose(caseId, { EvidenceIds: [ids[0]] })
  const body = { ...AUTHORITY, EvidenceIds: ids, Reason: 'The second file was on the disc too' }
  const second = await world.ok(201, 'POST', place(caseId, '/record/1/supersede'), body)
  expect(second).toMatchObject({ No: 2, Chain: 1, Supersedes: 1, Reason: body.Reason, Recipient: DEFENCE })
  const read = await world.ok(200, 'GET', place(caseId, '/record/1'))
  expect(read).toEqual({ ...first, SupersededBy: 2 })
  const again = await world.call('POST', place(caseId, '/record/1/supersede'), body)
  expect([again.status, again.json.ErrorCode]).toEqual([409, 'DisclosureSuperseded'])
  const acknowledged = { By: 'A. Mercer', How: 'in-person', Witnesses: ['P. Lund', 'R. Adeyemi'] }
  const late = await world.call('POST', place(caseId, '/record/1/acknowledge'), acknowledged)
  expect([late.status, late.json.ErrorCode]).toEqual([409, 'DisclosureSuperseded'])
  const { Items } = await world.ok(200, 'GET', place(caseId))
  expect(Items.map((one: Json) => [one.No, one.Supersedes, one.SupersededBy])).toEqual([
    [1, null, 2],
    [2, 1, null],
  ])
})

describe('what is not recorded', () => {
  const refused = async (caseId: string, more: Json): Promise<unknown[]> => {
    const before = world.given.ledger().length
    const { status, json } = await world.call('POST', place(caseId), { Recipient: DEFENCE, ...AUTHORITY, ...more })
    const acts = world.given
      .ledger()
      .slice(before)
      .map(({ action }) => action)
    expect(acts.filter((action) => action.endsWith('.given') || action.endsWith('.disclosed'))).toEqual([])
    return [status, json.ErrorCode]
  }

  it('nothing at all, evidence of no case of this, evidence in the recycle bin, and a package that was not made', async () => {
    const { caseId, ids } = await caseWith(2)
    const stray = await world.add('Stray')
    expect(await refused(caseId, {})).toEqual([409, 'NothingToDisclose'])
    expect(await refused(caseId, { EvidenceIds: [stray] })).toEqual([404, 'EvidenceRelationsNotFound'])
    expect(await refused(caseId, { EvidenceIds: ids, Withheld: [withheld(stray)] })).toEqual([
      404,
      'EvidenceRelationsNotFound',
    ])
    expect(await refused(caseId, { PackageId: '4711' })).toEqual([404, 'PackageNotFound'])
    await world.given.meddle((db) =>
      db.prepare("UPDATE evidence SET lifecycle_state = 'Deleted' WHERE evidence_id = ?").run(Number(ids[1])),
    )
    expect(await refused(caseId, { EvidenceIds: ids })).toEqual([409, 'EvidenceDeleted'])
  })

  it('something given and withheld at once, twice withheld, sensitive without reasons, or in the future', async () => {
    const { caseId, ids } = await caseWith(1)
    for (const more of [
      { EvidenceIds: ids, Withheld: [withheld(ids[0] as string)] },
      { Withheld: [withheld(ids[0] as string), withheld(ids[0] as string)] },
      { Withheld: [withheld(ids[0] as string, { Basis: 'MG6D' })] },
      { Withheld: [withheld(ids[0] as string, { ResourceId: '4711' })] },
      { EvidenceIds: ids, GivenTimeUtc: '2126-01-01T00:00:00Z' },
      { EvidenceIds: ids, Recipient: { ...DEFENCE, Role: 'press' } },
    ])
      expect(await refused(caseId, more)).toEqual([400, 'InvalidModel'])
  })

  it('a package for the prosecution to anybody who may not know what is sensitive', async () => {
    const { caseId } = await caseWith(1)
    const PackageId = idOf(await world.make(caseId))
    for (const Role of ['defence', 'insurer', 'public-records', 'agency'])
      expect(await refused(caseId, { PackageId, Recipient: { ...DEFENCE, Role } })).toEqual([400, 'InvalidModel'])
    await world.disclose(caseId, { PackageId, Recipient: PROSECUTOR })
  })
})

describe('acknowledged', () => {
  const said = { By: 'A. Mercer', How: 'in-person', Witnesses: ['P. Lund', 'R. Adeyemi'] }
  it('in person with two names, once', async () => {
    const { caseId, ids } = await caseWith(1)
    await world.disclose(caseId, { EvidenceIds: ids })
    const record = await world.ok(200, 'POST', place(caseId, '/record/1/acknowledge'), said)
    expect(record.Acknowledged).toMatchObject({ By: 'A. Mercer', How: 'in-person', Witnesses: said.Witnesses })
    const again = await world.call('POST', place(caseId, '/record/1/acknowledge'), said)
    expect([again.status, again.json.ErrorCode]).toEqual([409, 'DisclosureAcknowledged'])
  })

  it('by a scan that is in the case, and not by another one', async () => {
    const { caseId, ids } = await caseWith(1)
    await world.disclose(caseId, { EvidenceIds: ids })
    const scan = await world.add('Signed receipt')
    const body = { By: 'A. Mercer', How: 'signature-scan', EvidenceId: scan }
    const refused = await world.call('POST', place(caseId, '/record/1/acknowledge'), body)
    expect([refused.status, refused.json.ErrorCode]).toEqual([404, 'EvidenceRelationsNotFound'])
    await world.link(caseId, scan)
    const record = await world.ok(200, 'POST', place(caseId, '/record/1/acknowledge'), body)
    expect(record.Acknowledged).toMatchObject({ EvidenceId: scan, How: 'signature-scan', Witnesses: [] })
  })

  it('or not yet: the list of the station names what stands and was not acknowledged', async () => {
    const { caseId, ids } = await caseWith(1)
    const waiting = async (): Promise<number[]> =>
      (await world.ok(200, 'GET', `${DISCLOSURES}/due`)).Unacknowledged.filter(
        (one: Json) => one.CaseId === caseId,
      ).map(({ No }: Json) => No)
    const Request = { Number: 'R 12', Date: '2026-11-02', Due: '2026-12-01' }
    await world.disclose(caseId, { EvidenceIds: ids, Request })
    await world.disclose(caseId, { EvidenceIds: ids, Recipient: PROSECUTOR })
    expect(await waiting()).toEqual([1, 2])
    const { Unacknowledged } = await world.ok(200, 'GET', `${DISCLOSURES}/due`)
    expect(Unacknowledged.find((one: Json) => one.CaseId === caseId)).toMatchObject({
      Title: expect.any(String),
      Recipient: DEFENCE,
      RequestDue: '2026-12-01',
    })
    await world.ok(200, 'POST', place(caseId, '/record/1/acknowledge'), said)
    expect(await waiting()).toEqual([2])
    await world.ok(201, 'POST', place(caseId, '/record/2/supersede'), {
      Authority: 'x',
      Medium: 'handover',
      EvidenceIds: ids,
      Reason: 'Another disc',
    })
    expect(await waiting()).toEqual([3])
  })

  it('is refused with one witness, or by a scan and witnesses at once', async () => {
    const { caseId, ids } = await caseWith(1)
    await world.disclose(caseId, { EvidenceIds: ids })
    for (const body of [
      { ...said, Witnesses: ['P. Lund'] },
      { ...said, EvidenceId: ids[0] },
      { By: 'A. Mercer', How: 'signed-file' },
    ])
      expect((await world.call('POST', place(caseId, '/record/1/acknowledge'), body)).status).toBe(400)
  })
})

it('I3: a record that is altered in the database is found by the verification of the ledger', async () => {
  const { caseId, ids } = await caseWith(1)
  await world.disclose(caseId, { EvidenceIds: ids })
  const verified = async (): Promise<string> =>
    JSON.stringify(await world.given.command('verify', { fast: true, checkpoints: null }))
  expect(await verified()).not.toContain('disclosures')
  await world.given.meddle((db) =>
    db.prepare("UPDATE disclosures SET recipient_name = 'Nobody' WHERE case_id = ?").run(Number(caseId)),
  )
  expect(await verified()).toContain('disclosures')
})
