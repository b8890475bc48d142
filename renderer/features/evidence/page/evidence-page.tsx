import { Link } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Fault } from '../../../client/api.ts'
import { lazyPart } from '../../../client/load-chunk.ts'
import { withWords } from '../../../client/i18n.ts'
import { SampleNote } from '../../../client/sample/parts.tsx'
import { useIsMember } from '../../../client/session.tsx'
import { useStation } from '../../../client/station.ts'
import { keep, kept } from '../../../client/preferences.ts'
import { useVisit } from '../../../client/use-visit.ts'
import { useShortcuts } from '../../../ui/command/use-shortcuts.ts'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { useNarrow, usePhone } from '../../../ui/layout/use-media.ts'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { SplitView } from '../../../ui/split/split.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { EditingProvider } from '../edit/editing.tsx'
import { Tags } from '../edit/tags.tsx'
import { EditKeys, KeptTyping } from '../edit/unsaved.tsx'
import { Custody } from './custody/custody.tsx'
import { type Evidence, type Resource, useAddresses, useEvidence, useMedia, useResources } from './queries.ts'
import { DeletedEvidence } from './deleted-evidence.tsx'
import { Duplicates, DuplicatesNote } from './duplicates.tsx'
import { useBookmarks } from './marks/bookmarks.ts'
import { chosenOf, isOriginal, originalOf, shownFor } from './kinds.ts'
import { EvidenceStanding } from './evidence-warnings.tsx'
import { PageHeader } from './page-header.tsx'
import styles from './page.module.css'
import { clockOf, clockOfEvidence, clockOfPicture } from './player/recorded.ts'
import { Resources } from './resources/resources.tsx'
import { useChecks } from './resources/use-check.ts'
import { type ChangeView, type Tab, useViewState, type ViewState } from './search-state.ts'
import { Problem } from './stage/problem.tsx'
import { Stage } from './stage/stage.tsx'
import { Where } from './where/where.tsx'

// What stands under another tab is fetched with it.
const Details = lazyPart(() => import('./details/details.tsx').then(({ Details: View }) => ({ default: View })))
const Marks = lazyPart(() => import('./marks/marks.tsx').then(({ Marks: View }) => ({ default: View })))
const Forwarded = lazyPart(() =>
  withWords(import('./resources/forwarded.tsx'), 'forwarding', 'connectionReasons').then(({ Forwarded: View }) => ({
    default: View,
  })),
)
const Restrictions = lazyPart(() =>
  withWords(import('../../../client/disclosure/restrictions.tsx'), 'disclosure').then(({ RestrictionNotes: View }) => ({
    default: View,
  })),
)
const EvidenceNotes = lazyPart(() => import('./notes/notes.tsx').then(({ EvidenceNotes: View }) => ({ default: View })))

const PANEL = { standard: 23, least: 17, most: 40 }
const NARROW_PANEL = 18.5

interface EvidencePageProps {
  readonly evidenceId: string
  /** Its cases and why; comes from outside, for it is part of another area. */
  readonly links: ComponentType<{ readonly evidenceId: string }>
}

/** One evidence: what it shows, what it consists of, and what happened with it. */
export function EvidencePage({ evidenceId, links }: EvidencePageProps) {
  const { data: evidence, error, refetch } = useEvidence(evidenceId)
  const { t } = useTranslation('evidencePage')
  useEffect(() => {
    document.title = `${evidence?.DisplayName ?? evidenceId} · Sallyport`
  }, [evidence?.DisplayName, evidenceId])
  useVisit('evidence', evidenceId, evidence?.DisplayName)
  // What was shown before must not stay when it went into the recycle bin meanwhile.
  if (error instanceof Fault && error.code === 'EvidenceDeleted')
    return (
      <div className={styles['alone']}>
        <DeletedEvidence evidenceId={evidenceId} />
      </div>
    )
  if (evidence !== undefined)
    return (
      <EditingProvider key={evidenceId} evidence={evidence}>
        <Page evidence={evidence} links={links} />
      </EditingProvider>
    )
  if (error instanceof Fault && error.code === 'EvidenceNotFound')
    return (
      <div className={styles['alone']}>
        <EmptyState title={t('notFound')} action={<Link to="/evidence">{t('toList')}</Link>}>
          {t('notFoundBody')}
        </EmptyState>
        <KeptTyping evidenceId={evidenceId} />
      </div>
    )
  return (
    <div className={styles['alone']}>
      {error === null ? <Skeleton lines={6} /> : <Problem error={error} onRetry={() => void refetch()} />}
    </div>
  )
}

