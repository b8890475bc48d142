import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import type { z } from 'zod'
import * as documents from '../../../../shared/evidence/contract.ts'
import { call } from '../../../client/api.ts'
import { iconOfEvidence, isPaper } from '../../../client/evidence-icons.ts'
import { useSession } from '../../../client/session.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { SearchField } from '../../../ui/field/field.tsx'
import { CLOCK_COLUMN_WIDTH, ClockCell, type ClockText, useClockText } from '../../../ui/clocks/clocks.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { asError } from '../../../ui/problem/as-error.ts'
import { MediaName } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { countOf, isEmpty, NOTHING, type Selection, withKeys } from '../../../ui/table/selection.ts'
import { DataTable } from '../../../ui/table/table.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Case, evidencesOf } from '../queries.ts'
import type { Words } from '../people-labels.ts'
import { Problem } from '../problem.tsx'
import styles from './dialogs.module.css'
import { useLinks } from './use-links.ts'

type Item = z.output<typeof documents.EvidenceListItem>

const MOST = '200'
const TYPING_PAUSE = 250
const keyOf = (item: Item): string => item.EvidenceId

/** Evidence that one can view, found by its words; chosen, and put into the case together. */
export function AddEvidenceDialog({ record, onClose }: { readonly record: Case; readonly onClose: () => void }) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const links = useLinks(record)
  const [text, setText] = useState('')
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const found = useFound(record, text)
  const clockText = useClockText()
  const columns = useMemo(() => columnsOf(t, format, clockText), [t, format, clockText])
  const count = countOf(selection, selection.keys.size)
  const items = found.items ?? []
  const link = async (): Promise<void> => {
    const ids = [...selection.keys]
    setBusy(true)
    setError(null)
    try {
      await links(ids, 'Add')
      onClose()
      toasts.show({
        text: t('linked', { count: ids.length }),
        undo: () => links(ids, 'Remove'),
      })
    } catch (failure) {
      setError(asError(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('addTitle', { ordinal: record.Ordinal })}
      lead={t('addLead')}
      onClose={onClose}
      size="wide"
      keep={!isEmpty(selection)}
      note={count === 0 ? undefined : t('selected', { count })}
      actions={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button
            kind="main"
            icon="link"
            busy={busy}
            why={count === 0 ? t('chooseFirst') : undefined}
            onPress={() => void link()}
          >
            {t('linkThese', { count })}
          </Button>
        </>
      }
    >
      <div className={styles['pick']}>
        <SearchField label={t('addSearch')} value={text} onChange={setText} autoFocus />
        {(error ?? found.error) !== null && (
          <Problem error={(error ?? found.error) as Error} title={error === null ? undefined : t('notLinked')} />
        )}
        <div className={styles['results']}>
          <DataTable
            label={t('addResults')}
            columns={columns}
            media
            total={found.items === null ? null : items.length}
            rowAt={(index) => items[index]}
            keyOf={keyOf}
            selection={selection}
            onSelection={setSelection}
            onSelectAll={() => setSelection(withKeys(selection, items.map(keyOf), true))}
            onOpen={(item) =>
              setSelection(withKeys(selection, [item.EvidenceId], !selection.keys.has(item.EvidenceId)))
            }
            busy={found.items === null}
            empty={<p className={styles['part']}>{t('addNothing')}</p>}
          />
        </div>
        {found.more > 0 && (
          <p className="muted">{t('addMore', { count: found.more, shown: format.count(found.more) })}</p>
        )}
      </div>
    </Dialog>
  )
}

/** Without what is in the case already. */
function useFound(record: Case, text: string) {
  const { tenant } = useSession()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  const { data, error } = useQuery({
    queryKey: ['evidence-list', tenant, 'to-link', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(documents.listEvidence, {
        params: { tenantName: tenant },
        query: { ...(asked === '' ? {} : { text: asked }), count: MOST },
        signal,
      }),
  })
  return useMemo(() => {
    const inside = new Set(evidencesOf(record).map(({ EvidenceId }) => EvidenceId))
    const items = data?.Items.filter(({ EvidenceId }) => !inside.has(EvidenceId)) ?? null
    return { items, error, more: data === undefined ? 0 : data.Total - data.Items.length }
  }, [record, data, error])
}

function columnsOf(t: Words, format: Format, clockText: ClockText): readonly Column<Item>[] {
  const lengthOf = ({ Summary: { DurationSeconds } }: Item): string =>
    DurationSeconds === null ? '' : format.duration(DurationSeconds)
  return [
    {
      id: 'name',
      label: t('columnName'),
      least: 14,
      cell: (item) => (
        <MediaName
          icon={iconOfEvidence(item.Summary.Type)}
          paper={item.Thumbnail === null && isPaper(item.Summary.Type)}
          working={item.Summary.Status === 'working'}
          {...(item.Thumbnail === null ? {} : { thumb: item.Thumbnail })}
          name={<bdi>{visible(item.DisplayName)}</bdi>}
          note={<span className="id">{item.EvidenceId}</span>}
        />
      ),
      text: (item) => visible(item.DisplayName),
    },
    {
      id: 'start',
      label: t('columnRecorded'),
      width: CLOCK_COLUMN_WIDTH,
      priority: 1,
      cell: (item) => (item.Clock.CorrectedTimeUtc === null ? t('noTime') : <ClockCell clock={item.Clock} />),
      text: (item) => (item.Clock.CorrectedTimeUtc === null ? t('noTime') : clockText(item.Clock)),
    },
    { id: 'length', label: t('columnLength'), width: 6, align: 'end', priority: 2, cell: lengthOf, text: lengthOf },
    {
      id: 'tags',
      label: t('fieldTags'),
      width: 10,
      priority: 3,
      cell: (item) => item.Tags.map(visible).join(', '),
      text: (item) => item.Tags.map(visible).join(', '),
    },
  ]
}
