import { useState } from 'react'
import { Icon, type IconName } from '../../../ui/icon/icon.tsx'
import styles from './list.module.css'
import type { Item } from './use-window.ts'

const ICONS: Readonly<Record<Item['Summary']['Type'], IconName>> = {
  video: 'video',
  audio: 'audio',
  image: 'picture',
  document: 'document',
  text: 'document',
  other: 'file',
  none: 'upload',
}

/** The small picture of an evidence, or the shape of its kind. Beside a name, so it has none of its own. */
export function Thumb({ item, large = false }: { readonly item: Item; readonly large?: boolean }) {
  const [broken, setBroken] = useState<string | null>(null)
  const { Thumbnail, Summary } = item
  // Its address stays when the picture changes; the version makes it another.
  const address = Thumbnail === null ? null : `${Thumbnail}?v=${item.ConcurrencyId.slice(0, 8)}`
  const shown = address !== null && broken !== address
  const plain = !shown && Summary.Type !== 'video' && Summary.Type !== 'audio'
  return (
    <span className={styles[large ? 'picture' : 'thumb']} {...(plain ? { 'data-plain': '' } : {})}>
      {shown ? (
        <img
          src={address}
          alt=""
          draggable={false}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(address)}
        />
      ) : (
        <Icon name={ICONS[Summary.Type]} size={large ? 'large' : 'normal'} />
      )}
    </span>
  )
}
