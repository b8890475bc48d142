import { useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { IconButton } from '../../../../ui/button/button.tsx'
import { lazyOpened } from '../../../../client/lazy-opened.tsx'
import { Menu } from '../../../../ui/popover/menu.tsx'
import { toasts } from '../../../../ui/toast/toast.tsx'
import type { Evidence, Media } from '../queries.ts'
import type { ViewState } from '../search-state.ts'
import { visible } from '../text/visible.ts'
import { useCaptionActs } from './use-captions.ts'

const AttachDialog = lazyOpened(async () => (await import('./attach-dialog.tsx')).AttachDialog)

export interface CaptionsMenuProps {
  readonly evidence: Evidence
  /** Id of the original that is played. */
  readonly markedOn: string
  readonly tracks: Media['Captions']
  readonly chosen: string | null
  readonly change: (change: Partial<ViewState>) => void
}

const OFF = 'off'

const nameOf = ({ Label, Language }: Media['Captions'][number]): string =>
  Label === Language ? Language : `${visible(Label)} (${Language})`

/** Which captions are shown, the way to more of them, and away with those that are shown. Not there where there are none and none may be attached. */
export function CaptionsMenu({ evidence, markedOn, tracks, chosen, change }: CaptionsMenuProps) {
  const { t } = useTranslation('evidencePage')
  const [attaching, setAttaching] = useState(false)
  const may = evidence.AccessorPermissions.includes('Edit')
  const acts = useCaptionActs(evidence.EvidenceId)
  const track = tracks.find(({ ResourceId }) => ResourceId === chosen)
  const shown = track !== undefined
  const takeAway = (id: string): void => {
    acts.takeAway(id).then(
      () => {
        change({ captions: null })
        const undo = () => acts.giveBack(id).then(() => change({ captions: id }))
        toasts.show({
          text: t('captionsTaken'),
          undo: () => undo(),
        })
      },
      (error: unknown) => toasts.problem(error),
    )
  }
  const sections = [
    ...(tracks.length === 0
      ? []
      : [
          {
            label: t('captions'),
            selected: track?.ResourceId ?? OFF,
            onSelect: (id: string) => change({ captions: id === OFF ? null : id }),
            items: [
              { id: OFF, label: t('captionsOff') },
              ...tracks.map((one) => ({ id: one.ResourceId, label: nameOf(one) })),
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
              ...(track === undefined
                ? []
                : [
                    {
                      id: 'take-away',
                      label: t('captionsTakeAway', { name: nameOf(track) }),
                      icon: 'x' as const,
                      onAction: (): void => takeAway(track.ResourceId),
                    },
                  ]),
            ],
          },
        ]
      : []),
  ]
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
