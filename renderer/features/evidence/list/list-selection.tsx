import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as documents from '../../../../shared/evidence/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { useClockText } from '../../../ui/clocks/clocks.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { copyText } from '../../../ui/hash/copy.ts'
import type { MenuPlace } from '../../../ui/popover/context-menu.tsx'
import { type SelectionAct, SelectionBar } from '../../../ui/selection-bar/selection-bar.tsx'
import { countOf, EVERYTHING, isEmpty, isSelected, NOTHING, type Selection } from '../../../ui/table/selection.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useChosenActs } from '../acts/chosen-acts.tsx'
import { RowMenu } from '../acts/row-menu.tsx'
import { type ListSearch, queryOf } from './search.ts'
import { itemsOf } from './selected-items.ts'
import type { Item } from './use-window.ts'

interface Props {
  readonly selection: Selection
  readonly setSelection: (selection: Selection) => void
  readonly loaded: readonly Item[]
  readonly total: number
  readonly search: ListSearch
  /** What a key or a menu asked for; null: nothing. */
  readonly asked: Asked | null
  readonly onAsked: () => void
}

/** An act with the selection, or where nothing is selected with one row; or the menu of a row. */
export type Asked =
  | { readonly kind: 'act'; readonly act: string; readonly item: Item | undefined }
  | { readonly kind: 'menu'; readonly item: Item; readonly place: MenuPlace }

export default function ListSelection(props: Props) {
  const { selection, setSelection, loaded, total, asked, onAsked } = props
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  const { tenant } = useSession()
  const count = countOf(selection, total)
  const items = loaded.filter((item) => isSelected(selection, item.EvidenceId))
  const facts = useFacts(props, count, items.length)
  const { bin } = props.search
  const clear = (): void => setSelection(NOTHING)
  const ofSelection = useChosenActs({ items, count, bin, gather: () => itemsOf(props, tenant), onDone: clear })
  // The row stays as long as its dialog is open, also when the list has gone on.
  const [row, setRow] = useState<Item | null>(null)
  const ofRow = useChosenActs({
    items: row === null ? [] : [row],
    count: 1,
    bin,
    gather: async () => (row === null ? [] : [row]),
    onDone: () => {},
  })
  const copy = useCopyList(items, !bin)
  const [wanted, setWanted] = useState<string | null>(null)
  useEffect(() => {
    if (asked === null) return
    if (asked.kind === 'menu') return setRow(asked.item)
    onAsked()
    if (asked.item !== undefined) setRow(asked.item)
    setWanted(asked.act)
  }, [asked, onAsked])
  useEffect(() => {
    if (wanted === null) return
    setWanted(null)
    ;(isEmpty(selection) ? ofRow : ofSelection).press(wanted)
  }, [wanted, selection, ofRow, ofSelection])

  const menu = asked?.kind === 'menu' && row !== null && (
    <RowMenu
      item={asked.item}
      bin={bin}
      place={asked.place}
      acts={isSelected(selection, asked.item.EvidenceId) ? withBefore(ofSelection.shown, copy) : ofRow.shown}
      count={isSelected(selection, asked.item.EvidenceId) ? count : 1}
      onClose={onAsked}
    />
  )
  // The dialogs keep their place: one that began anew while it closes would not know any more where the focus was.
  return (
    <>
      {ofSelection.dialog}
      {ofRow.dialog}
      {menu}
      {!isEmpty(selection) && (
        <SelectionBar
          words={t('selected', { count })}
          facts={facts}
          onClear={clear}
          choice={
            selection.all && total > loaded.length ? (
              <Button
                size="small"
                onPress={() => setSelection({ all: false, keys: new Set(loaded.map(({ EvidenceId }) => EvidenceId)) })}
              >
                {t('selectThese', { shown: format.count(loaded.length) })}
              </Button>
            ) : !selection.all && count === loaded.length && total > count ? (
              <Button size="small" onPress={() => setSelection(EVERYTHING)}>
                {t('selectAllOf', { shown: format.count(total) })}
              </Button>
            ) : undefined
          }
          acts={withBefore(ofSelection.shown, copy)}
        />
      )}
    </>
  )
}

