import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentType, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import * as actRoutes from '../../../../shared/cases/case-acts.contract.ts'
import { Fault } from '../../../client/api.ts'
import { offerCaseOfPage } from '../../../client/evidence-drag.ts'
import { withWords } from '../../../client/i18n.ts'
import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { SampleNote } from '../../../client/sample/parts.tsx'
import { useIsMember } from '../../../client/session.tsx'
import { useVisit } from '../../../client/use-visit.ts'
import { useTranslation } from '../../../client/translate.ts'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button } from '../../../ui/button/button.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { useNarrow, usePhone } from '../../../ui/layout/use-media.ts'
import { Note } from '../../../ui/note/note.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { CasePeople, useNames } from '../people-names.tsx'
import { Problem } from '../problem.tsx'
import { type Case, type CaseEvidence, evidencesOf, useCase, useCaseAct, useRefreshCase } from '../queries.ts'
import { holds, useMay } from '../rights.ts'
import { type CaseTimes, type EvidenceActsProps, EvidencePanel } from './evidence-panel.tsx'
import { Facts } from './facts.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { NotesPanel } from './notes-panel.tsx'
import { CaseNotes, PageHeader } from './page-header.tsx'
import styles from './page.module.css'
import { People } from './people.tsx'
import { PhotosOnTheWay } from './photograph.tsx'
import type { MapProps } from './places.tsx'
import { type PageSearch, wholeView } from './search-state.ts'
import { TimelinePanel } from './timeline-panel.tsx'
import { NoAccess } from '../work/no-access.tsx'
import { RequestNotes } from '../work/request-notes.tsx'
import { TasksPanel } from '../work/tasks-panel.tsx'

/** Few cases came from dispatch: its words are fetched with it. */
const DispatchPanel = lazyOpened(
  async () => (await withWords(import('./dispatch-panel.tsx'), 'cad', 'cadReasons')).DispatchPanel,
)
const OrderDialog = lazyOpened(
  async () => (await withWords(import('../../../client/packages/case-order.tsx'), 'packages')).CaseOrderDialog,
)

interface CasePageProps {
  readonly caseId: string
  /** Draws positions; comes from outside, for the map is part of another area. */
  readonly map: ComponentType<MapProps>
  /** Why the station linked what; comes from outside too. */
  readonly links: ComponentType<{ readonly caseId: string }>
  /** What is done with evidence that is chosen; comes from outside too. */
  readonly acts: ComponentType<EvidenceActsProps>
  /** A dialog that suggests times for its evidence; of another area too. */
  readonly times: CaseTimes
  /** Its packages, for those who can download it; of another area too. */
  readonly packages: CasePackages
  /** What was given of it, for those who can edit it; of another area too. */
  readonly disclosure: CaseDisclosure
}

export type CasePackages = ComponentType<{ readonly caseId: string; readonly onMake: () => void }>
export type CaseDisclosure = ComponentType<{ readonly caseId: string; readonly evidence: readonly CaseEvidence[] }>

/** One case: what is known of it, its evidence in time and place, who is in it, and everything that was changed. */
export function CasePage({ caseId, map, links, acts, times, packages, disclosure }: CasePageProps) {
  const { t } = useTranslation('cases')
  const search = useSearch({ strict: false }) as Partial<PageSearch>
  const view = useMemo(() => wholeView(search), [search])
  const version = view.v === '' ? null : view.v
  const { data: now, error, refetch } = useCase(caseId, null, false)
  const past = useCase(caseId, version, version !== null)
  const shown = version === null ? now : past.data
  const problem = useProblem(`${caseId} ${version ?? ''}`, error ?? (version === null ? null : past.error), shown)
  const title = now === undefined ? caseId : visible(now.Title)
  useEffect(() => {
    document.title = `${title} · Sallyport`
  }, [title])
  useVisit('case', caseId, now?.Title)
  if (problem instanceof Fault && problem.code === 'CaseDeleted') return <DeletedCase caseId={caseId} />
  if (problem !== null && shown === undefined) {
    const missing = problem instanceof Fault && ['CaseNotFound', 'Forbidden', 'InvalidModel'].includes(problem.code)
    return (
      <div className={styles['alone']}>
        {missing ? (
          problem.code === 'Forbidden' ? (
            <NoAccess caseId={caseId} />
          ) : (
            <EmptyState title={t('notFound')} action={<Link to="/cases">{t('toList')}</Link>}>
              {t('notFoundBody')}
            </EmptyState>
          )
        ) : (
          <Problem error={problem} onRetry={() => void (version === null ? refetch() : past.refetch())} />
        )}
      </div>
    )
  }
  if (now === undefined || shown === undefined)
    return (
      <div className={styles['alone']}>
        <Skeleton lines={8} />
      </div>
    )
  return (
    <CasePeople caseId={caseId}>
      <Page
        now={now}
        shown={shown}
        past={version !== null}
        view={view}
        map={map}
        links={links}
        acts={acts}
        times={times}
        packages={packages}
        disclosure={disclosure}
      />
    </CasePeople>
  )
}

