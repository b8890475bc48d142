import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../support/rows.ts'
import { type Given, givenStation, type Json, type Reply } from '../../support/given.ts'
import { ageAccounts } from '../../support/accounts.ts'
import { signIn } from '../../support/integrator.ts'
import { pageOf } from '../sessions/acts.ts'
import { categoryOf, makeDue } from './queue.ts'

/** Disposition and retention over HTTP: what is refused, and what previews say. The rule and the steps: test/disposition. */
const BASE = '/api/v1/tenant/station/disposition'
const RETENTION = '/api/v1/tenant/station/retention'
const PASSWORD = 'a long enough pass phrase'

let given: Given
let chief: string
/** The first administrator, and a person whom the command line made. */
let sergeant: Awaited<ReturnType<typeof pageOf>>['page']
let officer: { token: null; headers: { cookie: string; origin: string } }
beforeAll(async () => {
  given = await givenStation()
  const { connection } = await given.command('integration.create', {
    name: 'chief',
    policies: [],
    group: 'Account Administrators',
    baseUrl: given.url,
  })
  chief = await signIn(connection, given.url)
  sergeant = (await pageOf(given)).page
  await given.command('user.create', {
    username: 'officer',
    password: PASSWORD,
    policies: ['ApproveDisposition'],
    group: null,
    guest: false,
  })
  const reply = await given.call('POST', '/connect/session', {
    token: null,
    body: { Username: 'officer', Password: PASSWORD, NoticeId: 'default' },
  })
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] as string
  officer = { token: null, headers: { cookie, origin: given.url } }
  await ageAccounts(given.file)
})
afterAll(() => given?.close())

const send = (method: string, place: string, body?: unknown, as: object = { token: chief }): Promise<Reply> =>
  given.call(method, place, { ...as, ...(body === undefined ? {} : { body }) })
const refused = async (reply: Promise<Reply>, status: number, code: string): Promise<Json> => {
  const { status: found, json } = await reply
  expect([found, json?.ErrorCode]).toEqual([status, code])
  return json
}
async function due(count = 1) {
  const { CategoryId } = await categoryOf(given, chief, 1)
  const evidences: string[] = []
  for (let at = 0; at < count; at++) {
    const { evidenceId } = await given.completed(Buffer.alloc(100, at), {
      evidenceId: (await given.evidence({ CategoryId })).EvidenceId,
    })
    evidences.push(evidenceId)
  }
  const items = await makeDue(given, evidences)
  return { evidences, items, category: CategoryId }
}
const preview = (items: readonly string[]): Promise<Json> =>
  given.expecting(200, send('POST', `${BASE}/preview`, { Items: items }))

