/** The device service (interfaces.md 2.6, 3.3, 3.4, 4.2; decisions 5), under both of its prefixes. */
import type { Json } from './client.ts'
import type { OperationName } from './operations.ts'
import type { Run, Sent } from './run.ts'
import { boolean, CredentialList, DeviceRecord, NegotiatedConfiguration } from './shapes.ts'

export const DEVICE_OPERATIONS: readonly OperationName[] = [
  'AddDevice',
  'ActivateDevice',
  'DeactivateDevice',
  'CanManageDevices',
  'CanManageDevicesByPost',
  'GetCredentials',
  'ReportFailedCredential',
  'NegotiateConfiguration',
  'CommitConfiguration',
  'RejectConfiguration',
]

type Prefix = Pick<Sent, 'alias'>
const done = { status: 204, empty: true } as const
const record = { status: 200, shape: DeviceRecord } as const
const not = (status: number, code: string) => ({ status, code })

export async function driveDevices(run: Run): Promise<void> {
  for (const prefix of [{}, { alias: true }] as const) {
    const by: Prefix = prefix
    for (const name of ['CanManageDevices', 'CanManageDevicesByPost'] as const)
      await run.call(name, 'true or false', by, { status: 200, shape: boolean })
    await run.call(
      'CanManageDevices',
      'a tenant that is none',
      { ...by, tenant: 'nowhere' },
      not(404, 'TenantNotFound'),
    )
    const identification = {
      SerialNumber: `Conformance ${run.stamp}${by.alias === true ? ' b' : ''}`,
      Manufacturer: 'Conformance',
      Model: 'M',
      CommonName: 'é',
    }
    await adding(run, by, identification)
    await states(run, by, identification)
    await negotiating(run, by, identification)
    await credentials(run, by, identification)
  }
}

async function adding({ call, needed }: Run, by: Prefix, identification: Json): Promise<void> {
  const body = { DeviceIdentification: identification, DeviceType: 'BodyWornCamera' }
  const { json: first } = await needed(
    'AddDevice',
    'all members',
    { ...by, body },
    {
      ...record,
      status: 201,
      and: ({ State, DeviceIdentification }) =>
        State !== 'Inactive'
          ? `a new device is ${State}`
          : JSON.stringify(DeviceIdentification) === JSON.stringify(identification)
            ? null
            : 'it is not named as it was sent',
    },
  )
  const same = (json: Json): string | null => (json.Id === first.Id ? null : 'it is another device')
  await call('AddDevice', 'one that is known', { ...by, body }, { ...record, and: same })
  const { SerialNumber, Manufacturer } = identification
  const bare = { ...by, body: { DeviceIdentification: { SerialNumber, Manufacturer }, DeviceType: 'None' } }
  await call('AddDevice', 'by its first two fields alone', bare, {
    ...record,
    and: (json) => same(json) ?? (json.DeviceType === 'BodyWornCamera' ? null : 'None replaced the type'),
  })
  for (const DeviceIdentification of [undefined, {}, { SerialNumber }, { SerialNumber: '', Manufacturer }])
    await call(
      'AddDevice',
      `named as ${JSON.stringify(DeviceIdentification)?.slice(0, 30)}`,
      { ...by, body: { DeviceIdentification } },
      not(400, 'InvalidModel'),
    )
}

async function states({ call, needed, later }: Run, by: Prefix, { SerialNumber }: Json): Promise<void> {
  const place = { ...by, with: { deviceId: SerialNumber } }
  const is = (state: string) => ({
    ...record,
    and: ({ State }: Json) => (State === state ? null : `its state is ${State}`),
  })
  const unknown = { ...by, with: { deviceId: 'f'.repeat(32) } }
  await call('ActivateDevice', 'one that is not there', unknown, not(404, 'DeviceNotFound'))
  await call('DeactivateDevice', 'one that is not there', unknown, not(404, 'DeviceNotFound'))
  await needed('ActivateDevice', 'by its serial number', place, is('Active'))
  later(() => call('DeactivateDevice', 'at the end', place, is('Inactive')))
  await call('ActivateDevice', 'once more', place, is('Active'))
  await call('DeactivateDevice', 'any time', place, is('Inactive'))
  const text = { ...place, headers: { accept: 'text/plain' } }
  await call('ActivateDevice', 'again, answered as text/plain', text, { ...is('Active'), type: 'text/plain' })
}

