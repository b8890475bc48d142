import { useCallback, useMemo, useState } from 'react'
import { Button } from '../../renderer/ui/button/button.tsx'
import { EmptyState } from '../../renderer/ui/empty/empty.tsx'
import { type Format, useFormat } from '../../renderer/ui/format/use-format.tsx'
import { ContextMenu, type MenuPlace } from '../../renderer/ui/popover/context-menu.tsx'
import { Segments } from '../../renderer/ui/segments/segments.tsx'
import { SelectionBar } from '../../renderer/ui/selection-bar/selection-bar.tsx'
import { SplitView } from '../../renderer/ui/split/split.tsx'
import { StateMark, StateShape } from '../../renderer/ui/state/state.tsx'
import { MediaName, Thumb, TwoLines } from '../../renderer/ui/table/cells.tsx'
import { ColumnsMenu } from '../../renderer/ui/table/columns-menu.tsx'
import { DataGrid } from '../../renderer/ui/table/grid.tsx'
import { countOf, EVERYTHING, isEmpty, NOTHING, type Selection } from '../../renderer/ui/table/selection.ts'
import { type Column, DataTable, type Sort } from '../../renderer/ui/table/table.tsx'
import { toasts } from '../../renderer/ui/toast/toast.tsx'
import { inventedRow, type Row } from './invented.ts'
import styles from './parts.module.css'

const TOTAL = 100_000

function columnsOf(format: Format): readonly Column<Row>[] {
  return [
    {
      id: 'name',
      label: 'Name',
      sortable: true,
      least: 16,
      cell: (row) => <MediaName icon="video" name={row.name} note={`${row.id} · 2026-001284`} />,
      text: (row) => `${row.name} ${row.id}`,
    },
    {
      id: 'recorded',
      label: 'Recorded, corrected',
      sortable: true,
      width: 9.5,
      cell: (row) => (
        <TwoLines first={format.instant(row.recorded, { year: false })} second={`clock ${format.offset(row.offset)}`} />
      ),
      text: (row) => row.recorded,
    },
    {
      id: 'length',
      label: 'Length',
      sortable: true,
      align: 'end',
      width: 6.5,
      priority: 3,
      cell: (row) => format.duration(row.seconds),
      text: (row) => format.duration(row.seconds),
    },
    {
      id: 'size',
      label: 'Size',
      align: 'end',
      width: 5.5,
      priority: 4,
      cell: (row) => format.bytes(row.bytes),
      text: (row) => format.exactBytes(row.bytes),
    },
    {
      id: 'officer',
      label: 'Officer, device',
      width: 8,
      priority: 2,
      cell: (row) => <TwoLines first={row.officer} second={row.device} />,
      text: (row) => `${row.officer} ${row.device}`,
    },
    {
      id: 'state',
      label: 'State',
      width: 10,
      cell: (row) => <StateMark state={row.state}>{row.word}</StateMark>,
      text: (row) => row.word,
    },
  ]
}

const STANDARD = ['name', 'recorded', 'length', 'officer', 'state']
const keyOf = (row: Row): string => row.id
const nameOf = (row: Row): string => `${row.name}, ${row.word}`

