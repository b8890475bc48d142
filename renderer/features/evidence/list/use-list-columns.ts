import { useCallback, useMemo } from 'react'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { useClockText } from '../../../ui/clocks/clocks.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import type { Column } from '../../../ui/table/table.tsx'
import { useChosenColumns } from '../../../ui/table/use-columns.ts'
import { binColumns, columnsOf, USUAL_COLUMNS } from './columns.tsx'
import type { ListSearch } from './search.ts'
import type { Item } from './use-window.ts'

export interface ListColumns {
  /** That the table has. */
  readonly chosen: readonly Column<Item>[]
  /** Their ids, without those of the recycle bin, which has its own. */
  readonly shown: readonly string[]
  readonly choices: readonly { readonly id: string; readonly label: string; readonly fixed: boolean }[]
  readonly setShown: (ids: readonly string[]) => void
}

/** A view and a colleague's address bring their columns along; what is changed then is theirs, not one's own choice. */
export function useListColumns(search: ListSearch, change: (what: Partial<ListSearch>) => void): ListColumns {
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  const clockText = useClockText()
  const binDays = useSession().session.Station.RecycleBinDays
  const columns = useMemo(
    () => (search.bin ? binColumns(t, format, clockText, binDays) : columnsOf(t, format, clockText)),
    [t, format, clockText, search.bin, binDays],
  )
  const [own, setOwn] = useChosenColumns('evidenceColumns', USUAL_COLUMNS)
  const shown = search.cols.length > 0 ? search.cols : own
  const chosen = useMemo(
    () => (search.bin ? columns : columns.filter(({ id }) => shown.includes(id))),
    [columns, shown, search.bin],
  )
  const choices = useMemo(() => columns.map(({ id, label }) => ({ id, label, fixed: id === 'name' })), [columns])
  const setShown = useCallback(
    (next: readonly string[]) => (search.cols.length > 0 ? change({ cols: [...next] }) : setOwn(next)),
    [search.cols, change, setOwn],
  )
  return { chosen, shown, choices, setShown }
}
