import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../../ui/button/button.tsx'
import { Menu } from '../../../../ui/popover/menu.tsx'
import type { Evidence, Media } from '../data.ts'
import type { ViewState } from '../search-state.ts'
import { visible } from '../text/visible.ts'
import { AttachDialog } from './attach-dialog.tsx'

export interface CaptionsMenuProps {
  readonly evidence: Evidence
  /** Id of the original that is played. */
  readonly markedOn: string
  readonly tracks: Media['Captions']
  readonly chosen: string | null
  readonly change: (change: Partial<ViewState>) => void
}

const OFF = 'off'

/** Which captions are shown, and the way to more of them. Not there where there are none and none may be attached. */
export function CaptionsMenu({ evidence, markedOn, tracks, chosen, change }: CaptionsMenuProps) {
  const { t } = useTranslation('evidencePage')
  const [attaching, setAttaching] = useState(false)
  const may = evidence.AccessorPermissions.includes('Edit')
  const shown = tracks.some(({ ResourceId }) => ResourceId === chosen)
  const sections = useMemo(
    () => [
      ...(tracks.length === 0
        ? []
        : [
            {
              label: t('captions'),
              selected: shown ? (chosen ?? OFF) : OFF,
              onSelect: (id: string) => change({ captions: id === OFF ? null : id }),
              items: [
                { id: OFF, label: t('captionsOff') },
                ...tracks.map(({ ResourceId, Label, Language }) => ({
                  id: ResourceId,
                  label: Label === Language ? Language : `${visible(Label)} (${Language})`,
                })),
              ],
            },
          ]),
      ...(may
        ? [
            {
              label: t('captionsMore'),
              items: [
                {
                  id: 'attach',
                  label: t('captionsAttach'),
                  icon: 'plus' as const,
                  onAction: (): void => setAttaching(true),
                },
              ],
            },
          ]
        : []),
    ],
    [t, tracks, shown, chosen, change, may],
  )
  if (sections.length === 0) return null
  return (
    <>
      <Menu
        label={t('captions')}
        placement="top end"
        sections={sections}
        trigger={<IconButton icon="captions" label={t(shown ? 'captionsOn' : 'captions')} tooltip={false} />}
      />
      {attaching && (
        <AttachDialog
          evidenceId={evidence.EvidenceId}
          resourceId={markedOn}
          onClose={() => setAttaching(false)}
          onAttached={(captions) => change({ captions })}
        />
      )}
    </>
  )
}
