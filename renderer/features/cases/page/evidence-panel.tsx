import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useClockText } from '../../../ui/clocks/clocks.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { SelectionBar } from '../../../ui/selection-bar/selection-bar.tsx'
import { DataTable, NOTHING, type Selection } from '../../../ui/table/table.tsx'
import { countOf, EVERYTHING, isEmpty, isSelected } from '../../../ui/table/selection.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Case, type CaseEvidence, evidencesOf } from '../queries.ts'
import { holds } from '../rights.ts'
import { evidenceColumns } from './evidence-columns.tsx'
import styles from './evidence.module.css'
import { useConfirm, useLinks } from './use-links.ts'
import { lazyOpened } from '../../../client/lazy-opened.tsx'

const AddEvidenceDialog = lazyOpened(async () => (await import('./add-evidence.tsx')).AddEvidenceDialog)

const keyOf = (one: CaseEvidence): string => one.EvidenceId

/** What belongs to the case: opened from here, put in and taken out by whoever may edit it. */
export function EvidencePanel({ record, past }: { readonly record: Case; readonly past: boolean }) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const clockText = useClockText()
  const navigate = useNavigate()
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [adding, setAdding] = useState(false)
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
        {add !== null && evidences.length > 0 && (
          <Button size="small" icon="plus" onPress={add}>
            {t('addEvidence')}
          </Button>
        )}
      </header>
      {evidences.length === 0 ? (
        <NoEvidence onAdd={add} past={past} />
      ) : (
        <div className={styles['table']}>
          <DataTable
            label={t('evidence')}
            columns={columns}
            media
            total={evidences.length}
            rowAt={rowAt}
            keyOf={keyOf}
            onOpen={open}
            {...(editable ? { selection, onSelection: setSelection, onSelectAll: () => setSelection(EVERYTHING) } : {})}
            room={editable && !isEmpty(selection)}
          />
          {editable && !isEmpty(selection) && (
            <Chosen record={record} selection={selection} onClear={() => setSelection(NOTHING)} />
          )}
        </div>
      )}
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

interface ChosenProps {
  readonly record: Case
  readonly selection: Selection
  readonly onClear: () => void
}

/** Takes links out again that somebody made; what the station linked by a rule goes with the rule alone. */
function Chosen({ record, selection, onClear }: ChosenProps) {
  const { t } = useTranslation('cases')
  const links = useLinks(record)
  const [busy, setBusy] = useState(false)
  const evidences = evidencesOf(record)
  const chosen = evidences.filter(({ EvidenceId }) => isSelected(selection, EvidenceId))
  const byRule = chosen.some(({ LinkKind }) => LinkKind === 'Automatic')
  const takeOut = async (): Promise<void> => {
    setBusy(true)
    try {
      const ids = chosen.map(({ EvidenceId }) => EvidenceId)
      await links(ids, 'Remove')
      onClear()
      toasts.show({
        text: t('takenOut', { count: ids.length }),
        undo: () => void links(ids, 'Add').catch(toasts.problem),
      })
    } catch (failure) {
      toasts.problem(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <SelectionBar
      words={t('selected', { count: countOf(selection, evidences.length) })}
      onClear={onClear}
      acts={[
        {
          id: 'out',
          label: t('takeOut'),
          icon: 'x',
          busy,
          why: byRule ? t('takeOutRule') : undefined,
          onPress: () => void takeOut(),
        },
      ]}
    />
  )
}
