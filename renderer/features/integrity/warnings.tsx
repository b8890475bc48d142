/** Warnings about the station in their place: what is missing, who waived it until when, and how that is changed. */
import { type ReactNode, Suspense, useId, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import * as contract from '../../../shared/station/warnings.contract.ts'
import type { StationWarning } from '../../../shared/station/warnings.ts'
import { call } from '../../client/api.ts'
import { lazyPart } from '../../client/load-chunk.ts'
import { useSession } from '../../client/session.tsx'
import { useStation } from '../../client/station.ts'
import { useAct } from '../../ui/act/use-act.ts'
import { Button } from '../../ui/button/button.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Note } from '../../ui/note/note.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { type Integrity, useRefreshed } from './queries.ts'

/** It brings the field for dates, which no other part of this page needs. */
const WaiveDialog = lazyPart(() => import('./waive-dialog.tsx').then((part) => ({ default: part.WaiveDialog })))

interface WarningNoteProps {
  readonly integrity: Integrity
  readonly warning: StationWarning
  /** What is missing, in a sentence. */
  readonly title: string
  /** What to do about it. */
  readonly children: ReactNode
}

/** One of the warnings that may be waived. */
export function WarningNote({ integrity, warning, title, children }: WarningNoteProps) {
  const { t } = useTranslation('integrity')
  const format = useFormat()
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const takeBack = useAct()
  const about = useId()
  const [waiving, setWaiving] = useState(false)
  const standing = integrity.Warnings.find(({ Warning }) => Warning === warning)
  const waiver = standing?.Waiver ?? null
  // One button in one place: when a waiver comes or goes, the focus stays on it.
  const action = standing !== undefined && (
    <Button
      size="small"
      kind="quiet"
      busy={takeBack.busy}
      aria-describedby={about}
      onPress={() =>
        waiver === null
          ? setWaiving(true)
          : takeBack.run(() =>
              refreshed(call(contract.takeBackStationWaiver, { params: { tenantId: tenant, warning } })),
            )
      }
    >
      {t(waiver === null ? 'waive' : 'takeBack')}
    </Button>
  )
  return (
    <>
      <Note
        {...(waiver === null ? { state: 'attention' as const } : { icon: 'waiting' as const })}
        title={<span id={about}>{title}</span>}
        action={action}
      >
        {waiver === null ? (
          children
        ) : (
          <span title={format.instant(waiver.UntilUtc, { precision: 'minute', zone: true })}>
            {t('waivedBy', { day: format.day(waiver.UntilUtc), who: waiver.WaivedBy.Name, reason: waiver.Reason })}
          </span>
        )}
      </Note>
      {takeBack.error !== null && <Problem error={takeBack.error} title={t('takeBackFailed')} />}
      {waiving && (
        <Suspense>
          <WaiveDialog warning={warning} title={title} now={integrity.TimeUtc} onClose={() => setWaiving(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Times rest on the clock of the station's machine. Absent while something keeps it right. */
export function ClockWarning({ integrity }: { readonly integrity: Integrity }) {
  const { t } = useTranslation('integrity')
  const source = useStation()?.Clock.Source
  if (source === 'free')
    return (
      <Note state="attention" title={t('clockFree')}>
        {t('clockFreeBody')}
      </Note>
    )
  if (source !== 'unknown') return null
  return (
    <WarningNote integrity={integrity} warning="clock" title={t('clockUnknown')}>
      {t('clockUnknownBody')}
    </WarningNote>
  )
}