/** What could not be read is asked for again from time to time. Meanwhile its problem stays, and with it what somebody types there. */
function useProblem(of: string, error: Error | null, shown: Case | undefined): Error | null {
  const [last, setLast] = useState<{ readonly of: string; readonly error: Error } | null>(null)
  const before = last?.of === of ? last.error : null
  const problem = error ?? (shown === undefined ? before : null)
  if (problem !== before) setLast(problem === null ? null : { of, error: problem })
  return problem
}

interface PageProps {
  readonly times: CaseTimes
  readonly packages: CasePackages
  readonly disclosure: CaseDisclosure
  readonly links: CasePageProps['links']
  readonly acts: CasePageProps['acts']
  /** The case as it is. */
  readonly now: Case
  /** What is looked at: the same, or a version of the past. */
  readonly shown: Case
  readonly past: boolean
  readonly view: PageSearch
  readonly map: ComponentType<MapProps>
}

function Page({
  now,
  shown,
  past,
  view,
  map,
  links: Links,
  acts,
  times,
  packages: Packages,
  disclosure: Disclosure,
}: PageProps) {
  const navigate = useNavigate()
  const narrow = useNarrow()
  const phone = usePhone()
  // What the station might link is nothing that a guest can see or decide.
  const member = useIsMember()
  const change = useCallback(
    (what: Partial<PageSearch>, step = false) =>
      void navigate({
        to: '.',
        search: (said: Partial<PageSearch>) => ({ ...said, ...what }),
        replace: !step,
        resetScroll: false,
      } as never),
    [navigate],
  )
  useFilesIntoCase(now, past)
  const [packaging, setPackaging] = useState(false)
  const makePackage = useCallback(() => setPackaging(true), [])
  const packages =
    past || !member || !holds(now, 'Download') ? null : (
      <Suspense fallback={null}>
        <Packages caseId={now.CaseId} onMake={makePackage} />
      </Suspense>
    )
  const disclosure =
    past || !member || !holds(now, 'Edit') ? null : (
      <Suspense fallback={null}>
        <Disclosure caseId={now.CaseId} evidence={evidencesOf(now)} />
      </Suspense>
    )
  const seeVersion = useCallback((v: string) => change({ v }, true), [change])
  const facts = <Facts record={shown} past={past} />
  const people = <People record={shown} past={past} />
  const tasks = past ? null : <TasksPanel record={now} />
  const notes = past ? null : <NotesPanel record={now} />
  const dispatch = past || now.SourceType !== 'Cad' ? null : <DispatchPanel record={now} />
  const history = <HistoryPanel record={now} seen={past ? view.v : null} onSee={seeVersion} />
  const timeline = <TimelinePanel record={shown} view={view.view} onView={(face) => change({ view: face })} map={map} />
  const evidence = <EvidencePanel record={shown} past={past} acts={acts} times={times} />
  const linksOfCase =
    past || !member ? null : (
      <Suspense fallback={null}>
        <Links caseId={now.CaseId} />
      </Suspense>
    )
  return (
    <div className={styles['page']}>
      <PageHeader record={shown} past={past} onPackage={packages === null ? null : makePackage} />
      {past && <AsItWas record={shown} onNow={() => seeVersion('')} />}
      <SampleNote kind="case" id={now.CaseId} />
      {!past && <CaseNotes record={now} />}
      {!past && <RequestNotes record={now} />}
      {phone ? (
        <div className={styles['tabs']} data-region>
          <CaseTabs
            view={view}
            onSide={(side) => change({ side })}
            {...{ facts, people, tasks, notes, packages, disclosure, dispatch, history }}
            evidence={
              <>
                <PhotosOnTheWay caseId={now.CaseId} />
                {evidence}
              </>
            }
            timeline={
              <>
                {timeline}
                {linksOfCase}
              </>
            }
          />
        </div>
      ) : (
        <div className={styles['work']}>
          {!narrow && (
            <div className={styles['facts']} tabIndex={0} role="group" aria-labelledby="case-facts" data-region>
              {facts}
            </div>
          )}
          <div className={styles['main']} data-region>
            {timeline}
            {evidence}
            {linksOfCase}
          </div>
          <aside className={styles['side']} data-region>
            {narrow ? (
              <CaseTabs
                view={view}
                onSide={(side) => change({ side })}
                {...{ facts, people, tasks, notes, packages, disclosure, dispatch, history }}
              />
            ) : (
              <>
                {people}
                {tasks}
                {notes}
                {packages}
                {disclosure}
                {dispatch}
                {history}
              </>
            )}
          </aside>
        </div>
      )}
      {packaging && <OrderDialog caseId={now.CaseId} unseen={unseenOf(now)} onClose={() => setPackaging(false)} />}
    </div>
  )
}

/** How much of its evidence this person cannot view. */
const unseenOf = (record: Case): number => evidencesOf(record).filter(({ Name }) => Name === null).length

