import { useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import * as contract from '../../../shared/devices/contract.ts'
import { call } from '../../client/api.ts'
import { useRequestKey } from '../../client/request-key.ts'
import { useSession } from '../../client/session.tsx'
import { TextField } from '../../ui/field/field.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import { type Device, useRefresh } from './queries.ts'
import { ActDialog } from './problem.tsx'
import { titleOf } from './labels.ts'

interface DeviceFields {
  readonly SerialNumber: string
  readonly Manufacturer: string
  readonly Model: string
  readonly CommonName: string
  readonly DeviceType: string
}
const EMPTY: DeviceFields = {
  SerialNumber: '',
  Manufacturer: '',
  Model: '',
  CommonName: '',
  DeviceType: 'BodyWornCamera',
}
/** As interfaces.md 2.6 takes them. */
const LONGEST = 256

interface AddDialogProps {
  readonly onClose: () => void
  readonly onAdded: (deviceId: string) => void
}

/** A camera that is not here yet; most add themselves when they are first docked. */
export function AddDialog({ onClose, onAdded }: AddDialogProps) {
  const { t } = useTranslation('devices')
  const [fields, setFields] = useState(EMPTY)
  const [tried, setTried] = useState(false)
  const send = useSend()
  const set = (what: Partial<DeviceFields>): void => setFields((now) => ({ ...now, ...what }))
  const missing = (text: string): string | undefined => (tried && text.trim() === '' ? t('fieldMissing') : undefined)
  return (
    <ActDialog
      title={t('addTitle')}
      lead={t('addLead')}
      act={t('add')}
      failed={t('notAdded')}
      check={() => {
        setTried(true)
        return fields.SerialNumber.trim() !== '' && fields.Manufacturer.trim() !== ''
      }}
      onAct={async () =>
        onAdded(
          await send({
            ...fields,
            SerialNumber: fields.SerialNumber.trim(),
            Manufacturer: fields.Manufacturer.trim(),
          }),
        )
      }
      onClose={onClose}
    >
      <TextField
        label={t('serial')}
        description={t('serialHow')}
        required
        autoFocus
        maxLength={LONGEST}
        spellCheck={false}
        value={fields.SerialNumber}
        onChange={(SerialNumber) => set({ SerialNumber })}
        error={missing(fields.SerialNumber)}
      />
      <TextField
        label={t('manufacturer')}
        required
        maxLength={LONGEST}
        value={fields.Manufacturer}
        onChange={(Manufacturer) => set({ Manufacturer })}
        error={missing(fields.Manufacturer)}
      />
      <Names fields={fields} set={set} />
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
  const { SerialNumber, Manufacturer, Model, CommonName } = device.DeviceIdentification
  const [fields, setFields] = useState<DeviceFields>({
    SerialNumber,
    Manufacturer,
    Model: Model ?? '',
    CommonName: CommonName ?? '',
    DeviceType: device.DeviceType === 'None' ? '' : device.DeviceType,
  })
  const send = useSend()
  return (
    <ActDialog
      title={t('editTitle', { name: titleOf(device) })}
      lead={t('editLead')}
      act={t('save')}
      failed={t('notSaved')}
      check={() => true}
      onAct={() => send(fields)}
      onClose={onClose}
    >
      <Names fields={fields} set={(what) => setFields((now) => ({ ...now, ...what }))} />
    </ActDialog>
  )
}

interface NamesProps {
  readonly fields: DeviceFields
  readonly set: (what: Partial<DeviceFields>) => void
}

function Names({ fields, set }: NamesProps) {
  const { t } = useTranslation('devices')
  return (
    <>
      <TextField
        label={t('commonName')}
        description={t('commonNameHow')}
        maxLength={LONGEST}
        value={fields.CommonName}
        onChange={(CommonName) => set({ CommonName })}
      />
      <TextField label={t('model')} maxLength={LONGEST} value={fields.Model} onChange={(Model) => set({ Model })} />
      <TextField
        label={t('type')}
        description={t('typeHow')}
        maxLength={LONGEST}
        spellCheck={false}
        value={fields.DeviceType}
        onChange={(DeviceType) => set({ DeviceType })}
      />
    </>
  )
}

/** Adding one that is known changes what it is called (decisions 5). What is left empty stays as it was. */
function useSend(): (fields: DeviceFields) => Promise<string> {
  const { t } = useTranslation('devices')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const keyFor = useRequestKey()
  return async (fields) => {
    const said = (text: string): string | null => (text.trim() === '' ? null : text.trim())
    const body = {
      DeviceIdentification: {
        // Exactly: another space would be another device.
        SerialNumber: fields.SerialNumber,
        Manufacturer: fields.Manufacturer,
        Model: said(fields.Model),
        CommonName: said(fields.CommonName),
      },
      DeviceType: said(fields.DeviceType),
    }
    const made = await call(contract.addDevice, { params: { tenantId: tenant }, body, idempotencyKey: keyFor(body) })
    await refresh()
    toasts.show({ text: t('savedToast', { name: titleOf(made) }) })
    return made.Id
  }
}
