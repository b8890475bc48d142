/** What an account in no policy must not do: 403, on the case service without a body (interfaces.md 4 and 5, decisions 3). */
import { newCase } from './cases.ts'
import type { Json } from './client.ts'
import { policyOf } from './departments.ts'
import { newEvidence, newFile } from './evidence.ts'
import type { OperationName } from './operations.ts'
import type { Run, Sent } from './run.ts'
import { CaseModel } from './shapes.ts'

const bare = { status: 403, empty: true } as const
const whole = { status: 200, shape: CaseModel }
const LEVELS = 'decisions 3, levels'
const readable = { status: 200, section: LEVELS } as const

/** @param token of an account in no policy. @param other its connection file */
export async function driveRights(run: Run, token: string, other: Run['connection']): Promise<void> {
  const { call } = run
  const made = await newCase(run, 'that another may not see')
  const place = { with: { caseId: made.CaseId } }
  const policies = { AccessPolicies: [policyOf(other, 'Manage')] }
  const refused = (name: OperationName, sent: Sent) =>
    call(name, 'by an account that may not', { ...sent, token }, bare)
  const put = { Title: 'x', ConcurrencyId: made.ConcurrencyId }
  await refused('CreateCase', { body: { Title: 'x' } })
  await refused('GetCaseById', place)
  await refused('PatchCase', { ...place, body: { Title: 'x' } })
  await refused('UpdateCase', { ...place, body: put })
  await refused('GetCaseHistory', place)
  await refused('ShareCase', { ...place, body: policies })
  await refused('LinkEvidencesToCase', { ...place, body: { Evidences: [] } })
  await refused('DeleteCase', place)
  await refused('CreateCategory', { body: { Name: 'x' } })
  await refused('UpdateCategory', { with: { categoryId: '1' }, body: { Name: 'x', ConcurrencyId: 'x' } })
  await refused('CreateDepartment', { body: { Name: 'x', ...policies } })
  await refused('UpdateDepartment', {
    with: { departmentId: '1' },
    body: { Name: 'x', ...policies, ConcurrencyId: 'x' },
  })
  await refused('AssignDefaultDepartment', { body: { ConcurrencyId: 'x', DepartmentId: null } })
  await refused('UpdatePrefilledField', { with: { prefilledFieldId: 'x' }, body: { Target: 'Title', Values: [] } })
  await refused('DeletePrefilledField', { with: { prefilledFieldId: 'x' } })
  await call('PutTemplate', 'by an account that may not', { body: { type: 'Case' }, token }, { status: 403 })
  await devices(run, token)
  await viewing(run, token, other, place)
  const evidence = await newEvidence(run, 'that another may not see')
  await hidden(run, token, evidence)
}

/** All but the question whether one may (interfaces.md 5, decisions 5). */
async function devices(run: Run, token: string): Promise<void> {
  const DeviceId = { SerialNumber: 'x', Manufacturer: 'y' }
  const bodies: readonly (readonly [OperationName, unknown])[] = [
    ['AddDevice', { DeviceIdentification: DeviceId }],
    ['ActivateDevice', undefined],
    ['DeactivateDevice', undefined],
    ['GetCredentials', { DeviceId }],
    ['ReportFailedCredential', { DeviceId, Credentials: [] }],
    ['NegotiateConfiguration', { DeviceId }],
    ['CommitConfiguration', { DeviceId, TransactionId: 'x' }],
    ['RejectConfiguration', { DeviceId, TransactionId: 'x' }],
  ]
  for (const [name, body] of bodies)
    for (const alias of [{}, { alias: true }] as const)
      await run.call(
        name,
        'by an account that may not',
        { ...alias, with: { deviceId: 'x' }, body, token },
        { status: 403, code: 'Forbidden' },
      )
  const no = { status: 200, and: (may: unknown) => (may === false ? null : `the answer is ${may}`) }
  await run.call('CanManageDevices', 'by an account that may not', { token }, no)
}

/** View on a case lets read and no more. */
async function viewing(run: Run, token: string, other: Run['connection'], place: Sent): Promise<void> {
  const { call, needed } = run
  await needed('ShareCase', 'at View', { ...place, body: { AccessPolicies: [policyOf(other, 'Read')] } }, whole)
  await call(
    'GetCaseById',
    'by an account with View',
    { ...place, token },
    {
      ...whole,
      and: ({ AccessorPermissions }) =>
        JSON.stringify(AccessorPermissions) === '["View"]' ? null : `AccessorPermissions are ${AccessorPermissions}`,
    },
  )
  await call('PatchCase', 'by an account with View', { ...place, body: { Title: 'x' }, token }, bare)
  await viewingEvidence(run, token, place.with?.['caseId'] ?? '')
  await call('GetCaseHistory', 'by an account with View', { ...place, token }, bare)
}

/** View through a case: the record is read, its originals are not handed out, and nothing is changed (decisions 3 and 6). */
async function viewingEvidence(run: Run, token: string, caseId: string): Promise<void> {
  const { call } = run
  const { EvidenceId: evidenceId } = await newEvidence(run, 'that another may view', { CaseIds: [caseId] })
  const file = await newFile(run, evidenceId, { Name: 'viewed.txt' }, Buffer.from('viewed'))
  const sent = { with: { evidenceId, resourceId: file.ResourceId }, token }
  await call('GetEvidence', 'by an account with View', sent, {
    ...readable,
    and: ({ AccessorPermissions, AccessPoliciesGrantType }) =>
      JSON.stringify(AccessorPermissions) === '["View"]'
        ? null
        : `AccessorPermissions are ${AccessorPermissions} by ${AccessPoliciesGrantType}`,
  })
  await call('ListResources', 'by an account with View', sent, { status: 200, section: LEVELS })
  for (const [name, more] of [
    ['GetContent', {}],
    ['UpdateEvidence', { body: { Name: 'x' } }],
    ['CreateResource', { body: { Name: 'x' } }],
    ['CompleteEvidence', {}],
  ] as const)
    await call(
      name,
      'by an account with View',
      { ...sent, ...more },
      { status: 403, code: 'Forbidden', section: LEVELS },
    )
  await call(
    'GetContent',
    'purpose=play of an original, with View',
    { ...sent, query: { purpose: 'play' } },
    {
      status: 404,
      code: 'ResourceNotFound',
    },
  )
}

async function hidden(run: Run, token: string, { EvidenceId: evidenceId }: Json): Promise<void> {
  const sent = { with: { evidenceId }, token }
  const file = await newFile(run, evidenceId, { Name: 'hidden.txt' }, Buffer.from('hidden'))
  const inside = { with: { evidenceId, resourceId: file.ResourceId } }
  for (const [name, more] of [
    ['GetEvidence', {}],
    ['UpdateEvidence', { body: { Name: 'x' } }],
    ['ListResources', {}],
    ['CreateResource', { body: { Name: 'x' } }],
    ['CompleteEvidence', {}],
    ['GetEvidenceHistory', {}],
    ['RenewUploadUri', inside],
    ['CompleteResource', inside],
    ['GetContent', inside],
    ['GetResourceThumbnail', inside],
  ] as const)
    await run.call(
      name,
      'by an account that may not see it',
      { ...sent, ...more },
      { status: 404, code: 'EvidenceNotFound' },
    )
  await run.call('GetEvidenceRelationsByEvidenceId', 'by an account that may not', sent, bare)
}
