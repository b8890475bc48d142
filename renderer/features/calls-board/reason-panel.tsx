import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { useShortcuts } from '../../ui/command/use-shortcuts.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Kbd } from '../../ui/kbd/kbd.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import type { Chosen } from './board.tsx'
import { type NumberGap, type Reason, type ReasonRecording, useLinkActs, useReason } from './queries.ts'
import { shareAt } from './lanes.ts'
import { FootageMark } from './mark.tsx'
import styles from './panel.module.css'
import { againstWords, missingWords, officerOf, reasonWords } from './labels.ts'
import { lazyPart } from '../../client/load-chunk.ts'
import { shownClock } from '../../../shared/evidence/clock-lines.ts'
import { TwoClocks } from '../../ui/clocks/clocks.tsx'

const RefuseDialog = lazyPart(() => import('./refuse-dialog.tsx'))

interface PanelProps {
  readonly chosen: Chosen
  /** Numbers that are missing of the officer's cameras in this time. */
  readonly gaps: readonly NumberGap[]
  readonly onClose: () => void
}

/** Why a call was recorded by an officer, or why it was not; with the proof beside it. */
export function ReasonPanel({ chosen, gaps, onClose }: PanelProps) {
  const { data, error, refetch } = useReason(chosen.call, chosen.who)
  if (error !== null)
    return (
      <div className={styles['section']}>
        <Problem error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (data === undefined)
    return (
      <div className={styles['section']}>
        <Skeleton lines={6} />
      </div>
    )
  return <Told key={`${chosen.call} ${chosen.who}`} reason={data} {...{ gaps, onClose }} />
}

function Told({ reason, gaps, onClose }: Omit<PanelProps, 'chosen'> & { readonly reason: Reason }) {
  const { t } = useTranslation('calls')
  const format = useFormat()
  const counting = reason.Recordings.filter(({ Counts }) => Counts)
  const others = reason.Recordings.filter(({ Counts }) => !Counts)
  const lengths = {
    covered: format.duration(reason.CoveredSeconds),
    whole: format.duration(reason.DispatchedSeconds),
  }
  return (
    <>
      <section className={styles['section']} aria-live="polite">
        <header className={styles['head']}>
          <h2 className={styles['title']}>
            {t('panelTitle', {
              number: visible(reason.Call.Number),
              officer: officerOf(reason.Officer, format),
            })}
          </h2>
          <IconButton kind="quiet" size="small" icon="x" label={t('close')} onPress={onClose} />
        </header>
        <FootageMark state={reason.State} pill>
          {t(`pill${reason.State}`, lengths)}
        </FootageMark>
        <p className={styles['why']}>{reasonWords(reason, t, format)}</p>
        <Link to="/cases/$caseId" params={{ caseId: reason.Call.CaseId }} className={styles['link']}>
          {t('openCase')}
        </Link>
      </section>
      <Compared reason={reason} />
      {counting.length > 0 && (
        <section className={styles['section']}>
          <h2 className={styles['title']}>{t('recordings')}</h2>
          {counting.map((one, at) => (
            <Recording key={one.EvidenceId} caseId={reason.Call.CaseId} recording={one} keys={at === 0} />
          ))}
        </section>
      )}
      {reason.Cameras.length > 0 && <Cameras reason={reason} />}
      {gaps.length > 0 && (
        <section className={styles['section']}>
          <h2 className={styles['title']}>{t('numbers')}</h2>
          <ul className={styles['others']}>
            {gaps.map((gap) => (
              <li key={gap.AfterEvidenceId}>
                {t('missingOf', {
                  camera: visible(gap.Camera),
                  what: missingWords(gap, t),
                  sure: t(gap.Sure ? 'missingSure' : 'missingSeen'),
                })}
              </li>
            ))}
          </ul>
        </section>
      )}
      {others.length > 0 && (
        <section className={styles['section']}>
          <h2 className={styles['title']}>{t('notCounted')}</h2>
          <ul className={styles['others']}>
            {others.map((one) => (
              <li key={one.EvidenceId}>
                <Name recording={one} /> {againstWords(one, t)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** The call and what was recorded on one axis, with a little room on each side. */
function Compared({ reason }: { readonly reason: Reason }) {
  const { t } = useTranslation('calls')
  const format = useFormat()
  const { FromUtc, ToUtc, Recorded } = reason
  const [from, to] = [Date.parse(FromUtc), Date.parse(ToUtc ?? FromUtc)]
  const room = Math.max(60_000, (to - from) * 0.06)
  const axis = { from: from - room, to: to + room }
  const bar = (first: number, last: number) => {
    const left = shareAt(first, axis)
    return { insetInlineStart: `${left}%`, inlineSize: `${Math.max(0.8, shareAt(last, axis) - left)}%` }
  }
  const time = (at: string): string => format.timeOfDay(at, 'second')
  const spans = Recorded.map((span) => t('untilEnd', { from: time(span.FromUtc), to: time(span.ToUtc) }))
  return (
    <section className={styles['section']}>
      <h2 className={styles['title']}>{t('compare')}</h2>
      <p className={styles['fact']}>
        <span>{t('theCall')}</span>
        <span>
          {ToUtc === null
            ? t('untilOpen', { from: time(FromUtc) })
            : t('untilEnd', { from: time(FromUtc), to: time(ToUtc) })}
        </span>
      </p>
      <div className={styles['track']} aria-hidden="true">
        <i className={styles['call']} style={bar(from, to)} />
      </div>
      <p className={styles['fact']}>
        <span>{t('theRecording')}</span>
        <span>{spans.length === 0 ? t('nothing') : spans.join(', ')}</span>
      </p>
      <div className={styles['track']} aria-hidden="true">
        <i className={styles['hatch']} data-state={reason.State} style={bar(from, to)} />
        {Recorded.map((span) => (
          <i
            key={span.FromUtc}
            className={styles['film']}
            style={bar(Date.parse(span.FromUtc), Date.parse(span.ToUtc))}
          />
        ))}
      </div>
    </section>
  )
}

const Name = ({ recording }: { readonly recording: ReasonRecording }) => (
  <Link to="/evidence/$evidenceId" params={{ evidenceId: recording.EvidenceId }} className={styles['link']}>
    <bdi>{visible(recording.Name ?? recording.EvidenceId)}</bdi>
  </Link>
)

const RULES = { officer: 'ruleOfficer', place: 'rulePlace', number: 'ruleNumber' } as const

interface RecordingProps {
  readonly caseId: string
  readonly recording: ReasonRecording
  /** Y and N act on it. */
  readonly keys: boolean
}

function Recording({ caseId, recording, keys }: RecordingProps) {
  const { t } = useTranslation('calls')
  const format = useFormat()
  const { Rule, Confidence, State, MayConfirm } = recording
  return (
    <div className={styles['recording']}>
      <Name recording={recording} />
      <dl className={styles['facts']}>
        <dt>{t('rule')}</dt>
        <dd>{Rule === null ? t('ruleNone') : t(RULES[Rule])}</dd>
        <dt>{t('overlap')}</dt>
        <dd>{t('overlapWords', { length: format.duration(recording.OverlapSeconds) })}</dd>
        <dt>{t('clock')}</dt>
        <dd>
          <TwoClocks {...shownClock(recording.Clock)} />
        </dd>
        <dt>{t('link')}</dt>
        <dd>{t(`link${State}`)}</dd>
        {Confidence !== null && (
          <>
            <dt>{t('confidence')}</dt>
            <dd>{t(`confidence${Confidence}`)}</dd>
          </>
        )}
      </dl>
      {MayConfirm && <Acts {...{ caseId, recording, keys }} />}
    </div>
  )
}

function Acts({ caseId, recording, keys }: RecordingProps) {
  const { t } = useTranslation('calls')
  const acts = useLinkActs(caseId)
  const [busy, setBusy] = useState(false)
  const [refusing, setRefusing] = useState(false)
  const confirm = (): void => {
    if (busy) return
    setBusy(true)
    acts
      .confirm(recording.EvidenceId)
      .then(() => toasts.show({ text: t('confirmed') }), toasts.problem)
      .finally(() => setBusy(false))
  }
  const refuse = (): void => setRefusing(true)
  useShortcuts(keys ? { y: confirm, n: refuse } : {})
  return (
    <div className={styles['acts']}>
      <Button kind="main" size="small" icon="check" busy={busy} onPress={confirm}>
        {t('confirm')}
      </Button>
      {keys && <Kbd>Y</Kbd>}
      <Button size="small" onPress={refuse}>
        {t('refuse')}
      </Button>
      {keys && <Kbd>N</Kbd>}
      {refusing && (
        <Suspense fallback={null}>
          <RefuseDialog
            about={recording.EvidenceId}
            onRefuse={async (reason) => {
              await acts.refuse(recording.EvidenceId, reason)
              toasts.show({ text: t('refused') })
            }}
            onClose={() => setRefusing(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

const DOCKED = { Since: 'cameraSince', Now: 'cameraNow', Pulled: 'cameraPulled', No: 'cameraNo' } as const

function Cameras({ reason }: { readonly reason: Reason }) {
  const { t } = useTranslation('calls')
  const format = useFormat()
  return (
    <section className={styles['section']}>
      <h2 className={styles['title']}>{t('cameras')}</h2>
      <dl className={styles['facts']}>
        {reason.Cameras.map((camera) => {
          const time = camera.DockedUtc === null ? '' : format.instant(camera.DockedUtc, { precision: 'minute' })
          const told = [
            t(DOCKED[camera.Docked], { time }),
            ...(camera.Failed === null ? [] : [t(`cameraFailed${camera.Failed}`)]),
            ...(camera.Active ? [] : [t('cameraInactive')]),
          ]
          return (
            <div key={camera.Name} className={styles['pair']}>
              <dt>
                <bdi>{visible(camera.Name)}</bdi>
              </dt>
              <dd>{told.join('. ')}</dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}
