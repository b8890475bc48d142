/** What an account in no policy must not do: 403, on the case service without a body (interfaces.md 4 and 5, decisions 3). */
import { newCase } from './cases.ts'
import type { Json } from './client.ts'
import { policyOf } from './departments.ts'
import type { OperationName } from './operations.ts'
import type { Run, Sent } from './run.ts'
import { CaseModel, EvidenceRecord } from './shapes.ts'

const bare = { status: 403, empty: true } as const
const whole = { status: 200, shape: CaseModel }

/** @param token of an account in no policy. @param other its connection file */
export async function driveRights(run: Run, token: string, other: Run['connection']): Promise<void> {
  const { call, needed } = run
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
  const name = { Name: `Conformance ${run.stamp}` }
  const { json: evidence } = await needed(
    'CreateEvidence',
    'that another may not see',
    { body: name },
    { status: 201, shape: EvidenceRecord },
  )
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
  await call('GetCaseHistory', 'by an account with View', { ...place, token }, bare)
}

async function hidden(run: Run, token: string, { EvidenceId: evidenceId }: Json): Promise<void> {
  const sent = { with: { evidenceId }, token }
  for (const [name, more] of [
    ['GetEvidence', {}],
    ['UpdateEvidence', { body: { Name: 'x' } }],
    ['ListResources', {}],
    ['CreateResource', { body: { Name: 'x' } }],
    ['CompleteEvidence', {}],
  ] as const)
    await run.call(
      name,
      'by an account that may not see it',
      { ...sent, ...more },
      { status: 404, code: 'EvidenceNotFound' },
    )
  await run.call('GetEvidenceRelationsByEvidenceId', 'by an account that may not', sent, bare)
}
