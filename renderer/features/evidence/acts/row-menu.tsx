import { useNavigate } from '@tanstack/react-router'
import { PLAYING } from '../../../client/play-on-open.ts'
import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { copyText } from '../../../ui/hash/copy.ts'
import { ContextMenu, type MenuPlace } from '../../../ui/popover/context-menu.tsx'
import type { MenuItem } from '../../../ui/popover/menu-props.ts'
import type { SelectionAct } from '../../../ui/selection-bar/selection-bar.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'

interface RowMenuProps {
  readonly item: { readonly EvidenceId: string; readonly Summary?: { readonly Type: string } | undefined }
  readonly bin: boolean
  readonly place: MenuPlace
  /** What the selection bar offers, of this row or of the selection that it is in. */
  readonly acts: readonly SelectionAct[]
  /** Of how many the acts are. */
  readonly count: number
  readonly onClose: () => void
}

export const addressOfEvidence = (id: string): string => `/evidence/${id}`
const isPlayed = (type: string | undefined): boolean => type === 'video' || type === 'audio'

/** Right click on a row or tile: going there, taking its address along, and the acts of the selection bar. */
export function RowMenu({ item: { EvidenceId: id, Summary }, bin, place, acts, count, onClose }: RowMenuProps) {
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  const navigate = useNavigate()
  const open = (): void => void navigate({ to: '/evidence/$evidenceId', params: { evidenceId: id } })
  const play = (): void =>
    void navigate({ to: '/evidence/$evidenceId', params: { evidenceId: id }, state: PLAYING as never })
  const copy = (text: string) => (): void =>
    void copyText(text).then((done) => toasts.show({ text: t(done ? 'copied' : 'copyRefused') }))
  const going: readonly MenuItem[] = bin
    ? []
    : [
        { id: 'open', label: t('open'), icon: 'evidence', keys: 'Enter', onAction: open },
        { id: 'tab', label: t('openTab'), icon: 'external', onAction: () => window.open(addressOfEvidence(id)) },
        ...(isPlayed(Summary?.Type) ? [{ id: 'play', label: t('play'), icon: 'play' as const, onAction: play }] : []),
      ]
  const copies: readonly MenuItem[] = [
    ...(bin
      ? []
      : [
          {
            id: 'link-copy',
            label: t('copyLink'),
            icon: 'link' as const,
            onAction: copy(new URL(addressOfEvidence(id), location.href).href),
          },
        ]),
    { id: 'id-copy', label: t('copyId'), icon: 'copy', onAction: copy(id) },
  ]
  const sections = [
    { items: [...going, ...copies] },
    {
      ...(count > 1 ? { label: t('selected', { count }) } : {}),
      items: acts.filter(({ danger }) => danger !== true).map(itemOf),
    },
    { items: acts.filter(({ danger }) => danger === true).map(itemOf) },
  ].filter(({ items }) => items.length > 0)
  const label = count > 1 ? t('menuOfMany', { shown: format.count(count) }) : t('menuOfOne', { id })
  return <ContextMenu label={label} sections={sections} place={place} onClose={onClose} />
}

const itemOf = ({ id, label, icon, why, keys, danger, onPress }: SelectionAct): MenuItem => ({
  id,
  label,
  icon,
  why,
  keys,
  danger,
  onAction: onPress,
})