describe('the queue', () => {
  it('is shown with its rule, its size and what the caller may do', async () => {
    const { items } = await due(3)
    const list = await given.expecting(200, send('GET', BASE, undefined, officer))
    const item = list.Items.find((one: Json) => one.ItemId === items[0])
    expect(item).toMatchObject({
      Case: null,
      Rule: { Kind: 'Category', Days: 1 },
      Stage: 'Waiting',
      Evidence: 3,
      Files: 3,
      Bytes: 300,
      DueUtc: '2020-01-02T00:00:00.000Z',
      RequestedBy: { PrincipalId: '0' },
      Approvals: [],
      Held: null,
      WhyNot: null,
    })
    const ofProgram = await given.expecting(200, send('GET', BASE))
    expect(ofProgram.Items[0].WhyNot).toBe('NotAPerson')
    const figures = await given.expecting(200, send('GET', `${BASE}/figures`))
    expect(figures).toMatchObject({ RecycleBin: 0, Certificates: 0, CoolingOffHours: 72, RecycleBinDays: 7 })
    expect(figures.Due.Files).toBeGreaterThanOrEqual(3)
  })

  it('two people approve, in the order of their calls, and what was previewed is what they approve', async () => {
    const { items } = await due(2)
    const { PreviewId, Goes } = await preview(items)
    expect(Goes).toMatchObject({ Evidence: 2, Files: 2, Bytes: 200 })
    const body = { Items: items, Reason: 'Retention reached', PreviewId }
    const [first] = await given.expecting(200, send('POST', `${BASE}/approve`, body, sergeant))
    expect(first).toMatchObject({
      Stage: 'Waiting',
      Approvals: [{ By: { Username: 'sergeant' } }],
      WhyNot: 'ApprovedAlready',
    })
    await refused(send('POST', `${BASE}/approve`, body, officer), 409, 'PreviewOutdated')
    const again = await preview(items)
    const [second] = await given.expecting(
      200,
      send('POST', `${BASE}/approve`, { ...body, PreviewId: again.PreviewId }, officer),
    )
    expect(second).toMatchObject({ Stage: 'CoolingOff', UntilUtc: expect.any(String) })
    const third = await preview(items)
    await refused(
      send('POST', `${BASE}/approve`, { ...body, PreviewId: third.PreviewId }, officer),
      409,
      'DispositionNotWaiting',
    )
    expect(
      await given.expecting(200, send('POST', `${BASE}/keep`, { Items: items, Reason: 'Appeal' }, officer)),
    ).toMatchObject({ Kept: 2 })
    await refused(
      send('POST', `${BASE}/keep`, { Items: items, Reason: 'Appeal' }, officer),
      404,
      'DispositionItemNotFound',
    )
  })

  it('a program approves nothing, and the refusal is in the ledger', async () => {
    const { items } = await due()
    const { PreviewId } = await preview(items)
    const reply = await send('POST', `${BASE}/approve`, { Items: items, Reason: 'x', PreviewId })
    expect(reply.status).toBe(403)
    const denied = given.ledger().find((entry) => entry.correlationId === reply.correlationId)
    expect([denied?.outcome, denied?.reason]).toEqual(['denied', 'CannotApproveDisposition:NotAPerson'])
  })

  it('what is held is shown as held, stays, and is told with its reason', async () => {
    const { items, evidences } = await due(2)
    const made = await given.expecting(201, send('POST', '/api/v1/case/station', { Title: 'Still open' }))
    const db = await openTestDatabase({ file: given.file })
    const by = JSON.stringify({ KId: '', Username: 'internal', PrincipalId: '0', PrincipalType: 'internal' })
    await db.transaction((tx) =>
      tx
        .insertInto('withdrawn_links')
        .values({
          case_id: Number(made.CaseId),
          evidence_id: Number(evidences[0]),
          rule: 'overlap',
          reason: 'moved',
          withdrawn_utc: '2026-11-03T10:00:00.000Z',
          withdrawn_by: by,
          settled_utc: null,
          settled_by: null,
          settled_reason: null,
        })
        .execute(),
    )
    await db.close()
    const seen = await preview(items)
    expect(seen.Goes.Evidence).toBe(1)
    expect(seen.Stays.Items).toEqual([
      expect.objectContaining({
        EvidenceId: evidences[0],
        Holds: [{ Code: 'LinkWithdrawn', CaseId: null, Ordinal: null, TimeUtc: '2026-11-03T10:00:00.000Z' }],
      }),
    ])
    const place = `${BASE}/evidence/${evidences[0]}/settle-links`
    expect(await given.expecting(200, send('POST', place, { Reason: 'Looked' }, officer))).toEqual({ Settled: 1 })
    expect((await preview(items)).Goes.Evidence).toBe(2)
  })

  it('hostile bodies are refused with every problem', async () => {
    const { Details } = await refused(
      send('POST', `${BASE}/approve`, { Items: [], Reason: ' ', PreviewId: '' }),
      400,
      'InvalidModel',
    )
    expect(Details.map(({ Path }: Json) => Path).sort()).toEqual(['Items', 'PreviewId', 'Reason'])
    for (const Items of [['1', '1'], ['x'], Array.from({ length: 101 }, (_, at) => at + 1), 'all', null])
      await refused(send('POST', `${BASE}/keep`, { Items, Reason: 'x' }), 400, 'InvalidModel')
    for (const Days of [0, -1, 1.5, 36_526])
      await refused(send('POST', `${BASE}/keep`, { Items: ['1'], Reason: 'x', Days }), 400, 'InvalidModel')
    await refused(send('POST', `${BASE}/preview`, { Items: ['9223372036854775807'] }), 404, 'DispositionItemNotFound')
    await refused(send('GET', `${BASE}?cursor=%00`), 400, 'InvalidModel')
    await refused(send('GET', `${BASE}/certificate/1/certificate.json`), 404, 'CertificateNotFound')
    expect((await send('GET', `${BASE}/certificate/1/..%2f..%2fkeys`)).status).toBeGreaterThanOrEqual(400)
    for (const place of ['1/key.der', 'x/key.pem', '0/key.pem'])
      await refused(send('GET', `${BASE}/certificate/${place}`), 400, 'InvalidModel')
    const plain = await given.call('GET', BASE)
    expect(plain.status).toBe(403)
  })
})

