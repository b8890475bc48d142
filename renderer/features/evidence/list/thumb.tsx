import { type PointerEvent, Suspense, useEffect, useRef, useState } from 'react'
import { lazyPart } from '../../../client/load-chunk.ts'
import { iconOfEvidence, isPaper } from '../../../client/evidence-icons.ts'
import { Icon } from '../../../ui/icon/icon.tsx'
import styles from './list.module.css'
import type { Item } from './use-window.ts'

const Scrub = lazyPart(() => import('./scrub.tsx'))

/** The small picture of an evidence, or the shape of its kind. Beside a name, so it has none of its own. */
export function Thumb({ item, large = false }: { readonly item: Item; readonly large?: boolean }) {
  const [broken, setBroken] = useState<string | null>(null)
  const { Thumbnail, Summary } = item
  // Its address stays when the picture changes; the version makes it another.
  const address = Thumbnail === null ? null : `${Thumbnail}?v=${item.ConcurrencyId.slice(0, 8)}`
  const shown = address !== null && broken !== address
  const plain = !shown && isPaper(Summary.Type)
  const { share, handlers } = useHover(Summary.Strip !== null)
  return (
    <span className={styles[large ? 'picture' : 'thumb']} {...(plain ? { 'data-plain': '' } : {})} {...handlers}>
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
        <>
          <Icon name={iconOfEvidence(Summary.Type)} size={large ? 'large' : 'normal'} />
          {Summary.Status === 'working' && <Icon name="working" size="small" className={styles['atWork']} />}
        </>
      )}
      {share !== null && Summary.Strip !== null && (
        <Suspense fallback={null}>
          <Scrub strip={Summary.Strip} share={share} />
        </Suspense>
      )}
    </span>
  )
}

/** A pointer that only passes asks for nothing. */
const STAYS_MS = 150

/** How far along the pointer is once it stays; null while it is elsewhere, and where less motion is wanted. */
function useHover(scrubs: boolean) {
  const [share, setShare] = useState<number | null>(null)
  const at = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (!scrubs) return { share: null, handlers: {} }
  const shareOf = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(1, Math.max(0, (clientX - left) / width))
  }
  const handlers = {
    onPointerEnter: (event: PointerEvent): void => {
      if (event.pointerType !== 'mouse' || matchMedia('(prefers-reduced-motion: reduce)').matches) return
      at.current = shareOf(event)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setShare(at.current), STAYS_MS)
    },
    onPointerMove: (event: PointerEvent): void => {
      at.current = shareOf(event)
      setShare((now) => (now === null ? null : at.current))
    },
    onPointerLeave: (): void => {
      clearTimeout(timer.current)
      setShare(null)
    },
  }
  return { share, handlers }
}
