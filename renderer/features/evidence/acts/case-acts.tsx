/** What can be done with evidence on the page of a case: the selection bar and the menu of a row, with totals from the station. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { z } from 'zod'
import * as documents from '../../../../shared/evidence/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { useShortcuts } from '../../../ui/command/use-shortcuts.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import type { MenuPlace } from '../../../ui/popover/context-menu.tsx'
import { type SelectionAct, SelectionBar } from '../../../ui/selection-bar/selection-bar.tsx'
import { useChosenActs } from './chosen-acts.tsx'
import { RowMenu } from './row-menu.tsx'

type Item = z.output<typeof documents.EvidenceListItem>

interface CaseActsProps {
  readonly caseId: string
  /** What is selected of the case. */
  readonly ids: readonly string[]
  /** All of the case is selected. */
  readonly all: boolean
  /** The row whose menu was asked for. */
  readonly menu: { readonly id: string; readonly place: MenuPlace } | null
  /** What the case itself does with these: removing them from it. */
  readonly actsOfCase: (ids: readonly string[]) => readonly SelectionAct[]
  readonly onMenuClosed: () => void
  readonly onClear: () => void
}

/** In the bar, in this order; whatever else there is stands behind *More*. */
const IN_SIGHT = ['tag', 'category', 'download', 'package', 'move']
/** What stays longest where there is no room for all. */
const KEPT: Readonly<Record<string, number>> = { tag: 2, download: 1 }
/** A case is left by removing from it; deleting stays with the list and the page of the evidence. */
const ELSEWHERE = ['delete']

export function CaseActs({ caseId, ids, all, menu, actsOfCase, onMenuClosed, onClear }: CaseActsProps) {
  const { t } = useTranslation('evidenceList')
  const { items, sums } = useItemsOfCase(caseId, ids.length > 0 || menu !== null)
  const of = (wanted: readonly string[]): readonly Item[] =>
    items.filter(({ EvidenceId }) => wanted.includes(EvidenceId))
  const chosen = of(ids)
  const ofSelection = useChosenActs({
    items: chosen,
    count: ids.length,
    bin: false,
    caseId,
    gather: async () => chosen,
    onDone: onClear,
  })
  const inMenu = menu === null ? [] : ids.includes(menu.id) ? ids : [menu.id]
  const row = of(inMenu)
  const ofRow = useChosenActs({
    items: row,
    count: row.length,
    bin: false,
    caseId,
    gather: async () => row,
    onDone: () => {},
  })
  const press = ids.length > 0 ? ofSelection.press : undefined
  const pressed = useMemo(() => {
    const by = (act: string) => press && (() => press(act))
    return { t: by('tag'), c: by('link'), s: by('category'), r: by('title') }
  }, [press])
  useShortcuts(pressed)
  const facts = useFacts(chosen, all ? sums : null)
  const open = useOpen(ids)
  return (
    <>
      {ofSelection.dialog}
      {ofRow.dialog}
      {menu !== null && (
        <RowMenu
          item={items.find(({ EvidenceId }) => EvidenceId === menu.id) ?? { EvidenceId: menu.id }}
          bin={false}
          place={menu.place}
          acts={[...ordered(ofRow.shown), ...actsOfCase(inMenu)]}
          count={inMenu.length}
          onClose={onMenuClosed}
        />
      )}
      {ids.length > 0 && (
        <SelectionBar
          words={t('selected', { count: ids.length })}
          facts={facts}
          onClear={onClear}
          acts={[...open, ...ordered(ofSelection.shown), ...actsOfCase(ids)]}
        />
      )}
    </>
  )
}

/** The acts that are wanted in a case first, the others behind *More*. */
function ordered(shown: readonly SelectionAct[]): readonly SelectionAct[] {
  const first = IN_SIGHT.flatMap((id) => shown.filter((act) => act.id === id))
  const rest = shown.filter(({ id }) => !IN_SIGHT.includes(id) && !ELSEWHERE.includes(id))
  return [
    ...first.map((act) => ({ ...act, more: false, keep: KEPT[act.id] })),
    ...rest.map((act) => ({ ...act, more: true })),
  ]
}

/** Of one item: going to it. */
function useOpen(ids: readonly string[]): readonly SelectionAct[] {
  const { t } = useTranslation('evidenceList')
  const navigate = useNavigate()
  const [evidenceId] = ids
  if (ids.length !== 1 || evidenceId === undefined) return []
  const onPress = (): void => void navigate({ to: '/evidence/$evidenceId', params: { evidenceId } })
  return [{ id: 'open', label: t('open'), icon: 'evidence', keys: 'Enter', onPress }]
}

const PAGE = 100

/** All evidence of the case as the list has it, and the station's sums. */
function useItemsOfCase(caseId: string, enabled: boolean) {
  const { tenant } = useSession()
  const { data } = useQuery({
    queryKey: ['evidence-list', tenant, 'of-case', caseId],
    enabled,
    queryFn: async ({ signal }) => {
      const page = (offset: number) =>
        call(documents.listEvidence, {
          params: { tenantName: tenant },
          query: {
            case: caseId,
            count: String(PAGE),
            offset: String(offset),
            ...(offset === 0 ? { sums: 'true' as const } : {}),
          },
          signal,
        })
      const first = await page(0)
      const items = [...first.Items]
      while (items.length < first.Total) {
        const { Items } = await page(items.length)
        if (Items.length === 0) break
        items.push(...Items)
      }
      return { items, sums: first.Sums ?? null }
    },
  })
  return { items: data?.items ?? [], sums: data?.sums ?? null }
}

type Sums = z.output<typeof documents.EvidenceSums>

/** How long and how large: of all of the case as the station adds up, of some as it says of each. */
function useFacts(chosen: readonly Item[], sums: Sums | null): string | undefined {
  const format = useFormat()
  if (chosen.length === 0) return undefined
  const seconds = sums?.DurationSeconds ?? chosen.reduce((sum, { Summary }) => sum + (Summary.DurationSeconds ?? 0), 0)
  const bytes = sums?.LengthInBytes ?? chosen.reduce((sum, { Summary }) => sum + Summary.LengthInBytes, 0)
  return [...(seconds > 0 ? [format.duration(seconds)] : []), format.bytes(bytes)].join(' · ')
}