function Page({ evidence, links: Links }: { readonly evidence: Evidence } & Pick<EvidencePageProps, 'links'>) {
  const { t } = useTranslation('evidencePage')
  const { EvidenceId: evidenceId } = evidence
  const { data: resources = null, error, refetch } = useResources(evidenceId)
  const addresses = useAddresses(evidenceId)
  const forwards = useStation()?.Forwards === true
  const [view, change] = useViewState()
  const narrow = useNarrow()
  const phone = usePhone()
  const [size, setSize] = usePanelSize(narrow)
  const chosen = resources === null ? null : chosenOf(resources, view.resource)
  const open = useOpen(resources, chosen, change)
  const checks = useChecks(evidenceId)
  useShortcuts({
    h: chosen === null || chosen.Sha256 === null ? undefined : () => checks.begin(chosen.ResourceId),
    'Shift+d': () => {
      change({ tab: 'custody' })
      // The first one is custody.
      document.querySelector<HTMLElement>('[data-proof] [role="tab"]')?.focus()
    },
  })
  const files = resources !== null && (
    <>
      <Suspense fallback={null}>
        <Links evidenceId={evidenceId} />
      </Suspense>
      <Duplicates evidenceId={evidenceId} resources={resources} />
      {forwards && (
        <Suspense fallback={null}>
          <Forwarded evidence={evidence} resources={resources} />
        </Suspense>
      )}
      <Resources evidence={evidence} resources={resources} chosen={chosen} onChoose={open} checks={checks} />
    </>
  )
  return (
    <div className={styles['page']}>
      <PageHeader evidence={evidence} resources={resources} addresses={addresses} />
      <EditKeys inDetails={view.tab === 'details'} onShow={() => change({ tab: 'details' })} />
      <SampleNote kind="evidence" id={evidenceId} />
      <EvidenceStanding evidence={evidence} resources={resources ?? []} />
      <MayItLeave evidence={evidence} />
      {resources !== null && !phone && <DuplicatesNote evidenceId={evidenceId} />}
      <div className={styles['work']}>
        <SplitView
          label={t('proof')}
          size={size}
          onSize={setSize}
          min={PANEL.least}
          max={PANEL.most}
          standard={narrow ? NARROW_PANEL : PANEL.standard}
          side={
            <Proof
              evidence={evidence}
              resources={resources}
              chosen={chosen}
              files={phone ? files : null}
              narrow={narrow}
              view={view}
              change={change}
              onMark={(resource, at) => change({ resource, at, from: null, to: null, loop: false, marks: [] }, true)}
            />
          }
        >
          <div className={styles['main']}>
            {error !== null && resources === null && (
              <div className={styles['section']}>
                <Problem error={error} onRetry={() => void refetch()} />
              </div>
            )}
            {resources === null && error === null && (
              <div className={styles['section']}>
                <Skeleton lines={6} />
              </div>
            )}
            {chosen !== null && resources !== null && (
              <Stage
                evidence={evidence}
                resources={resources}
                chosen={chosen}
                addresses={addresses}
                view={view}
                change={change}
                onOpen={open}
              />
            )}
            {!phone && resources !== null && (
              <div className={styles['below']} data-region>
                <div className={styles['facts']}>{files}</div>
                {!narrow && (
                  <div className={styles['facts']}>
                    <Where evidence={evidence} />
                  </div>
                )}
              </div>
            )}
          </div>
        </SplitView>
      </div>
    </div>
  )
}

/** Whether it may be disclosed, for those who may know. */
function MayItLeave({ evidence: { EvidenceId, AccessorPermissions } }: { readonly evidence: Evidence }) {
  const member = useIsMember()
  if (!member || !AccessorPermissions.includes('Edit')) return null
  return (
    <Suspense fallback={null}>
      <Restrictions evidenceId={EvidenceId} manages={AccessorPermissions.includes('Manage')} />
    </Suspense>
  )
}

