/** What decisions 3, 4 and 6 say of evidence beside its operations: what is stored, who holds it, what may be changed, and its life. */
import { createHash } from 'node:crypto'
import { LAST_ID, refusal } from './categories.ts'
import { differs, newCase } from './cases.ts'
import type { Json } from './client.ts'
import { policyOf } from './departments.ts'
import { newEvidence, whole } from './evidence.ts'
import { historyOf } from './history.ts'
import type { OperationName } from './operations.ts'
import type { Run, Sent } from './run.ts'
import { EvidenceRecord, list, object } from './shapes.ts'

const RECORD = 'interfaces 2.4'
const CREATE = 'decisions 6, create evidence'
const PATCH = 'decisions 6, PATCH evidence'
const LEVELS = ['View', 'Download', 'Edit', 'Manage']

/** What was made, as it is stored; none of it needs a policy. */
export async function driveRecords(run: Run): Promise<void> {
  const plain = await newEvidence(
    run,
    'only a name',
    { Description: null },
    {
      section: RECORD,
      and: (json) =>
        differs(json, {
          Description: null,
          Tags: [],
          CategoryId: null,
          SourceId: null,
          Thumbnail: null,
          StartTimeUtc: null,
          DeletedOnUtc: null,
          DeletedBy: null,
          Device: null,
          State: 'None',
          LifecycleState: 'None',
          AssociationState: 'None',
          AccessPoliciesGrantType: 'Own',
          AccessorPermissions: LEVELS,
          CustomFields: {},
        }),
    },
  )
  await claims(run)
  await policies(run, plain)
}

async function claims(run: Run): Promise<void> {
  const { stamp, call } = run
  const SourceId = `card ${stamp}`
  const given = { SourceId, EditingSessionId: 'mine' }
  const kept = { section: CREATE, and: (json: Json) => differs(json, { SourceId, EditingSessionId: null }) }
  await newEvidence(run, 'a SourceId; EditingSessionId is null', given, kept)
  await newEvidence(run, 'that SourceId again: it is never unique', given, kept)
  const [SerialNumber, Manufacturer] = [`S-${stamp}`, 'Acme']
  const ExternalId = createHash('sha256').update(`${SerialNumber}\u001f${Manufacturer}`).digest('hex').slice(0, 32)
  const secret = `secret-${stamp}`
  const claimed = await newEvidence(
    run,
    'of a device, with a credential that is not its: claimed',
    {
      Device: { DeviceType: 'BodyWornCamera', SerialNumber, Manufacturer, Model: 'B3' },
      DeviceCredential: secret,
    },
    {
      section: CREATE,
      and: (json, { text }) =>
        text.includes(secret)
          ? 'the credential is returned'
          : (differs(json, { DeviceIdentity: 'Claimed' }) ?? differs(json.Device, { ExternalId })),
    },
  )
  await call(
    'GetEvidence',
    'of a device: no credential is told',
    { with: { evidenceId: claimed.EvidenceId } },
    {
      ...whole,
      section: CREATE,
      and: (_json, { text }) => (text.includes(secret) ? 'the credential is returned' : null),
    },
  )
  for (const [what, body] of [
    ['a tag that is a number', { Tags: [7] }],
    ['101 tags', { Tags: Array.from({ length: 101 }, (_one, at) => `t${at}`) }],
    ['a case that is not there', { CaseIds: [LAST_ID] }],
    ['a category that is not there', { CategoryId: LAST_ID }],
  ] as const)
    await call(
      'CreateEvidence',
      what,
      { body: { Name: 'x', ...body } },
      { ...refusal('InvalidModel'), section: CREATE },
    )
}

