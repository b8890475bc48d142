import { useState } from 'react'
import type { z } from 'zod'
import { useTranslation } from '../../client/translate.ts'
import * as contract from '../../../shared/devices/contract.ts'
import {
  CHANGEABLE_NAMES,
  DEVICE_FIELD_NAMES,
  type DeviceFieldName,
  fieldOf,
  IDENTITY_NAMES,
} from '../../../shared/devices/fields.ts'
import { call } from '../../client/api.ts'
import { useRequestKey } from '../../client/request-key.ts'
import { useSession } from '../../client/session.tsx'
import { TextField } from '../../ui/field/field.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import { type Device, useRefresh } from './queries.ts'
import { ActDialog } from './problem.tsx'
import { titleOf } from './labels.ts'

type DeviceFields = Readonly<Record<DeviceFieldName, string>>
const fieldsFrom = (valueOf: (name: DeviceFieldName) => string) =>
  Object.fromEntries(DEVICE_FIELD_NAMES.map((name) => [name, valueOf(name)])) as DeviceFields
const EMPTY: DeviceFields = { ...fieldsFrom(() => ''), DeviceType: 'BodyWornCamera' }

/** What it may say anew. What people call it comes first. */
const NAMES = [...new Set<DeviceFieldName>(['CommonName', ...CHANGEABLE_NAMES])]

/** As the station takes it: what is left empty is not said. What it is recognised by goes exactly: another space would be another device. */
function bodyOf(fields: DeviceFields) {
  const sent = (name: DeviceFieldName): string | null =>
    IDENTITY_NAMES.includes(name) ? fields[name] : fields[name].trim() || null
  const { DeviceType, ...identification } = Object.fromEntries(DEVICE_FIELD_NAMES.map((name) => [name, sent(name)]))
  return { DeviceIdentification: identification, DeviceType } as z.input<typeof contract.AddDeviceModel>
}

const trimmed = (fields: DeviceFields): DeviceFields => fieldsFrom((name) => fields[name].trim())

type Wrong = Readonly<Partial<Record<DeviceFieldName, 'missing' | 'notStorable'>>>

/** What its contract refuses. */
function wrongIn(fields: DeviceFields, names: readonly DeviceFieldName[]): Wrong {
  const issues = contract.AddDeviceModel.safeParse(bodyOf(fields)).error?.issues ?? []
  return Object.fromEntries(
    names.flatMap((name) => {
      const issue = issues.find(({ path }) => path.at(-1) === name)
      return issue === undefined ? [] : [[name, issue.code === 'too_small' ? 'missing' : 'notStorable']]
    }),
  )
}

interface AddDialogProps {
  readonly onClose: () => void
  readonly onAdded: (deviceId: string) => void
}

/** A camera that is not here yet; most add themselves when they are first docked. */
export function AddDialog({ onClose, onAdded }: AddDialogProps) {
  const { t } = useTranslation('devices')
  const form = useForm(EMPTY, [...IDENTITY_NAMES, ...NAMES], trimmed)
  const send = useSend()
  return (
    <ActDialog
      title={t('addTitle')}
      lead={t('addLead')}
      act={t('add')}
      failed={t('notAdded')}
      check={form.check}
      onAct={async () => onAdded(await send(form.sent))}
      onClose={onClose}
    >
      <Texts {...form} />
    </ActDialog>
  )
}

interface EditDialogProps {
  readonly device: Device
  readonly onClose: () => void
}

/** What it is called and of which type; by what it is recognised never changes. */
export function EditDialog({ device, onClose }: EditDialogProps) {
  const { t } = useTranslation('devices')
  const { DeviceIdentification, DeviceType } = device
  const stored = { ...DeviceIdentification, DeviceType: DeviceType === 'None' ? '' : DeviceType }
  const form = useForm(
    fieldsFrom((name) => stored[name] ?? ''),
    NAMES,
  )
  const send = useSend()
  return (
    <ActDialog
      title={t('editTitle', { name: titleOf(device) })}
      lead={t('editLead')}
      act={t('save')}
      failed={t('notSaved')}
      check={form.check}
      onAct={() => send(form.sent)}
      onClose={onClose}
    >
      <Texts {...form} />
    </ActDialog>
  )
}

/** What is wrong is said once somebody tried to send it. @param names of the fields that it shows */
function useForm(
  first: DeviceFields,
  names: readonly DeviceFieldName[],
  sentOf = (fields: DeviceFields): DeviceFields => fields,
) {
  const [fields, setFields] = useState(first)
  const [tried, setTried] = useState(false)
  const sent = sentOf(fields)
  const wrong = wrongIn(sent, names)
  return {
    names,
    fields,
    sent,
    wrong: tried ? wrong : {},
    set: (name: DeviceFieldName, text: string): void => setFields((now) => ({ ...now, [name]: text })),
    check: (): boolean => {
      setTried(true)
      return Object.keys(wrong).length === 0
    },
  }
}

function Texts({ names, fields, wrong, set }: Omit<ReturnType<typeof useForm>, 'sent' | 'check'>) {
  const { t } = useTranslation('devices')
  const { t: ui } = useTranslation('ui')
  const words = { missing: t('fieldMissing'), notStorable: ui('notStorable') }
  return names.map((name, at) => {
    const { kind, label, how, most, code } = fieldOf(name)
    const problem = wrong[name]
    const identity = kind === 'identity'
    return (
      <TextField
        key={name}
        label={t(label)}
        description={how === undefined ? undefined : t(how)}
        required={identity}
        autoFocus={identity && at === 0}
        maxLength={most}
        spellCheck={code ? false : undefined}
        value={fields[name]}
        onChange={(text) => set(name, text)}
        error={problem === undefined ? undefined : words[problem]}
      />
    )
  })
}

/** Adding one that is known changes what it is called (decisions 5). What is left empty stays as it was. */
function useSend(): (fields: DeviceFields) => Promise<string> {
  const { t } = useTranslation('devices')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const keyFor = useRequestKey()
  return async (fields) => {
    const body = bodyOf(fields)
    const made = await call(contract.addDevice, { params: { tenantId: tenant }, body, idempotencyKey: keyFor(body) })
    await refresh()
    toasts.show({ text: t('savedToast', { name: titleOf(made) }) })
    return made.Id
  }
}