/** Another recording begins anew, as a step of the way back; a still of the same one does not lose the place. */
function useOpen(
  resources: readonly Resource[] | null,
  chosen: Resource | null,
  change: ChangeView,
): (resourceId: string) => void {
  return useCallback(
    (resourceId) => {
      const next = resources?.find(({ ResourceId }) => ResourceId === resourceId)
      const same =
        resources === null ||
        chosen === null ||
        next === undefined ||
        originalOf(next, resources).ResourceId === originalOf(chosen, resources).ResourceId
      if (same) change({ resource: resourceId })
      else change({ resource: resourceId, at: 0, from: null, to: null, loop: false, marks: [] }, true)
    },
    [resources, chosen, change],
  )
}

interface ProofProps {
  readonly evidence: Evidence
  readonly resources: readonly Resource[] | null
  readonly chosen: Resource | null
  readonly narrow: boolean
  /** What stands below the picture where there is room; null: there. */
  readonly files: ReactNode
  readonly view: ViewState
  readonly change: (change: Partial<ViewState>) => void
  readonly onMark: (resourceId: string, at: number) => void
}

/** The panel of proof; on a narrow page what has no column of its own is a tab of it. */
function Proof({ evidence, resources, chosen, narrow, files, view, change, onMark }: ProofProps) {
  const { t } = useTranslation('evidencePage')
  const shown = chosen === null || resources === null ? null : shownFor(chosen, resources)
  const { data: media } = useMedia(evidence.EvidenceId, shown?.ResourceId ?? null)
  const original = shown === null || resources === null ? null : originalOf(shown, resources)
  const only = resources?.filter(isOriginal).length === 1
  const ofFile = original === null ? clockOfEvidence(evidence) : clockOf(evidence, original, only)
  const clock = original === null || shown !== original ? ofFile : clockOfPicture(ofFile, media?.Clock ?? null)
  const recording = media !== undefined && media.PlayableResourceId !== null && media.DurationSeconds !== null
  const { data: bookmarks = [] } = useBookmarks(evidence.EvidenceId)
  const tabs = [
    {
      id: 'custody' as const,
      label: t('custody'),
      content: (
        <Custody
          evidenceId={evidence.EvidenceId}
          kind={view.kind}
          onKind={(kind) => change({ kind })}
          narrow={narrow}
        />
      ),
    },
    ...(files === null ? [] : [{ id: 'files' as const, label: t('files'), content: files }]),
    ...((recording || bookmarks.length > 0) && original !== null && resources !== null
      ? [
          {
            id: 'marks' as const,
            label: t('bookmarks'),
            count: bookmarks.length === 0 ? undefined : bookmarks.length,
            content: (
              <Marks
                evidence={evidence}
                resources={resources}
                original={original}
                clock={clock}
                view={view}
                onOpen={onMark}
              />
            ),
          },
        ]
      : []),
    { id: 'notes' as const, label: t('notes'), content: <EvidenceNotes evidence={evidence} /> },
    {
      id: 'details' as const,
      label: t('details'),
      content: (
        <>
          {files !== null && (
            <div className={styles['tags']}>
              <Tags />
            </div>
          )}
          <Details evidence={evidence} resources={resources} resource={shown} media={media ?? null} clock={clock} />
        </>
      ),
    },
    ...(narrow ? [{ id: 'where' as const, label: t('where'), content: <Where evidence={evidence} /> }] : []),
  ]
  const tab: Tab = (view.tab === 'where' && !narrow) || (view.tab === 'files' && files === null) ? 'custody' : view.tab
  return (
    <aside className={styles['proof']} aria-label={t('proof')} data-region data-proof>
      <Tabs label={t('proof')} tabs={tabs} value={tab} onChange={(next) => change({ tab: next })} fill />
    </aside>
  )
}

/** In rem; that of a wide page is kept in this browser, a narrow one has its own. */
function usePanelSize(narrow: boolean): readonly [number, (rem: number) => void] {
  const [size, setSize] = useState(() => Number(kept('split')) || PANEL.standard)
  const [small, setSmall] = useState(NARROW_PANEL)
  const change = useCallback((rem: number) => {
    setSize(rem)
    keep('split', String(rem))
  }, [])
  return narrow ? [small, setSmall] : [size, change]
}
