import { useNavigate } from '@tanstack/react-router'
import { type ComponentType, Suspense, useCallback, useMemo, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useClockText } from '../../../ui/clocks/clocks.tsx'
import { startEvidenceDrag } from '../../../client/evidence-drag.ts'
import { setDragWords } from '../../../ui/drag/drag-image.ts'
import { visible } from '../../../ui/format/visible.ts'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { usePhone } from '../../../ui/layout/use-media.ts'
import type { MenuPlace } from '../../../ui/popover/context-menu.tsx'
import type { SelectionAct } from '../../../ui/selection-bar/selection-bar.tsx'
import { DataGrid } from '../../../ui/table/grid.tsx'
import { DataTable, NOTHING, type Selection } from '../../../ui/table/table.tsx'
import { EVERYTHING, isSelected } from '../../../ui/table/selection.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Case, type CaseEvidence, evidencesOf } from '../queries.ts'
import { holds } from '../rights.ts'
import { evidenceColumns } from './evidence-columns.tsx'
import { EvidenceTile } from './evidence-tile.tsx'
import styles from './evidence.module.css'
import { useConfirm, useLinks } from './use-links.ts'
import { lazyOpened } from '../../../client/lazy-opened.tsx'

const AddEvidenceDialog = lazyOpened(async () => (await import('./add-evidence.tsx')).AddEvidenceDialog)

const keyOf = (one: CaseEvidence): string => one.EvidenceId

/** What the area of evidence draws here: the bar of what is selected, and the menu of a row. */
export interface EvidenceActsProps {
  readonly caseId: string
  readonly ids: readonly string[]
  readonly all: boolean
  readonly menu: { readonly id: string; readonly place: MenuPlace } | null
  readonly actsOfCase: (ids: readonly string[]) => readonly SelectionAct[]
  readonly onMenuClosed: () => void
  readonly onClear: () => void
}

/** Suggests times for the evidence of a case. */
export type CaseTimes = ComponentType<{ readonly caseId: string; readonly onClose: () => void }>

interface PanelProps {
  readonly record: Case
  readonly past: boolean
  readonly acts: ComponentType<EvidenceActsProps>
  readonly times: CaseTimes
}

const nameOf = ({ DisplayName }: CaseEvidence): string => visible(DisplayName)
const tileOf = (one: CaseEvidence) => <EvidenceTile one={one} />

const NO_ACTS = (): readonly SelectionAct[] => []

