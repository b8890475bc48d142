/** Recordings that nobody is known for: whose the camera was is stated here, and confirmed by somebody else (decisions 5). */
import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/devices/associations.contract.ts'
import { call, newKey } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { ActDialog } from '../../../ui/act/act-dialog.tsx'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Note } from '../../../ui/note/note.tsx'
import { Problem } from '../../../ui/problem/problem.tsx'
import { type Officer, OfficerField } from '../assign/officer-field.tsx'
import { type Association, type Detail, useAssociations, useRefreshed } from './queries.ts'
import styles from './sessions.module.css'

export function Whose({ session }: { readonly session: Detail }) {
  const { t } = useTranslation('dockSessions')
  const [stating, setStating] = useState(false)
  const { data = [] } = useAssociations(session.DeviceId)
  const unknown = session.Recordings.filter(({ OfficersNow }) => OfficersNow.length !== 1)
  const range = rangeOf(session.Recordings)
  const pending = data.filter(({ Access, FromUtc, ToUtc }) => Access === 'Pending' && touches(range, FromUtc, ToUtc))
  if (unknown.length === 0 && pending.length === 0) return null
  const empty = rangeOf(unknown.filter(({ OfficersNow }) => OfficersNow.length === 0))
  return (
    <div className={`${styles['note']} ${styles['notes']}`}>
      {unknown.length > 0 && (
        <Note
          state="attention"
          title={t('noOfficer', { count: unknown.length })}
          action={
            session.DeviceId !== null &&
            empty !== null && (
              <Button size="small" onPress={() => setStating(true)}>
                {t('state_whose')}
              </Button>
            )
          }
        >
          {t('noOfficerBody')}
        </Note>
      )}
      {pending.map((one) => (
        <Pending key={one.AssociationId} one={one} />
      ))}
      {stating && session.DeviceId !== null && empty !== null && (
        <State deviceId={session.DeviceId} range={empty} onClose={() => setStating(false)} />
      )}
    </div>
  )
}

interface Range {
  readonly from: string
  readonly to: string
}

/** From the first start to the last end, by the station's clock; the end itself is outside, so a moment is added. */
function rangeOf(recordings: Detail['Recordings']): Range | null {
  const starts = recordings.flatMap(({ CorrectedStartTimeUtc: at }) => (at === null ? [] : [Date.parse(at)]))
  const ends = recordings.flatMap(({ CorrectedEndTimeUtc: at }) => (at === null ? [] : [Date.parse(at)]))
  if (starts.length === 0) return null
  const iso = (millis: number): string => new Date(millis).toISOString()
  return { from: iso(Math.min(...starts)), to: iso(Math.max(...starts, ...ends) + 1000) }
}

const touches = (range: Range | null, from: string, to: string | null): boolean =>
  range !== null && Date.parse(from) < Date.parse(range.to) && (to === null || Date.parse(to) > Date.parse(range.from))

function State({
  deviceId,
  range,
  onClose,
}: {
  readonly deviceId: string
  readonly range: Range
  readonly onClose: () => void
}) {
  const { t } = useTranslation('dockSessions')
  const format = useFormat()
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const [officer, setOfficer] = useState<Officer | null>(null)
  const [tried, setTried] = useState(false)
  const [key] = useState(newKey)
  const at = (time: string): string => format.instant(time, { precision: 'minute' })
  return (
    <ActDialog
      title={t('pastTitle')}
      lead={t('pastLead', { from: at(range.from), to: at(range.to) })}
      act={t('pastAct')}
      failed={t('pastFailed')}
      check={() => {
        setTried(true)
        return officer !== null
      }}
      onAct={() =>
        refreshed(
          call(contract.createAssociation, {
            params: { tenantId: tenant, deviceId },
            body: { PrincipalId: officer?.id ?? '', FromUtc: range.from, ToUtc: range.to },
            idempotencyKey: key,
          }),
        )
      }
      onClose={onClose}
    >
      <OfficerField
        label={t('pastOfficer')}
        value={officer}
        onChange={setOfficer}
        error={tried && officer === null ? t('findOfficer') : undefined}
      />
    </ActDialog>
  )
}

function Pending({ one }: { readonly one: Association }) {
  const { t } = useTranslation('dockSessions')
  const format = useFormat()
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const { busy, error, run } = useAct()
  const at = (time: string | null): string => (time === null ? '…' : format.instant(time, { precision: 'minute' }))
  const params = { tenantId: tenant, deviceId: one.DeviceId, associationId: one.AssociationId }
  return (
    <>
      <Note
        state="waiting"
        title={t('pending', {
          name: nameOf(one.Officer),
          by: nameOf(one.CreatedBy),
          from: at(one.FromUtc),
          to: at(one.ToUtc),
        })}
        action={
          <Button
            size="small"
            busy={busy}
            onPress={() =>
              run(() =>
                refreshed(call(contract.confirmAssociation, { params, body: { ConcurrencyId: one.ConcurrencyId } })),
              )
            }
          >
            {t('confirm')}
          </Button>
        }
      >
        {t('pendingBody')}
      </Note>
      {error !== null && <Problem error={error} title={t('confirmFailed')} />}
    </>
  )
}

const nameOf = ({ Name, Username }: Association['Officer']): string => visible(Name ?? Username ?? '')
