import { useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import * as contract from '../../../shared/station/warnings.contract.ts'
import { dayStart, type StationWarning, waiverEnds } from '../../../shared/station/warnings.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { useTextDraft } from '../../client/use-text-draft.ts'
import { bySchema, useTextProblem } from '../../client/use-text-problem.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { DateTimeField } from '../../ui/date-time/date-time.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { useRefreshed } from './queries.ts'
import styles from './integrity.module.css'

const USUAL_DAYS = 30

interface WaiveDialogProps {
  readonly warning: StationWarning
  /** The warning in a sentence. */
  readonly title: string
  /** The station's time. */
  readonly now: string
  readonly onClose: () => void
}

/** Lets a warning stand without its counting: why, and until which day. */
export function WaiveDialog({ warning, title, now, onClose }: WaiveDialogProps) {
  const { t } = useTranslation('integrity')
  const { zone, day } = useFormat()
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const [reason, setReason, forgetReason] = useTextDraft(`waive-${warning}`)
  const [opened] = useState(() => Date.parse(now))
  const [until, setUntil] = useState<string | null>(() => iso(dayStart(opened, zone, USUAL_DAYS)))
  const [tried, setTried] = useState(false)
  const { earliest, latest } = waiverEnds(opened, zone)
  // The field keeps the time of day of what was there before; a waiver ends as its day begins.
  const end = until === null ? null : dayStart(Date.parse(until), zone)
  const wrong = useTextProblem(bySchema(contract.WaiverReason), reason, t('waiveReasonNeeded'))
  const lacksEnd = end === null || end < earliest || end > latest
  const range = { first: day(earliest), last: day(latest) }
  return (
    <ActDialog
      title={t('waiveTitle')}
      lead={t('waiveLead')}
      act={t('waiveDo')}
      failed={t('waiveFailed')}
      check={() => {
        setTried(true)
        return wrong === undefined && !lacksEnd
      }}
      onAct={() =>
        refreshed(
          call(contract.waiveStationWarning, {
            params: { tenantId: tenant, warning },
            body: { Reason: reason, UntilUtc: iso(end as number) },
          }).then(forgetReason),
        )
      }
      onClose={onClose}
    >
      <p className={styles['message']}>{title}</p>
      <TextArea
        label={t('reason')}
        description={t('waiveReasonHelp')}
        value={reason}
        onChange={setReason}
        maxLength={contract.LONGEST_REASON}
        required
        autoFocus
        error={tried ? wrong : undefined}
      />
      <DateTimeField
        label={t('waiveUntil')}
        description={t('waiveUntilHelp')}
        value={until}
        onChange={setUntil}
        zone={zone}
        precision="day"
        min={iso(earliest)}
        max={iso(latest)}
        required
        {...(tried && lacksEnd ? { error: t('waiveUntilWrong', range) } : {})}
      />
    </ActDialog>
  )
}

const iso = (millis: number): string => new Date(millis).toISOString()
