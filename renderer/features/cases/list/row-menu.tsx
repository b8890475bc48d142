import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import * as contract from '../../../../shared/cases/contract.ts'
import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { visible } from '../../../ui/format/visible.ts'
import { copyText } from '../../../ui/hash/copy.ts'
import { ContextMenu, type MenuPlace } from '../../../ui/popover/context-menu.tsx'
import type { MenuItem } from '../../../ui/popover/menu-props.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type CaseItem, useCase, useCaseAct } from '../queries.ts'
import { holds, useMay } from '../rights.ts'
import { useMoves } from '../use-moves.ts'

const ShareDialog = lazyOpened(async () => (await import('../page/share-dialog.tsx')).ShareDialog)

interface RowMenuProps {
  readonly item: CaseItem
  /** null: the menu is closed; what it opened may still be open. */
  readonly place: MenuPlace | null
  readonly onClose: () => void
}

/** Right click on a case: going there, taking its address along, and what its page has buttons for. What one may not is not there. */
export default function CaseRowMenu({ item, place, onClose }: RowMenuProps) {
  const { t } = useTranslation('cases')
  const navigate = useNavigate()
  const act = useCaseAct(item.CaseId)
  const { close, reopen } = useMoves(item)
  const [sharing, setSharing] = useState<string | null>(null)
  const mayShare = useMay('ShareCases') || holds(item, 'Manage')
  const address = `/cases/${item.CaseId}`
  const copy = (text: string) => (): void =>
    void copyText(text).then((done) => toasts.show({ text: t(done ? 'copied' : 'copyRefused') }))
  const follow = (): void =>
    void act(item.Following ? contract.unfollowCase : contract.followCase, {}).catch(toasts.problem)
  const going: readonly MenuItem[] = [
    {
      id: 'open',
      label: t('openCase'),
      icon: 'cases',
      keys: 'Enter',
      onAction: () => void navigate({ to: '/cases/$caseId', params: { caseId: item.CaseId } }),
    },
    { id: 'tab', label: t('openTab'), icon: 'external', onAction: () => window.open(address) },
    { id: 'link', label: t('copyCaseLink'), icon: 'link', onAction: copy(new URL(address, location.href).href) },
    { id: 'ordinal', label: t('copyOrdinal'), icon: 'copy', onAction: copy(item.Ordinal) },
  ]
  const manage = holds(item, 'Manage')
  const acts: readonly MenuItem[] =
    item.LifecycleState === 'Deleted'
      ? []
      : [
          ...(mayShare
            ? [{ id: 'share', label: t('share'), icon: 'share' as const, onAction: () => setSharing(item.CaseId) }]
            : []),
          { id: 'follow', label: t(item.Following ? 'unfollow' : 'follow'), icon: 'flag', onAction: follow },
          ...(manage && item.State === 'Open'
            ? [{ id: 'close', label: t('close'), icon: 'check' as const, onAction: close }]
            : []),
          ...(manage && item.State === 'Closed'
            ? [{ id: 'reopen', label: t('reopen'), icon: 'undo' as const, onAction: reopen }]
            : []),
        ]
  const sections = [{ items: going }, { items: acts }].filter(({ items }) => items.length > 0)
  return (
    <>
      {place !== null && (
        <ContextMenu
          label={t('menuOf', { title: visible(item.Title) })}
          sections={sections}
          place={place}
          onClose={onClose}
        />
      )}
      {sharing !== null && <Sharing caseId={sharing} onClose={() => setSharing(null)} />}
    </>
  )
}

/** The list does not say who has access: the record does. */
function Sharing({ caseId, onClose }: { readonly caseId: string; readonly onClose: () => void }) {
  const { data } = useCase(caseId, null)
  return data === undefined ? null : <ShareDialog record={data} onClose={onClose} />
}