/** AccessPolicies only with Manage and a current ConcurrencyId; what is inherited never becomes the evidence's own. */
async function policies(run: Run, plain: Json): Promise<void> {
  const { call, connection } = run
  const place = { with: { evidenceId: plain.EvidenceId } }
  const patched = (what: string, body: Json, and: Json) =>
    call('UpdateEvidence', what, { ...place, body }, { ...whole, section: PATCH, and: (json) => differs(json, and) })
  const wrong = (what: string, body: Json, expected: { status: number; code: string }) =>
    call('UpdateEvidence', what, { ...place, body }, { ...expected, section: PATCH })
  const own = plain.AccessPolicies
  const { ConcurrencyId } = plain
  await wrong('other policies without a ConcurrencyId', { AccessPolicies: [] }, refusal('InvalidModel'))
  const stale = { AccessPolicies: [], ConcurrencyId: '0'.repeat(40) }
  await wrong('other policies over an old version', stale, { status: 409, code: 'EvidenceNotUpToDate' })
  const nobody = { Permissions: 'View', PrincipalId: '999999999' }
  await wrong('a policy for nobody', { AccessPolicies: [...own, nobody], ConcurrencyId }, refusal('InvalidModel'))
  const through = { Reason: 'Case', MergeStrategy: 'Highest', Permissions: 'Manage' }
  await patched(
    'policies inherited from elsewhere are ignored, whatever they say',
    { AccessPolicies: [...own, { ...nobody, PermissionSource: through }], ConcurrencyId },
    { AccessPolicies: own, ConcurrencyId },
  )
  await patched('null is unchanged, for every member', everyMember(null), { Name: plain.Name, ConcurrencyId })
  await patched('a member that is none', { Weather: 'fog', Device: { Model: 'X' } }, { Device: null, ConcurrencyId })
  await patched(
    'without a ConcurrencyId the last writer wins',
    { Name: `${plain.Name} 2` },
    { Name: `${plain.Name} 2` },
  )
  await patched(
    'custom fields of no template are free text',
    { CustomFields: { [`Free ${run.stamp}`]: 'any text' } },
    { CustomFields: { [`Free ${run.stamp}`]: 'any text' } },
  )
  await call('GetEvidence', 'its own policies say who made it', place, {
    ...whole,
    section: 'decisions 3, create evidence',
    and: ({ AccessPolicies }) => {
      const mine = AccessPolicies.find((one: Json) => one.PrincipalId === policyOf(connection, 'Manage').PrincipalId)
      return mine?.Permissions === 'Manage' && mine?.PermissionSource?.Reason === 'Direct'
        ? null
        : 'the creator has no Manage of its own'
    },
  })
}

const everyMember = (value: null): Json =>
  Object.fromEntries(
    [
      'Name',
      'Description',
      'Tags',
      'CategoryId',
      'StartTimeUtc',
      'EndTimeUtc',
      'LocationText',
      'LocationWKT',
      'CustomFields',
      'AccessPolicies',
    ].map((name) => [name, value]),
  )

/** Straight into a case the creator holds Edit, and what the case gives; needs somebody who may make cases. */
export async function driveIntoCase(run: Run): Promise<void> {
  const { call } = run
  const { CaseId: caseId } = await newCase(run, 'that evidence goes into at once')
  const direct = (json: Json, reason: string): Json[] =>
    json.AccessPolicies.filter(({ PermissionSource }: Json) => PermissionSource.Reason === reason)
  const made = await newEvidence(
    run,
    'straight into a case',
    { CaseIds: [caseId] },
    {
      section: 'decisions 3, create evidence',
      and: (json) =>
        differs(json, { AssociationState: 'Manual' }) ??
        (direct(json, 'Direct').every(({ Permissions }) => Permissions === 'Edit')
          ? null
          : 'more than Edit of its own') ??
        (direct(json, 'Case').length > 0 ? null : 'nothing is inherited from the case'),
    },
  )
  await call(
    'GetEvidenceRelationsByEvidenceId',
    'of evidence that went straight into a case',
    { with: { evidenceId: made.EvidenceId } },
    {
      status: 200,
      section: CREATE,
      and: ({ Relations }) => (Relations[0]?.CaseId === caseId ? null : 'it is not in the case'),
    },
  )
}

/** Values that changed are checked against the type that the template gives their name. */
export async function driveTypedFields(run: Run): Promise<void> {
  const { call, needed } = run
  const name = `Age ${run.stamp}`
  const { json: templates } = await needed('ListTemplates', 'before a field is typed', {}, { status: 200 })
  const before = templates.find(({ type }: Json) => type === 'Evidence') ?? {
    type: 'Evidence',
    renamedFields: [],
    customFields: [],
  }
  const made = await newEvidence(run, 'with a text that is no number', { CustomFields: { [name]: 'about forty' } })
  const typed = { ...before, customFields: [...before.customFields, { name, type: 'Number' }] }
  await needed('PutTemplate', 'with a number', { body: typed }, { status: 200 })
  run.later(() => call('PutTemplate', 'without that number', { body: before }, { status: 200 }))
  const place = { with: { evidenceId: made.EvidenceId } }
  const patch = (what: string, CustomFields: Json, expected: { status: number; code?: string }) =>
    call('UpdateEvidence', what, { ...place, body: { CustomFields } }, { ...expected, section: PATCH })
  await patch('a value that was there before stays', { [name]: 'about forty', Other: 'new' }, { status: 200 })
  await patch('a changed value that is no number', { [name]: 'fifty' }, refusal('InvalidModel'))
  await patch('a changed value that is one', { [name]: '50' }, { status: 200 })
}

