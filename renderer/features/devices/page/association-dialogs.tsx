import { Suspense, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/devices/associations.contract.ts'
import { call } from '../../../client/api.ts'
import { useRequestKey } from '../../../client/request-key.ts'
import { useSession } from '../../../client/session.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Association, type Device, useRefresh } from '../queries.ts'
import { type Officer, OfficerField } from '../officer-field.tsx'
import { ActDialog } from '../problem.tsx'
import { nameOf, titleOf } from '../labels.ts'
import { lazyPart } from '../../../client/load-chunk.ts'

const DateTimeField = lazyPart(async () => ({
  default: (await import('../../../ui/date-time/date-time.tsx')).DateTimeField,
}))

interface DialogProps {
  readonly device: Device
  readonly one: Association
  readonly onClose: () => void
}

const addressOf = (tenantId: string, { DeviceId, AssociationId }: Association) => ({
  params: { tenantId, deviceId: DeviceId, associationId: AssociationId },
})

interface TimesProps {
  readonly from: string | null
  readonly to: string | null
  readonly onFrom: (at: string | null) => void
  readonly onTo: (at: string | null) => void
  readonly fromHow?: string | undefined
  readonly wrong?: string | undefined
}

function Times({ from, to, onFrom, onTo, fromHow, wrong }: TimesProps) {
  const { t } = useTranslation('devices')
  const { zone } = useFormat()
  return (
    <Suspense fallback={<Skeleton lines={2} />}>
      <DateTimeField label={t('from')} description={fromHow} value={from} onChange={onFrom} zone={zone} />
      <DateTimeField
        label={t('to')}
        description={t('toHow')}
        value={to}
        onChange={onTo}
        zone={zone}
        {...(wrong === undefined ? {} : { error: wrong })}
      />
    </Suspense>
  )
}

/** Whether any of it lies before now: that part gives access only once another one confirmed it. */
const isPast = (from: string | null): boolean => from !== null && Date.parse(from) < Date.now() - 60_000
const inOrder = (from: string | null, to: string | null): boolean =>
  to === null || Date.parse(to) > (from === null ? Date.now() : Date.parse(from))

function PastNote() {
  const { t } = useTranslation('devices')
  return (
    <Note state="attention" title={t('pastTitle')}>
      {t('pastBody')}
    </Note>
  )
}

export function AssociateDialog({ device, onClose }: { readonly device: Device; readonly onClose: () => void }) {
  const { t } = useTranslation('devices')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const keyFor = useRequestKey()
  const [officer, setOfficer] = useState<Officer | null>(null)
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<string | null>(null)
  const [tried, setTried] = useState(false)
  const associate = async (): Promise<void> => {
    const body = { PrincipalId: officer?.id ?? '', FromUtc: from, ToUtc: to }
    const params = { tenantId: tenant, deviceId: device.Id }
    await call(contract.createAssociation, { params, body, idempotencyKey: keyFor(body) })
    await refresh()
    toasts.show({ text: t('associatedToast', { name: titleOf(device), who: officer?.name ?? '' }) })
  }
  return (
    <ActDialog
      title={t('associateTitle', { name: titleOf(device) })}
      lead={t('associateLead')}
      act={t('associate')}
      failed={t('notAssociated')}
      check={() => {
        setTried(true)
        return officer !== null && inOrder(from, to)
      }}
      onAct={associate}
      onClose={onClose}
    >
      <OfficerField
        label={t('officer')}
        required
        autoFocus
        value={officer}
        onChange={setOfficer}
        error={tried && officer === null ? t('officerMissing') : undefined}
      />
      <Times
        from={from}
        to={to}
        onFrom={setFrom}
        onTo={setTo}
        fromHow={t('fromHow')}
        wrong={tried && !inOrder(from, to) ? t('refusedRange') : undefined}
      />
      {isPast(from) && <PastNote />}
    </ActDialog>
  )
}

/** From now on it is no longer theirs. What they recorded with it stays theirs. */
export function EndDialog({ device, one, onClose }: DialogProps) {
  const { t } = useTranslation('devices')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const who = nameOf(one.Officer, t)
  const comes = Date.parse(one.FromUtc) > Date.now()
  const end = async (): Promise<void> => {
    const { ConcurrencyId } = one
    if (comes) await call(contract.deleteAssociation, addressOf(tenant, one))
    else
      await call(contract.changeAssociation, {
        ...addressOf(tenant, one),
        body: { ToUtc: new Date().toISOString(), ConcurrencyId },
      })
    await refresh()
    toasts.show({ text: t('endedToast', { name: titleOf(device), who }) })
  }
  return (
    <ActDialog
      title={t('endTitle', { name: titleOf(device), who })}
      lead={t(comes ? 'endLeadComing' : 'endLead')}
      act={t('endAct')}
      failed={t('notDone')}
      onAct={end}
      onClose={onClose}
    />
  )
}

export function ChangeDialog({ device, one, onClose }: DialogProps) {
  const { t } = useTranslation('devices')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const [from, setFrom] = useState<string | null>(one.FromUtc)
  const [to, setTo] = useState<string | null>(one.ToUtc)
  const [tried, setTried] = useState(false)
  const wrong = from === null ? t('fromMissing') : inOrder(from, to) ? undefined : t('refusedRange')
  const change = async (): Promise<void> => {
    // What was not touched goes back as it came: the fields show no fractions of a second.
    const body = {
      ...(from === one.FromUtc ? {} : { FromUtc: from }),
      ...(to === one.ToUtc ? {} : { ToUtc: to }),
      ConcurrencyId: one.ConcurrencyId,
    }
    await call(contract.changeAssociation, { ...addressOf(tenant, one), body })
    await refresh()
    toasts.show({ text: t('changedToast', { name: titleOf(device) }) })
  }
  const earlier = from !== null && Date.parse(from) < Date.parse(one.FromUtc) && isPast(from)
  const later = one.ToUtc !== null && isPast(one.ToUtc) && (to === null || Date.parse(to) > Date.parse(one.ToUtc))
  return (
    <ActDialog
      title={t('changeTitle', { name: titleOf(device), who: nameOf(one.Officer, t) })}
      lead={t('changeLead')}
      act={t('save')}
      failed={t('notSaved')}
      check={() => {
        setTried(true)
        return wrong === undefined
      }}
      onAct={change}
      onClose={onClose}
    >
      <Times from={from} to={to} onFrom={setFrom} onTo={setTo} wrong={tried ? wrong : undefined} />
      {(earlier || later) && <PastNote />}
    </ActDialog>
  )
}

/** The second person's own decision. */
export function ConfirmDialog({ device, one, onClose }: DialogProps) {
  const { t } = useTranslation('devices')
  const { tenant } = useSession()
  const format = useFormat()
  const refresh = useRefresh()
  const who = nameOf(one.Officer, t)
  const time = (at: string): string => format.instant(at, { precision: 'minute' })
  const confirm = async (): Promise<void> => {
    const { ConcurrencyId } = one
    await call(contract.confirmAssociation, { ...addressOf(tenant, one), body: { ConcurrencyId } })
    await refresh()
    toasts.show({ text: t('confirmedToast', { name: titleOf(device), who }) })
  }
  return (
    <ActDialog
      title={t('confirmTitle', { name: titleOf(device), who })}
      lead={t('confirmLead', {
        who,
        from: time(one.FromUtc),
        to: one.ToUtc === null ? t('noEnd') : time(one.ToUtc),
      })}
      act={t('confirm')}
      failed={t('notDone')}
      onAct={confirm}
      onClose={onClose}
    />
  )
}

/** As if it had never been: only for what was made by mistake. */
export function RemoveDialog({ device, one, onClose }: DialogProps) {
  const { t } = useTranslation('devices')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const who = nameOf(one.Officer, t)
  const remove = async (): Promise<void> => {
    await call(contract.deleteAssociation, addressOf(tenant, one))
    await refresh()
    toasts.show({ text: t('removedToast', { name: titleOf(device), who }) })
  }
  return (
    <ActDialog
      title={t('removeTitle', { name: titleOf(device), who })}
      lead={t('removeLead', { who })}
      act={t('remove')}
      failed={t('notDone')}
      danger
      onAct={remove}
      onClose={onClose}
    />
  )
}
