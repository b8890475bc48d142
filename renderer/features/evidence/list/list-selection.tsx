import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as documents from '../../../../shared/contract/documents.ts'
import * as fixity from '../../../../shared/contract/fixity.ts'
import { addressOf, call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { SelectionBar } from '../../../ui/selection-bar/selection-bar.tsx'
import { NOTHING, type Selection } from '../../../ui/table/selection.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import type { Item } from './use-window.ts'

interface Props {
  readonly selection: Selection
  readonly setSelection: (selection: Selection) => void
  readonly rowAt: (index: number) => Item | undefined
  readonly total: number
}

/** What one act may ask of the station at once; more is said, not silently cut. */
const MOST_AT_ONCE = 200
const MOST_DOWNLOADS = 20

export function ListSelection({ selection, setSelection, rowAt, total }: Props) {
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  const { tenant } = useSession()
  const [busy, setBusy] = useState(false)
  const ids = [...selection.keys]
  const items = inSight(selection, rowAt, total)
  if (ids.length === 0) return null
  const seconds = items.reduce((sum, { Summary }) => sum + (Summary.DurationSeconds ?? 0), 0)
  const bytes = items.reduce((sum, { Summary }) => sum + Summary.LengthInBytes, 0)
  const hidden = ids.length - items.length
  const facts = [
    ...(seconds > 0 ? [format.duration(seconds)] : []),
    format.bytes(bytes),
    ...(hidden > 0 ? [t('outOfSight', { count: hidden })] : []),
  ].join(' · ')

  const check = async (): Promise<void> => {
    setBusy(true)
    try {
      for (const evidenceId of ids) {
        await call(fixity.checkEvidence, { params: { tenantName: tenant, evidenceId } })
      }
      toasts.show({ text: t('checking', { count: ids.length }) })
    } catch (error) {
      toasts.problem(error)
    } finally {
      setBusy(false)
    }
  }
  const download = async (): Promise<void> => {
    let begun = 0
    for (const evidenceId of ids) {
      const resources = await call(documents.listResources, { params: { tenantName: tenant, evidenceId } })
      for (const { ResourceId, Parent, State, Name } of resources) {
        if (Parent !== null || State !== 'UserCompleted') continue
        save(addressOf(documents.getContent, { params: { tenantName: tenant, evidenceId, resourceId: ResourceId }, query: {} }), Name)
        begun += 1
      }
    }
    toasts.show({ text: t('downloading', { count: begun }) })
  }
  const copy = async (): Promise<void> => {
    const lines = items.map((item) => [item.EvidenceId, item.Name, item.Summary.RecordedTimeUtc ?? '', item.Summary.FileName ?? ''].join('\t'))
    await navigator.clipboard.writeText(lines.join('\n'))
    toasts.show({ text: t('copied') })
  }
  return (
    <SelectionBar count={t('selected', { count: ids.length })} facts={facts} onClear={() => setSelection(NOTHING)}>
      <Button
        kind="quiet"
        icon="fixity"
        busy={busy}
        onPress={() => void check()}
        {...(ids.length > MOST_AT_ONCE ? { why: t('tooMany', { most: MOST_AT_ONCE }) } : {})}
      >
        {t('checkNow')}
      </Button>
      <Button
        kind="quiet"
        icon="download"
        onPress={() => void download().catch((error: unknown) => toasts.problem(error))}
        {...(ids.length > MOST_DOWNLOADS ? { why: t('tooMany', { most: MOST_DOWNLOADS }) } : {})}
      >
        {t('download')}
      </Button>
      <Button kind="quiet" icon="copy" onPress={() => void copy()}>
        {t('copyList')}
      </Button>
    </SelectionBar>
  )
}

/** Rows of the selection that were loaded: what can be summed. */
function inSight(selection: Selection, rowAt: Props['rowAt'], total: number): Item[] {
  const found: Item[] = []
  for (let index = 0; index < total && found.length < selection.keys.size; index++) {
    const item = rowAt(index)
    if (item !== undefined && selection.keys.has(item.EvidenceId)) found.push(item)
  }
  return found
}

function save(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
