import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as documents from '../../../../shared/evidence/contract.ts'
import { downloadOriginals, MOST_DOWNLOADED } from '../../../../shared/evidence/download.contract.ts'
import * as fixity from '../../../../shared/integrity/fixity.contract.ts'
import { addressOf, call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { useClockText } from '../../../ui/clocks/clocks.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { SelectionBar } from '../../../ui/selection-bar/selection-bar.tsx'
import { countOf, EVERYTHING, isEmpty, isSelected, NOTHING, type Selection } from '../../../ui/table/selection.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { fits, type Target } from '../acts/acts.ts'
import { type ListSearch, queryOf } from './search.ts'
import { useSelectionActs } from './selection-acts.tsx'
import { type Item, PAGE } from './use-window.ts'

interface Props {
  readonly selection: Selection
  readonly setSelection: (selection: Selection) => void
  readonly loaded: readonly Item[]
  readonly total: number
  readonly search: ListSearch
}

/** What one act may ask of the station at once; more is said, not silently cut. */
const MOST_CHECKS = 500

export default function ListSelection(props: Props) {
  const { selection, setSelection, loaded, total } = props
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  const clockText = useClockText()
  const { tenant } = useSession()
  const [busy, setBusy] = useState<'check' | 'download' | null>(null)
  const count = countOf(selection, total)
  const items = loaded.filter((item) => isSelected(selection, item.EvidenceId))
  const facts = useFacts(props, count, items.length)
  const { bin } = props.search
  const { shown, dialog } = useSelectionActs({
    items,
    count,
    bin,
    gather: () => itemsOf(props, tenant),
    onDone: () => setSelection(NOTHING),
  })
  if (isEmpty(selection)) return dialog

  const act = (which: 'check' | 'download', work: () => Promise<string>): void => {
    setBusy(which)
    work()
      .then((text) => toasts.show({ text }), toasts.problem)
      .finally(() => setBusy(null))
  }
  const check = async (): Promise<string> => {
    const ids = await idsOf(props, tenant)
    for (const evidenceId of ids) await call(fixity.checkEvidence, { params: { tenantName: tenant, evidenceId } })
    return t('checking', { count: ids.length })
  }
  const download = async (): Promise<string> => {
    const all = await itemsOf(props, tenant)
    const ids = all.filter((target) => fits('download', target)).map(({ EvidenceId }) => EvidenceId)
    const [first] = ids
    if (first === undefined) throw new Error(t('noneToDownload'))
    if (ids.length === 1) return t('downloading', { count: await saveOriginals(tenant, first) })
    saveAs(addressOf(downloadOriginals, { params: { tenantName: tenant }, query: { id: ids } }))
    const left = all.length - ids.length
    const words = { count: ids.length, shown: format.count(ids.length) }
    return left === 0
      ? t('downloadingAsOne', words)
      : `${t('downloadingAsOne', words)} ${t('leftOutDownload', { count: left, shown: format.count(left) })}`
  }
  const copy = async (): Promise<void> => {
    const lines = items.map(({ EvidenceId, Name, Summary, Clock }) => {
      const times = Clock.CorrectedTimeUtc === null ? '' : clockText(Clock)
      return [EvidenceId, Name, times, Summary.FileName ?? ''].join('\t')
    })
    await navigator.clipboard.writeText(lines.join('\n'))
    toasts.show({ text: t('copied') })
  }
  const tooMany = (most: number): string | undefined => (count > most ? t('tooMany', { most }) : undefined)
  const copying = {
    id: 'copy',
    label: t('copyList'),
    icon: 'copy' as const,
    more: !bin,
    onPress: () => void copy().catch(toasts.problem),
  }
  return (
    <>
      {dialog}
      <SelectionBar
        words={t('selected', { count })}
        facts={facts}
        onClear={() => setSelection(NOTHING)}
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
        acts={[
          ...shown.filter(({ id }) => id !== 'delete'),
          // Of what is in the recycle bin no bytes are given out.
          ...(bin
            ? []
            : [
                {
                  id: 'download',
                  label: t('download'),
                  icon: 'download' as const,
                  busy: busy === 'download',
                  why: tooMany(MOST_DOWNLOADED),
                  onPress: () => act('download', download),
                },
                {
                  id: 'check',
                  label: t('checkNow'),
                  icon: 'fixity' as const,
                  busy: busy === 'check',
                  why: tooMany(MOST_CHECKS),
                  more: true,
                  onPress: () => act('check', check),
                },
              ]),
          copying,
          // Last, and apart from what is wanted often.
          ...shown.filter(({ id }) => id === 'delete'),
        ]}
      />
    </>
  )
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

const idsOf = async (props: Props, tenant: string): Promise<readonly string[]> =>
  props.selection.all ? (await itemsOf(props, tenant)).map(({ EvidenceId }) => EvidenceId) : [...props.selection.keys]

/** Of everything that matches, the station is asked page by page; what is selected and not here any more, one by one. */
async function itemsOf({ selection, total, search, loaded }: Props, tenant: string): Promise<readonly Target[]> {
  if (!selection.all) {
    const here = new Map<string, Target>(loaded.map((item) => [item.EvidenceId, item]))
    const found: Target[] = []
    for (const evidenceId of selection.keys)
      found.push(
        here.get(evidenceId) ??
          (search.bin ? binned(evidenceId) : null) ??
          (await call(documents.getEvidence, { params: { tenantName: tenant, evidenceId }, query: {} })),
      )
    return found
  }
  const found: Target[] = []
  for (let offset = 0; offset < total; offset += PAGE) {
    const { Items } = await call(documents.listEvidence, {
      params: { tenantName: tenant },
      query: { ...queryOf(search), count: String(PAGE), offset: String(offset) },
    })
    found.push(...Items.filter(({ EvidenceId }) => !selection.keys.has(EvidenceId)))
  }
  return found
}

/** Of what lies in the recycle bin no record is given out. */
const binned = (evidenceId: string): Target => ({
  EvidenceId: evidenceId,
  Name: evidenceId,
  AccessorPermissions: [],
  LifecycleState: 'Deleted',
  AssociationState: 'None',
  CategoryId: null,
})

async function saveOriginals(tenant: string, evidenceId: string): Promise<number> {
  const resources = await call(documents.listResources, { params: { tenantName: tenant, evidenceId } })
  const originals = resources.filter(({ Parent, State }) => Parent === null && State === 'UserCompleted')
  for (const { ResourceId, Name } of originals) {
    const params = { tenantName: tenant, evidenceId, resourceId: ResourceId }
    saveAs(addressOf(documents.getContent, { params, query: {} }), Name)
  }
  return originals.length
}

function saveAs(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