/** What belongs to the case: opened from here, put in and taken out by whoever may edit it. */
export function EvidencePanel({ record, past, acts: Acts, times: Times }: PanelProps) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const clockText = useClockText()
  const navigate = useNavigate()
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [menu, setMenu] = useState<EvidenceActsProps['menu']>(null)
  const [adding, setAdding] = useState(false)
  const [timing, setTiming] = useState(false)
  const phone = usePhone()
  const evidences = evidencesOf(record)
  const editable = !past && record.State === 'Open' && holds(record, 'Edit')
  const confirm = useConfirm(record)
  const byRule = evidences.some(({ LinkKind }) => LinkKind === 'Automatic')
  const columns = useMemo(
    () => evidenceColumns(t, format, clockText, past ? null : confirm, byRule),
    [t, format, clockText, past, confirm, byRule],
  )
  const rowAt = useCallback((index: number) => evidences[index], [evidences])
  const open = useCallback(
    ({ EvidenceId }: CaseEvidence) =>
      void navigate({ to: '/evidence/$evidenceId', params: { evidenceId: EvidenceId } }),
    [navigate],
  )
  const clear = useCallback(() => setSelection(NOTHING), [])
  const removal = useRemoval(record, clear)
  const ids = evidences.flatMap(({ EvidenceId }) => (isSelected(selection, EvidenceId) ? [EvidenceId] : []))
  const openMenu = useCallback(({ EvidenceId: id }: CaseEvidence, place: MenuPlace) => setMenu({ id, place }), [])
  const drag = ({ EvidenceId, DisplayName }: CaseEvidence, transfer: DataTransfer): void => {
    const dragged = ids.includes(EvidenceId) ? ids : [EvidenceId]
    const count = dragged.length
    setDragWords(transfer, count === 1 ? visible(DisplayName) : t('itemCount', { count, shown: format.count(count) }))
    startEvidenceDrag(transfer, { count, gather: async () => dragged })
  }
  // What was asked for is answered after the selection has gone, too.
  const [acting, setActing] = useState(false)
  if (!acting && (ids.length > 0 || menu !== null)) setActing(true)
  const parts = {
    label: t('evidence'),
    total: evidences.length,
    rowAt,
    keyOf,
    onOpen: open,
    room: ids.length > 0,
    ...(past
      ? {}
      : {
          selection,
          onSelection: setSelection,
          onSelectAll: () => setSelection(EVERYTHING),
          onMenu: openMenu,
          onDrag: drag,
        }),
  }
  const add = editable ? (): void => setAdding(true) : null
  return (
    <section className={styles['panel']} aria-labelledby="case-evidence">
      <header className={styles['head']}>
        <h2 id="case-evidence" className={styles['title']}>
          {t('evidence')}{' '}
          <span className={styles['count']}>
            {t('itemCount', { count: evidences.length, shown: format.count(evidences.length) })}
          </span>
        </h2>
        <span className={styles['acts']}>
          {add !== null && evidences.some(({ Clock }) => Clock.CorrectedTimeUtc === null) && (
            <Button size="small" icon="clock" kind="quiet" onPress={() => setTiming(true)}>
              {t('suggestTimes')}
            </Button>
          )}
          {add !== null && evidences.length > 0 && (
            <Button size="small" icon="plus" onPress={add}>
              {t('addEvidence')}
            </Button>
          )}
        </span>
      </header>
      {evidences.length === 0 ? (
        <NoEvidence onAdd={add} past={past} />
      ) : (
        <div className={styles['table']}>
          {phone ? (
            <DataGrid {...parts} tile={tileOf} nameOf={nameOf} />
          ) : (
            <DataTable {...parts} columns={columns} media />
          )}
          {acting && (
            <Suspense fallback={null}>
              <Acts
                caseId={record.CaseId}
                ids={ids}
                all={ids.length === evidences.length}
                menu={menu}
                actsOfCase={editable ? removal : NO_ACTS}
                onMenuClosed={() => setMenu(null)}
                onClear={clear}
              />
            </Suspense>
          )}
        </div>
      )}
      {timing && <Times caseId={record.CaseId} onClose={() => setTiming(false)} />}
      {adding && <AddEvidenceDialog record={record} onClose={() => setAdding(false)} />}
    </section>
  )
}

function NoEvidence({ onAdd, past }: { readonly onAdd: (() => void) | null; readonly past: boolean }) {
  const { t } = useTranslation('cases')
  return (
    <EmptyState
      title={t(past ? 'noEvidencePast' : 'noEvidence')}
      action={
        onAdd !== null && (
          <Button kind="main" icon="link" onPress={onAdd}>
            {t('linkEvidence')}
          </Button>
        )
      }
    >
      {past ? undefined : t(onAdd === null ? 'noEvidenceBodyAsk' : 'noEvidenceBody')}
    </EmptyState>
  )
}

/** Takes links out again that somebody made; what the station linked by a rule goes with the rule alone. */
function useRemoval(record: Case, onDone: () => void): (ids: readonly string[]) => readonly SelectionAct[] {
  const { t } = useTranslation('cases')
  const links = useLinks(record)
  const [busy, setBusy] = useState(false)
  const remove = async (ids: readonly string[]): Promise<void> => {
    setBusy(true)
    try {
      await links(ids, 'Remove')
      onDone()
      toasts.show({
        text: t('takenOut', { count: ids.length }),
        undo: () => links(ids, 'Add'),
      })
    } catch (failure) {
      toasts.problem(failure)
    } finally {
      setBusy(false)
    }
  }
  return (ids) => {
    const byRule = evidencesOf(record).some(
      ({ EvidenceId, LinkKind }) => LinkKind === 'Automatic' && ids.includes(EvidenceId),
    )
    return [
      {
        id: 'out',
        label: t('takeOut'),
        icon: 'x',
        keep: 3,
        busy,
        why: byRule ? t('takeOutRule') : undefined,
        onPress: () => void remove(ids),
      },
    ]
  }
}