describe('retention of a source', () => {
  it('is made, replaced by its version, and deleted', async () => {
    const made = await given.expecting(
      201,
      send('POST', `${RETENTION}/source`, { Name: 'Training', DeviceType: 'Trainer', RetentionDays: 365 }),
    )
    expect(made).toMatchObject({
      Name: 'Training',
      DeviceType: 'Trainer',
      SourceId: null,
      Uploader: null,
      RetentionDays: 365,
    })
    await refused(send('POST', `${RETENTION}/source`, { Name: ' training'.trim(), Uploader: 'cli' }), 409, 'NameTaken')
    const place = `${RETENTION}/source/${made.SourcePolicyId}`
    const body = { Name: 'Training', Uploader: 'service', ConcurrencyId: made.ConcurrencyId }
    const next = await given.expecting(200, send('PUT', place, body))
    expect(next).toMatchObject({ DeviceType: null, Uploader: 'service', RetentionDays: null })
    await refused(send('PUT', place, body), 409, 'ConcurrentWritingError')
    // A name that another one has is taken here too.
    const other = await given.expecting(201, send('POST', `${RETENTION}/source`, { Name: 'Other', Uploader: 'cli' }))
    const renamed = { ...body, Name: 'Other', ConcurrencyId: next.ConcurrencyId }
    await refused(send('PUT', place, renamed), 409, 'NameTaken')
    await given.expecting(200, send('DELETE', `${RETENTION}/source/${other.SourcePolicyId}`))
    await given.expecting(200, send('DELETE', place))
    await refused(send('DELETE', place), 404, 'SourcePolicyNotFound')
    await refused(send('POST', `${RETENTION}/source`, { Name: 'For nothing' }), 400, 'InvalidModel')
    expect((await given.expecting(200, send('GET', `${RETENTION}/source`))).map((one: Json) => one.Name)).toEqual([])
  })

  it('a change is shown before it is saved: what becomes due, what lies in open cases, what is protected', async () => {
    const { CategoryId } = await categoryOf(given, chief, 36_000)
    const ids: string[] = []
    for (let at = 0; at < 4; at++) {
      const { EvidenceId } = await given.evidence({ CategoryId })
      await given.completed(Buffer.alloc(10 + at, at), { evidenceId: EvidenceId })
      ids.push(EvidenceId)
    }
    await makeDue(given, ids)
    const made = await given.expecting(201, send('POST', '/api/v1/case/station', { Title: 'Open', CategoryId }))
    const db = await openTestDatabase({ file: given.file })
    await db.transaction(async (tx) => {
      await tx
        .insertInto('case_links')
        .values({
          case_id: Number(made.CaseId),
          evidence_id: Number(ids[0]),
          kind: 'Manual',
          confirmed: 1,
          rule: null,
          linked_on: '',
          linked_by: '{}',
        })
        .execute()
      await tx
        .updateTable('evidence')
        .set({ lifecycle_state: 'Protected' })
        .where('evidence_id', '=', Number(ids[1]))
        .execute()
    })
    await db.close()
    const of = (RetentionDays: number | null) =>
      given.expecting(200, send('POST', `${RETENTION}/preview`, { Category: { CategoryId, RetentionDays } }))
    expect(await of(30)).toMatchObject({
      Complete: true,
      Concerned: { Files: 4, Bytes: 46 },
      BecomeDue: { Files: 2, Bytes: 25 },
      Sooner: { Files: 1, Bytes: 11 },
      Later: { Files: 0, Bytes: 0 },
      OpenCases: { Files: 1, Bytes: 10 },
      Protected: { Files: 1, Bytes: 11 },
    })
    expect(await of(null)).toMatchObject({ BecomeDue: { Files: 0 }, Later: { Files: 3 } })
    // Nothing was changed by looking.
    const stored = await given.expecting(200, send('GET', `/api/v1/category/station/${CategoryId}`))
    expect(stored.RetentionDays).toBe(36_000)
    const source = { DeviceType: 'NoSuchCamera', RetentionDays: 1 }
    expect(await given.expecting(200, send('POST', `${RETENTION}/preview`, { Source: source }))).toMatchObject({
      Concerned: { Files: 0 },
    })
    for (const body of [
      {},
      { Category: { CategoryId }, Source: source },
      { Source: { RetentionDays: 1 } },
      { Source: { Remove: true } },
    ])
      await refused(send('POST', `${RETENTION}/preview`, body), 400, 'InvalidModel')
    await refused(send('POST', `${RETENTION}/preview`, { Category: { CategoryId: '999999' } }), 404, 'CategoryNotFound')
    await refused(
      send('POST', `${RETENTION}/preview`, { Source: { ...source, SourcePolicyId: '999999' } }),
      404,
      'SourcePolicyNotFound',
    )
  })
})
