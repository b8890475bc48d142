import { type KeyboardEvent, type RefObject, useCallback, useMemo, useRef } from 'react'
import { isMember } from '../../client/rights.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { useShortcuts } from '../../ui/command/use-shortcuts.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { PageFrame, PageNote } from '../../ui/layout/page-frame.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { CasesSection } from './cases-section.tsx'
import { type Today, useToday } from './queries.ts'
import { GivenSection, ShiftSection } from './recordings-section.tsx'
import { SampleSection } from './sample-section.tsx'
import { SetUpSection } from './set-up-section.tsx'
import { StationSection } from './station-section.tsx'
import styles from './today.module.css'
import { WaitingSection } from './waiting-section.tsx'

interface Props {
  /** Opens the drawer of jobs, and the list of notices. */
  readonly onJobs: () => void
  readonly onNotices: () => void
}

/** Where everybody begins: what they recorded last, their cases, what waits for them, and the station for those who keep it. */
export function TodayPage({ onJobs, onNotices }: Props) {
  const { t } = useTranslation('today')
  const format = useFormat()
  const { data: today, error, refetch } = useToday()
  const place = useRef<HTMLDivElement>(null)
  const onKeyDown = useLineKeys(place)
  return (
    <PageFrame title={t('title')} lead={<span className="muted">{format.day(Date.now())}</span>}>
      {error !== null && (
        <PageNote>
          <Problem error={error} onRetry={() => void refetch()} />
        </PageNote>
      )}
      <div ref={place} role="presentation" className={styles['page']} onKeyDown={onKeyDown}>
        {today !== undefined && <Sections {...{ today, onJobs, onNotices }} />}
        {today === undefined && error === null && <Skeleton lines={8} />}
      </div>
    </PageFrame>
  )
}

function Sections({ today, onJobs, onNotices }: Props & { readonly today: Today }) {
  const { session } = useSession()
  const guest = !isMember(session)
  // Whoever sets up a station has nothing of their own yet: then that is where they begin.
  const isNew = today.Recordings.Items.length === 0 && today.Cases.Items.length === 0
  return (
    <>
      <div className={styles['own']}>
        {isNew && (
          <>
            <SetUpSection checklist={today.Checklist} />
            <SampleSection checklist={today.Checklist} />
          </>
        )}
        {guest ? <GivenSection {...today.Recordings} /> : <ShiftSection shift={today.Shift} {...today.Recordings} />}
        <CasesSection {...today.Cases} guest={guest} />
      </div>
      <div className={styles['aside']}>
        <WaitingSection waiting={today.Waiting} guest={guest} onJobs={onJobs} onNotices={onNotices} />
        <StationSection cameras={today.Cameras} />
        {!isNew && (
          <>
            <SampleSection checklist={today.Checklist} />
            <SetUpSection checklist={today.Checklist} />
          </>
        )}
      </div>
    </>
  )
}

/** J and K go from line to line, as the arrows do on a line; Enter opens, as on every link. */
function useLineKeys(place: RefObject<HTMLElement | null>): (event: KeyboardEvent) => void {
  const go = useCallback(
    (by: 1 | -1): void => {
      const lines = [...(place.current?.querySelectorAll<HTMLElement>('[data-line]') ?? [])]
      const at = lines.findIndex((line) => line === document.activeElement)
      const next = at === -1 ? lines.at(by === 1 ? 0 : -1) : lines[at + by]
      next?.focus()
    },
    [place],
  )
  useShortcuts(useMemo(() => ({ j: () => go(1), k: () => go(-1) }), [go]))
  return useCallback(
    (event) => {
      const by = ARROWS[event.key]
      if (by === undefined || !(event.target as HTMLElement).hasAttribute('data-line')) return
      event.preventDefault()
      go(by)
    },
    [go],
  )
}

const ARROWS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }
