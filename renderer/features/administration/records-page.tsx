import { Fragment, type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Pages } from '../../client/pages.ts'
import { useTranslation } from '../../client/translate.ts'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { SearchField } from '../../ui/field/field.tsx'
import { type Format, useFormat } from '../../ui/format/use-format.tsx'
import type { Column } from '../../ui/table/columns.ts'
import type { Words } from './labels.ts'
import { ListPage } from './list-page.tsx'
import styles from './list.module.css'
import type { Asked } from './queries.ts'
import { NEW, type Place, usePlace } from './search-state.ts'

interface PageWords {
  readonly title: string
  /** One sentence beside the title. */
  readonly lead?: string | undefined
  /** What the main act is called. */
  readonly make: string
  readonly none: string
  readonly noneBody: string
}

interface CommonProps<Row> extends PageWords {
  readonly idOf: (row: Row) => string
  readonly columnsOf: (t: Words, format: Format) => readonly Column<Row>[]
}

/** What a panel is given besides its record. */
interface PanelActs {
  readonly onClose: () => void
  /** A new one was made: it is open from here on. */
  readonly onMade: (id: string) => void
}

function usePanel() {
  const { search, change } = usePlace()
  const acts: PanelActs = {
    onClose: () => change({ open: undefined }),
    onMade: (id) => change({ open: id }, true),
  }
  return { open: search.open, change, acts }
}

function useColumns<Row>({ columnsOf }: CommonProps<Row>): readonly Column<Row>[] {
  const { t } = useTranslation('administration')
  const format = useFormat()
  return useMemo(() => columnsOf(t, format), [columnsOf, t, format])
}

interface RecordsPageProps<Row> extends CommonProps<Row> {
  readonly asked: Asked<Row>
  /** null: a new one. */
  readonly children: (record: Row | null, acts: PanelActs) => ReactNode
}

/** A list that comes whole, with its records: the one that is open is edited beside it. */
export function RecordsPage<Row>(props: RecordsPageProps<Row>) {
  const { title, lead, make, none, noneBody, idOf, asked, children } = props
  const { open, change, acts } = usePanel()
  const columns = useColumns(props)
  const { rows } = asked
  const record = rows?.find((row) => idOf(row) === open) ?? null
  return (
    <ListPage
      title={title}
      lead={lead}
      columns={columns}
      list={asked}
      keyOf={idOf}
      onOpen={(row) => change({ open: idOf(row) })}
      make={{ label: make, onPress: () => change({ open: NEW }) }}
      empty={<EmptyState title={none}>{noneBody}</EmptyState>}
    >
      {rows !== null && (record !== null || open === NEW) && (
        <Fragment key={record === null ? NEW : idOf(record)}>{children(record, acts)}</Fragment>
      )}
    </ListPage>
  )
}

interface PrincipalsPageProps<Row> extends CommonProps<Row> {
  readonly ask: (text: string) => Pages<Row>
  /** What its filter is called. */
  readonly filter: string
  readonly form: (acts: PanelActs) => ReactNode
  readonly panel: (id: string, onClose: () => void) => ReactNode
}

/** A list that comes page after page: the one that is open is asked for whole. */
export function PrincipalsPage<Row>(props: PrincipalsPageProps<Row>) {
  const { title, lead, make, none, noneBody, idOf, ask: useAsked, filter, form, panel } = props
  const place = usePlace()
  const { open, change, acts } = usePanel()
  const columns = useColumns(props)
  const list = useAsked(place.search.q ?? '')
  return (
    <ListPage
      title={title}
      lead={lead}
      columns={columns}
      list={list}
      keyOf={idOf}
      onOpen={(row) => change({ open: idOf(row) })}
      make={{ label: make, onPress: () => change({ open: NEW }) }}
      filters={<TextFilter label={filter} place={place} />}
      empty={<EmptyState title={none}>{noneBody}</EmptyState>}
    >
      {open === NEW && form(acts)}
      {open !== undefined && open !== NEW && <Fragment key={open}>{panel(open, acts.onClose)}</Fragment>}
    </ListPage>
  )
}

const TYPING_PAUSE = 250

/** Asks once the typing pauses; the address says what is asked. */
function TextFilter({ label, place: { search, change } }: { readonly label: string; readonly place: Place }) {
  const [text, setText] = useState(search.q ?? '')
  useEffect(() => {
    if (text.trim() === (search.q ?? '')) return
    const timer = setTimeout(() => change({ q: text.trim() === '' ? undefined : text.trim() }, true), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text, search.q, change])
  return (
    <div className={styles['text']}>
      <SearchField label={label} hideLabel placeholder={label} value={text} onChange={setText} />
    </div>
  )
}