/** Files that are dropped on the page of a case go into it, for whoever may edit it. */
function useFilesIntoCase({ CaseId: caseId, Title: title, State, AccessorPermissions }: Case, past: boolean): void {
  const takes = !past && State === 'Open' && AccessorPermissions.includes('Edit')
  useEffect(() => (takes ? offerCaseOfPage({ caseId, title }) : undefined), [takes, caseId, title])
}

interface TabsProps {
  readonly view: PageSearch
  readonly onSide: (side: PageSearch['side']) => void
  readonly facts: React.ReactNode
  readonly people: React.ReactNode
  /** null where a version of the past is looked at. */
  readonly tasks: React.ReactNode
  readonly notes: React.ReactNode
  /** null where this person gets none of them. */
  readonly packages: React.ReactNode
  /** null where this person may not know of it. */
  readonly disclosure: React.ReactNode
  /** null where the case did not come from dispatch. */
  readonly dispatch: React.ReactNode
  readonly history: React.ReactNode
  /** On a phone, where nothing stands beside anything. */
  readonly evidence?: React.ReactNode
  readonly timeline?: React.ReactNode
}

/** Where there is no room for a column of facts they are a tab (guide, Frame); on a phone everything of the case is one. */
function CaseTabs(props: TabsProps) {
  const { view, onSide, evidence, timeline, facts, people, tasks, notes, packages, disclosure, dispatch, history } =
    props
  const { t } = useTranslation('cases')
  const { t: ofWork } = useTranslation('caseWork')
  const tab = (content: React.ReactNode) => <div className={styles['tab']}>{content}</div>
  const onPhone = evidence !== undefined
  const notesTab = notes === null ? [] : [{ id: 'notes' as const, label: t('notes'), content: tab(notes) }]
  const factsTab = { id: 'facts' as const, label: t('facts'), content: tab(facts) }
  return (
    <Tabs<PageSearch['side']>
      label={t('side')}
      fill
      value={view.side}
      onChange={onSide}
      tabs={[
        ...(onPhone
          ? [
              {
                id: 'evidence' as const,
                label: t('evidence'),
                content: <div className={styles['tiles']}>{evidence}</div>,
              },
              ...notesTab,
              factsTab,
            ]
          : []),
        { id: 'people', label: t('people'), content: tab(people) },
        ...(tasks === null ? [] : [{ id: 'tasks' as const, label: ofWork('tasks'), content: tab(tasks) }]),
        ...(onPhone ? [{ id: 'timeline' as const, label: t('timeline'), content: tab(timeline) }] : notesTab),
        ...(packages === null ? [] : [{ id: 'packages' as const, label: t('packages'), content: tab(packages) }]),
        ...(disclosure === null
          ? []
          : [{ id: 'disclosure' as const, label: t('disclosure'), content: tab(disclosure) }]),
        ...(dispatch === null
          ? []
          : [
              {
                id: 'dispatch' as const,
                label: t('dispatch'),
                content: tab(dispatch),
              },
            ]),
        { id: 'history', label: t('history'), content: tab(history) },
        ...(onPhone ? [] : [factsTab]),
      ]}
    />
  )
}

/** The band over a version of the past: nothing can be changed in it, and rights are those of today. */
function AsItWas({ record, onNow }: { readonly record: Case; readonly onNow: () => void }) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const { nameOf } = useNames()
  return (
    <div className={styles['band']}>
      <Note
        state="sealed"
        icon="clock"
        title={t('asItWas', { time: format.instant(record.LastModifiedUtcTime, { zone: true }) })}
        action={
          <Button size="small" onPress={onNow} autoFocus>
            {t('backToNow')}
          </Button>
        }
      >
        {t('asItWasBody', { name: nameOf(record.LastModifiedBy) })}
      </Note>
    </div>
  )
}

/** In the recycle bin nothing of a case is shown; who may, brings it back whole. */
function DeletedCase({ caseId }: { readonly caseId: string }) {
  const { t } = useTranslation('cases')
  const act = useCaseAct(caseId)
  const refresh = useRefreshCase(caseId)
  const may = useMay('RestoreFromRecycleBin')
  const { busy, error, run } = useAct()
  const restore = async (): Promise<void> => {
    await act(actRoutes.restoreCase, {})
    refresh()
    toasts.show({ text: t('restored') })
  }
  return (
    <div className={styles['alone']}>
      <EmptyState
        title={t('deletedTitle')}
        action={
          <>
            {may && (
              <Button kind="main" icon="undo" busy={busy} onPress={() => run(restore)}>
                {t('restore')}
              </Button>
            )}
            <Link to="/cases" search={{ bin: true }} className={styles['beside']}>
              {t('toBin')}
            </Link>
          </>
        }
      >
        {t(may ? 'deletedBody' : 'deletedBodyAsk')}
      </EmptyState>
      {error !== null && (
        <div className={styles['problem']}>
          <Problem error={error} title={t('notRestored')} />
        </div>
      )}
    </div>
  )
}