/** Deletion stays last, and apart from what is wanted often. */
const withBefore = (shown: readonly SelectionAct[], further: readonly SelectionAct[]): readonly SelectionAct[] => [
  ...shown.filter(({ danger }) => danger !== true),
  ...further,
  ...shown.filter(({ danger }) => danger === true),
]

/** The rows of the selection that are here, as text for a table. */
function useCopyList(items: readonly Item[], more: boolean): readonly SelectionAct[] {
  const { t } = useTranslation('evidenceList')
  const clockText = useClockText()
  const copy = async (): Promise<void> => {
    const lines = items.map(({ EvidenceId, DisplayName, Summary, Clock }) => {
      const times = Clock.CorrectedTimeUtc === null ? '' : clockText(Clock)
      return [EvidenceId, DisplayName, times, Summary.FileName ?? ''].join('\t')
    })
    const done = await copyText(lines.join('\n'))
    toasts.show({ text: t(done ? 'copied' : 'copyRefused') })
  }
  return [{ id: 'copy', label: t('copyList'), icon: 'copy', more, onPress: () => void copy() }]
}

interface Sums {
  readonly bytes: number
  readonly seconds: number
}

const sumOf = (items: Iterable<Sums>): Sums => {
  let [bytes, seconds] = [0, 0]
  for (const item of items) {
    bytes += item.bytes
    seconds += item.seconds
  }
  return { bytes, seconds }
}

/**
 * How long and how large the selection is. Of all that match the station adds up; of chosen rows each was on the screen when it was chosen.
 * A sum of a part never stands beside the number of all without saying of how many it is.
 */
function useFacts({ selection, loaded, search }: Props, count: number, here: number): string {
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  const { tenant } = useSession()
  const chosen = useChosen(selection, loaded)
  const query = queryOf(search)
  const { data: all } = useQuery({
    queryKey: ['evidence-list', tenant, query, 'sums'],
    queryFn: async ({ signal }) => {
      const asked = { ...query, count: '1', total: 'atLeast', sums: 'true' } as const
      const { Sums } = await call(documents.listEvidence, { params: { tenantName: tenant }, query: asked, signal })
      return Sums ?? null
    },
    enabled: selection.all,
  })
  const written = ({ bytes, seconds }: Sums): string =>
    [...(seconds > 0 ? [format.duration(seconds)] : []), format.bytes(bytes)].join(' · ')
  const hidden = count - here
  const outOfSight = hidden > 0 ? [t('outOfSight', { count: hidden })] : []
  const known = sumOf(chosen.values())
  const whole = chosen.size === selection.keys.size
  if (!selection.all && whole) return [written(known), ...outOfSight].join(' · ')
  if (selection.all && whole && all !== undefined && all !== null)
    return [
      written({ bytes: all.LengthInBytes - known.bytes, seconds: all.DurationSeconds - known.seconds }),
      ...outOfSight,
    ].join(' · ')
  const part = loaded.filter((item) => isSelected(selection, item.EvidenceId)).map(sumsOf)
  return t('loadedFacts', { shown: format.count(part.length), facts: written(sumOf(part)) })
}

const sumsOf = ({ Summary }: Item): Sums => ({ bytes: Summary.LengthInBytes, seconds: Summary.DurationSeconds ?? 0 })

/** Of the keys of the selection what was on the screen since they were chosen: rows leave the page, their figures are still needed. */
function useChosen({ keys }: Selection, loaded: readonly Item[]): ReadonlyMap<string, Sums> {
  const [chosen] = useState(() => new Map<string, Sums>())
  for (const key of chosen.keys()) if (!keys.has(key)) chosen.delete(key)
  for (const item of loaded) if (keys.has(item.EvidenceId)) chosen.set(item.EvidenceId, sumsOf(item))
  return chosen
}