const LIFE = 'decisions 6, lists, history, delete'
export const LIFE_OPERATIONS: readonly OperationName[] = [
  'ListEvidence',
  'GetEvidenceHistory',
  'ProtectEvidence',
  'UnprotectEvidence',
  'DeleteEvidence',
  'RestoreEvidence',
]

export async function driveEvidenceLife(run: Run): Promise<void> {
  const { call, needed, stamp } = run
  const Name = `Conformance ${stamp} lifelong`
  const made = await newEvidence(run, 'to be protected, deleted and restored', { Name })
  const place = { with: { evidenceId: made.EvidenceId } }
  await call('UpdateEvidence', 'a second version', { ...place, body: { Description: 'second' } }, whole)
  await historyOf(run, 'GetEvidenceHistory', place, 2)
  await lists(run, Name, made.EvidenceId)
  const put = async (name: OperationName, what: string, state: string, body?: Json): Promise<boolean> =>
    (await call(name, what, body === undefined ? place : { ...place, body }, {
      ...whole,
      and: (json) => differs(json, { LifecycleState: state }),
    })) !== null
  await call('RestoreEvidence', 'what is not deleted', place, { status: 409, code: 'EvidenceNotDeleted' })
  await call('ProtectEvidence', 'without a reason', { ...place, body: {} }, refusal('InvalidModel'))
  if (await put('ProtectEvidence', 'with a reason', 'Protected', { Reason: 'asked for' })) {
    await call('DeleteEvidence', 'what is protected', place, { status: 409, code: 'EvidenceProtected' })
    await call('UpdateEvidence', 'what is protected: edits go on', { ...place, body: { Tags: ['kept'] } }, whole)
    await put('UnprotectEvidence', 'again', 'None')
  }
  const deleted = { ...whole, and: (json: Json) => deletedProblem(json) }
  await needed('DeleteEvidence', 'into the recycle bin', place, deleted)
  await call('DeleteEvidence', 'again', place, { status: 409, code: 'EvidenceAlreadyDeleted' })
  for (const name of ['GetEvidence', 'ListResources', 'UpdateEvidence', 'CreateResource'] as const)
    await call(
      name,
      'in the recycle bin',
      { ...place, ...(name.startsWith('Get') || name.startsWith('List') ? {} : { body: { Name: 'x' } }) },
      { status: 409, code: 'EvidenceDeleted', section: LIFE },
    )
  await inBin(run, Name, true)
  await needed('RestoreEvidence', 'from the recycle bin', place, {
    ...whole,
    and: (json) => differs(json, { LifecycleState: 'None', DeletedBy: null, DeletedOnUtc: null, Name }),
  })
  await inBin(run, Name, false)
}

const deletedProblem = (json: Json): string | null =>
  differs(json, { LifecycleState: 'Deleted' }) ??
  (json.DeletedBy === null || json.DeletedOnUtc === null ? 'it does not say who deleted it and when' : null)

const Page = object({ Items: list(EvidenceRecord), Total: (value) => (Number.isInteger(value) ? [] : ['no Total']) })

async function lists(run: Run, text: string, evidenceId: string): Promise<void> {
  const { call, needed, stamp } = run
  const page = (query: Readonly<Record<string, string>>): Sent => ({ query })
  const ids = ({ Items }: Json): string[] => Items.map(({ EvidenceId }: Json) => EvidenceId)
  await call('ListEvidence', 'by words of a name', page({ text }), {
    status: 200,
    shape: Page,
    and: (json) => (ids(json).join() === evidenceId && json.Total === 1 ? null : 'it is not that evidence alone'),
  })
  const first = await needed('ListEvidence', 'one on a page', page({ text: stamp, count: '1' }), {
    status: 200,
    shape: Page,
    and: ({ Items, Cursor, Total }) =>
      Items.length === 1 && typeof Cursor === 'string' && Total > 1 ? null : 'it is not the first page of several',
  })
  const next = page({ text: stamp, count: '1', cursor: first.json.Cursor })
  await call('ListEvidence', 'the page that follows, by cursor', next, {
    status: 200,
    shape: Page,
    and: (json) =>
      ids(json).length === 1 && ids(json)[0] !== ids(first.json)[0] ? null : 'it is not what follows the first',
  })
  for (const count of ['0', '1001', 'x'])
    await call('ListEvidence', `count=${count}`, page({ count }), refusal('InvalidModel'))
}

const inBin = ({ call }: Run, text: string, deleted: boolean) =>
  call(
    'ListEvidence',
    deleted ? 'the recycle bin holds it' : 'the recycle bin holds it no more',
    {
      query: { text, deleted: 'true' },
    },
    {
      status: 200,
      shape: Page,
      and: ({ Total }) => (Total === (deleted ? 1 : 0) ? null : `the recycle bin has ${Total}`),
    },
  )