async function negotiating({ call, needed }: Run, by: Prefix, DeviceId: Json): Promise<void> {
  const named = { DeviceId, DeviceType: 'BodyWornCamera' }
  const offer = { status: 200, shape: NegotiatedConfiguration }
  const Configuration = { Video: { Codec: 'H264', Rate: 30 } }
  const sent = (more: Json) => ({ ...by, body: { ...named, ...more } })
  const has = sent({ Capabilities: { FreeBytes: 1 }, Configuration })
  const { json: first } = await needed('NegotiateConfiguration', 'for the first time', has, offer)
  const { json: second } = await needed('NegotiateConfiguration', 'which supersedes it', has, offer)
  const ended = not(409, 'TransactionNotOpen')
  const { TransactionId } = second
  await call('CommitConfiguration', 'one that is superseded', sent({ TransactionId: first.TransactionId }), ended)
  await call('RejectConfiguration', 'one that is superseded', sent({ TransactionId: first.TransactionId }), ended)
  const nothing = sent({ TransactionId: '00000000-0000-4000-8000-000000000000' })
  await call('CommitConfiguration', 'one that is not there', nothing, not(404, 'TransactionNotFound'))
  await call('CommitConfiguration', 'the open one', sent({ TransactionId }), done)
  await call('CommitConfiguration', 'once more', sent({ TransactionId }), done)
  const turned = sent({ Configuration: { Video: { Rate: 30, Codec: 'H264' } } })
  await call('NegotiateConfiguration', 'what is committed', turned, { status: 304, empty: true })
  const other = sent({ Configuration: { Video: null } })
  const { json: third } = await needed('NegotiateConfiguration', 'something else', other, offer)
  const why = { TransactionId: third.TransactionId, ReasonCode: 'Full', ReasonMessage: 'The card is full.' }
  await call('RejectConfiguration', 'with a reason', sent(why), done)
  await call('CommitConfiguration', 'one that is rejected', sent({ TransactionId: third.TransactionId }), ended)
  await call('NegotiateConfiguration', 'without a name', { ...by, body: {} }, not(400, 'InvalidModel'))
  await call('RejectConfiguration', 'without a transaction', sent({}), not(400, 'InvalidModel'))
}

async function credentials({ call, needed }: Run, by: Prefix, DeviceId: Json): Promise<void> {
  const sent = (more: Json = {}) => ({ ...by, body: { DeviceId, DeviceType: 'BodyWornCamera', ...more } })
  const are = (...states: string[]) => ({
    status: 200,
    shape: CredentialList,
    and: (all: Json) =>
      JSON.stringify(all.map(({ State }: Json) => State)) === JSON.stringify(states)
        ? null
        : `there are ${JSON.stringify(all.map(({ State }: Json) => State))}`,
  })
  const unknown = { ...by, body: { DeviceId: { ...DeviceId, Manufacturer: 'nobody' } } }
  await call('GetCredentials', 'of a device that is unknown', unknown, are())
  await call('GetCredentials', 'when there are none', sent(), are())
  const Credential = { DeviceCredential: 'of conformance' }
  const offer = { status: 200, shape: NegotiatedConfiguration }
  const more = sent({ Credential, Configuration: { Other: 1 } })
  const { json } = await needed('NegotiateConfiguration', 'with a credential', more, offer)
  await call('GetCredentials', 'before the commit', sent(), are('Pending'))
  await call('CommitConfiguration', 'with a credential', sent({ TransactionId: json.TransactionId }), done)
  await call('GetCredentials', 'after the commit', sent(), are('Current'))
  await call('ReportFailedCredential', 'the current one', sent({ Credentials: [Credential] }), done)
  await call('GetCredentials', 'after it failed', sent(), are())
  await call('NegotiateConfiguration', 'with one that failed', more, { status: 304, empty: true })
  await call('GetCredentials', 'of which one failed', sent(), are())
  await call('ReportFailedCredential', 'without one', sent(), not(400, 'InvalidModel'))
}