/** A hundred thousand rows; in a way the last is the first, so that sorting can be seen. */
export function List() {
  const format = useFormat()
  const columns = useMemo(() => columnsOf(format), [format])
  const [chosen, setChosen] = useState<readonly string[]>(STANDARD)
  const [sort, setSort] = useState<Sort>({ column: 'recorded', direction: 'descending' })
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [gone, setGone] = useState(0)
  const [view, setView] = useState<'list' | 'grid'>('list')
  const [side, setSide] = useState(16)
  const [opened, setOpened] = useState<Row | null>(null)
  const total = TOTAL - gone
  const backwards = sort.direction === 'ascending'
  const rowAt = useCallback(
    (index: number) => inventedRow(backwards ? TOTAL - 1 - index - gone : index + gone),
    [backwards, gone],
  )
  const groups = useMemo(
    () =>
      [
        { id: 'night', at: 0, label: 'Night shift, 19 to 20 November', note: '8 recordings, 6 h 02 min' },
        { id: 'day', at: 8, label: 'Day shift, 19 November', note: '22 recordings, 9 h 44 min' },
        { id: 'older', at: 30, label: 'Before' },
      ].filter(({ at }) => at < total),
    [total],
  )
  const [menu, setMenu] = useState<{ readonly row: Row; readonly place: MenuPlace } | null>(null)
  const shared = {
    label: 'Evidence',
    total,
    rowAt,
    keyOf,
    selection,
    onSelection: setSelection,
    onSelectAll: () => setSelection(EVERYTHING),
    onOpen: setOpened,
    room: !isEmpty(selection),
    onMenu: (row: Row, place: MenuPlace) => setMenu({ row, place }),
    empty: <EmptyState title="Nothing matches">Take a filter off to see more.</EmptyState>,
  }
  return (
    <div className={styles['list']}>
      <div className={styles['bar']}>
        <span className={styles['small']}>{format.count(total)} rows, drawn by window</span>
        <span className={styles['push']} />
        <Button size="small" onPress={() => setGone(gone + 1)}>
          Take the first away
        </Button>
        <Button size="small" onPress={() => setGone(gone === TOTAL ? 0 : TOTAL)}>
          {gone === TOTAL ? 'Bring all back' : 'Take all away'}
        </Button>
        <Segments
          label="View"
          value={view}
          onChange={setView}
          segments={[
            { id: 'list', label: 'List', icon: 'list' },
            { id: 'grid', label: 'Grid', icon: 'grid' },
          ]}
        />
        <ColumnsMenu columns={columns} chosen={chosen} standard={STANDARD} onChange={setChosen} />
      </div>
      <SplitView
        label="Facts"
        size={side}
        onSize={setSide}
        min={12}
        max={32}
        standard={16}
        side={<Facts row={opened} />}
      >
        <div className={styles['listPlace']}>
          {view === 'list' ? (
            <DataTable
              {...shared}
              columns={columns}
              shown={chosen}
              groups={groups}
              media
              sort={sort}
              onSort={setSort}
              onCopied={(rows) => toasts.show({ text: `${rows} rows copied` })}
            />
          ) : (
            <DataGrid {...shared} tile={tile} nameOf={nameOf} />
          )}
          {menu !== null && (
            <ContextMenu
              label={`Actions for ${menu.row.name}`}
              place={menu.place}
              onClose={() => setMenu(null)}
              sections={[
                { items: [{ id: 'open', label: 'Open', icon: 'evidence', onAction: () => setOpened(menu.row) }] },
                { items: [{ id: 'tag', label: 'Tag', icon: 'tag', keys: 'T' }] },
              ]}
            />
          )}
          {!isEmpty(selection) && (
            <SelectionBar
              words={`${format.count(countOf(selection, total))} selected`}
              facts="39 min 45 s · 6.20 GB"
              onClear={() => setSelection(NOTHING)}
              choice={
                <Button size="small" onPress={() => setSelection(EVERYTHING)}>
                  All {format.count(total)}
                </Button>
              }
              acts={[
                { id: 'link', label: 'Link to case', icon: 'link', onPress: () => undefined },
                {
                  id: 'tag',
                  label: 'Tag',
                  icon: 'tag',
                  onPress: () => toasts.show({ text: 'Tagged “entry”', undo: () => undefined }),
                },
                {
                  id: 'download',
                  label: 'Download',
                  icon: 'download',
                  why: 'Select at most 20 to act on at once.',
                  onPress: () => undefined,
                },
              ]}
            />
          )}
        </div>
      </SplitView>
    </div>
  )
}

function tile(row: Row) {
  return (
    <>
      <span className={styles['tilePicture']}>
        <Thumb icon="video" />
      </span>
      <span className={styles['tileWords']}>
        <TwoLines first={row.name} second={row.officer} strong />
        <StateShape state={row.state} label={row.word} />
      </span>
    </>
  )
}

function Facts({ row }: { readonly row: Row | null }) {
  return (
    <section className={styles['facts']} aria-label="Facts">
      <h2 className={styles['heading']}>{row?.name ?? 'Nothing open'}</h2>
      <p className={styles['small']}>
        {row === null
          ? 'Enter or a click opens a row here. The line between can be moved.'
          : `${row.id}, ${row.officer}, ${row.word}`}
      </p>
    </section>
  )
}
