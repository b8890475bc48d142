import { useTranslation } from '../../../../client/translate.ts'
import { TextButton } from '../../../../ui/button/button.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { Icon, type IconName } from '../../../../ui/icon/icon.tsx'
import type { Resource } from '../queries.ts'
import type { ChangeView } from '../search-state.ts'
import { visible } from '../text/visible.ts'
import styles from './stage.module.css'

interface TakenFromProps {
  readonly resource: Resource
  readonly resources: readonly Resource[]
  readonly change: ChangeView
}

const ICONS = { still: 'still', crop: 'crop', exact: 'clip', stream: 'clip' } as const satisfies Record<
  string,
  IconName
>

/** Of a still, a clip or a crop: what it was taken from and which part, with the way back to that very place. */
export function TakenFrom({ resource: { Taken, Parent }, resources, change }: TakenFromProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const parent = resources.find(({ ResourceId }) => ResourceId === Parent)
  if (Taken === null || parent === undefined) return null
  const { Kind, FromSeconds, ToSeconds, FrameCount, Area } = Taken
  const name = visible(parent.Name)
  const from = format.position(FromSeconds ?? 0)
  const words =
    Area !== null
      ? t('takenCrop', {
          name,
          width: format.count(Area.Width),
          height: format.count(Area.Height),
          left: format.count(Area.Left),
          top: format.count(Area.Top),
        })
      : Kind === 'still'
        ? t('takenStill', { name, from })
        : [
            t('takenClip', { name, from, to: format.position(ToSeconds ?? 0) }),
            ...(FrameCount === null ? [] : [t('takenFrames', { count: FrameCount })]),
            t(Kind === 'exact' ? 'takenExact' : 'takenStream'),
          ].join(' · ')
  const range = Kind === 'exact' || Kind === 'stream' ? { from: FromSeconds, to: ToSeconds } : { from: null, to: null }
  const show = (): void =>
    change({ resource: parent.ResourceId, at: FromSeconds ?? 0, ...range, loop: false, marks: [] }, true)
  return (
    <p className={styles['taken']} data-taken>
      <Icon name={ICONS[Kind]} size="small" />
      <span>{words}</span>
      <TextButton onPress={show}>{t(Area === null ? 'takenShowMoment' : 'takenShowPicture')}</TextButton>
    </p>
  )
}
