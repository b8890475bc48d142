/** The view's state as it stands in the address: what is chosen, which tab, where the player stands and what it loops. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { CustodyView } from './queries.ts'
import { marksIn, marksText, placeIn, placeText } from './player/marks.ts'

/** Files are a tab on a phone, and stand below the picture elsewhere; where it was is one where nothing stands beside anything. */
export type Tab = 'custody' | 'files' | 'marks' | 'notes' | 'details' | 'where'

export interface ViewState {
  readonly tab: Tab
  readonly kind: CustodyView
  /** Id of the chosen resource; null: the first. */
  readonly resource: string | null
  /** Seconds. */
  readonly at: number
  readonly from: number | null
  readonly to: number | null
  readonly loop: boolean
  readonly marks: readonly number[]
  /** Id of the captions that are shown; null: none. */
  readonly captions: string | null
  /** Id of the picture that the chosen one is compared with; null: none. */
  readonly compare: string | null
}

const TABS: readonly Tab[] = ['custody', 'files', 'marks', 'notes', 'details', 'where']
const KINDS: readonly CustodyView[] = ['acts', 'all']

/** Whatever somebody typed into the address, the page opens. */
export function viewIn(search: Readonly<Record<string, unknown>>): ViewState {
  const from = placeIn(search['in'])
  const to = placeIn(search['out'])
  const idIn = (said: unknown): string | null => (/^\d{1,19}$/.test(String(said ?? '')) ? String(said) : null)
  return {
    tab: TABS.find((tab) => tab === search['tab']) ?? 'custody',
    kind: KINDS.find((kind) => kind === search['kind']) ?? 'acts',
    resource: idIn(search['r']),
    captions: idIn(search['cc']),
    compare: idIn(search['with']),
    at: placeIn(search['t']) ?? 0,
    from,
    to: to !== null && from !== null && to < from ? null : to,
    loop: search['loop'] === true || search['loop'] === 1,
    marks: marksIn(search['marks']),
  }
}

/** What is as usual does not stand in the address. */
export function searchOf(view: ViewState): Readonly<Record<string, unknown>> {
  const place = (seconds: number | null): number | undefined =>
    seconds === null ? undefined : Number(placeText(seconds))
  return {
    tab: view.tab === 'custody' ? undefined : view.tab,
    kind: view.kind === 'acts' ? undefined : view.kind,
    r: idText(view.resource),
    cc: idText(view.captions),
    with: idText(view.compare),
    t: view.at === 0 ? undefined : place(view.at),
    in: place(view.from),
    out: place(view.to),
    loop: view.loop ? true : undefined,
    marks: marksText(view.marks),
  }
}

/** As a number where it is one that numbers can hold, so that the address has no quotes. */
const idText = (id: string | null): number | string | undefined =>
  id === null ? undefined : Number.isSafeInteger(Number(id)) ? Number(id) : id

/** @param step of the way back; else in place, since a step of a player is none */
export type ChangeView = (change: Partial<ViewState>, step?: boolean) => void

export function useViewState(): readonly [ViewState, ChangeView] {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const view = useMemo(() => viewIn(search), [search])
  const change = useCallback(
    (what: Partial<ViewState>, step = false) =>
      void navigate({
        to: '.',
        search: (now: Readonly<Record<string, unknown>>) => ({ ...now, ...searchOf({ ...viewIn(now), ...what }) }),
        replace: !step,
        resetScroll: false,
      } as never),
    [navigate],
  )
  return [view, change]
}
