import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../../../client/translate.ts'
import { Button } from '../../../../../ui/button/button.tsx'
import { useFormat } from '../../../../../ui/format/use-format.tsx'
import { Segments } from '../../../../../ui/segments/segments.tsx'
import { viewKeys, ZoomTools } from '../zoom-tools.tsx'
import { type Size, usePictureView } from '../use-view.ts'
import styles from './compare.module.css'
import { shareThatDiffers } from './difference.ts'

/** A picture that can be compared. */
export interface Comparable {
  readonly id: string
  readonly title: string
  readonly address: string
  /** Small; null where there is none yet. */
  readonly thumbnail: string | null
}

interface CompareProps {
  readonly first: Comparable
  readonly second: Comparable | null
  readonly all: readonly Comparable[]
  readonly onSecond: (id: string) => void
  readonly onSwap: () => void
  readonly onClose: () => void
}

type Mode = 'side' | 'difference'
const NONE: Size = { width: 0, height: 0 }
const MOST_GAIN = 16

/** Two pictures with one zoom and one place: side by side, or what differs between them. All of it is a view. */
export function Compare({ first, second, all, onSecond, onSwap, onClose }: CompareProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const [mode, setMode] = useState<Mode>('side')
  const [gain, setGain] = useState(1)
  const [sizes, setSizes] = useState<Readonly<Record<string, Size>>>({})
  const size = sizes[first.id] ?? NONE
  const other = second === null ? NONE : (sizes[second.id] ?? NONE)
  const view = usePictureView(size)
  const sized = (id: string) => (natural: Size) =>
    setSizes((now) => (now[id]?.width === natural.width ? now : { ...now, [id]: natural }))
  const share = useShare(mode === 'difference' && second !== null ? [first.address, second.address] : null)
  const pane = { view, size }
  const differs = other.width > 0 && size.width > 0 && (other.width !== size.width || other.height !== size.height)
  return (
    <section className={styles['compare']} aria-label={t('compareTitle')} data-compare={mode}>
      <div className={styles['panes']}>
        {mode === 'side' ? (
          <>
            <Pane {...pane} frame={view.frame} label={t('compareLeft')} pictures={[first]} onSize={sized} />
            {second !== null && <Pane {...pane} label={t('compareRight')} pictures={[second]} onSize={sized} />}
          </>
        ) : (
          <Pane
            {...pane}
            frame={view.frame}
            label={t('compareDifference')}
            pictures={second === null ? [first] : [first, second]}
            gain={gain}
            onSize={sized}
          />
        )}
      </div>
      <div className={styles['foot']}>
        <div className={styles['tools']} role="group" aria-label={t('compareTitle')}>
          <ZoomTools view={view} />
          <Segments
            label={t('compareTitle')}
            value={mode}
            onChange={setMode}
            segments={[
              { id: 'side', label: t('compareSide') },
              { id: 'difference', label: t('compareDifference') },
            ]}
          />
          {mode === 'difference' && (
            <input
              type="range"
              min={1}
              max={MOST_GAIN}
              value={gain}
              aria-label={t('compareStronger')}
              title={t('compareStronger')}
              onChange={(event) => setGain(Number(event.target.value))}
            />
          )}
          <span className={styles['end']}>
            {second !== null && (
              <Button kind="quiet" onPress={onSwap}>
                {t('compareSwap')}
              </Button>
            )}
            <Button kind="quiet" icon="x" onPress={onClose}>
              {t('compareClose')}
            </Button>
          </span>
        </div>
        <p className={styles['said']} role="status">
          {mode === 'difference' && (
            <>
              {t('compareDifferenceWhat')} {share !== null && t('comparePixels', { share: format.percent(share) })}{' '}
            </>
          )}
          {differs && t('compareSizes')}
        </p>
        <div className={styles['others']} role="group" aria-label={t('compareWith')}>
          {all
            .filter(({ id }) => id !== first.id)
            .map((one) => (
              <button
                key={one.id}
                type="button"
                className={styles['other']}
                aria-pressed={one.id === second?.id}
                title={one.title}
                onClick={() => onSecond(one.id)}
              >
                {one.thumbnail !== null && <img src={one.thumbnail} alt="" />}
                <span>{one.title}</span>
              </button>
            ))}
        </div>
      </div>
    </section>
  )
}

interface PaneProps {
  readonly view: ReturnType<typeof usePictureView>
  /** Of the first picture; others are stretched over it. */
  readonly size: Size
  readonly label: string
  /** One, or two that lie over each other: then what differs is seen. */
  readonly pictures: readonly Comparable[]
  readonly gain?: number
  readonly frame?: RefObject<HTMLDivElement | null>
  readonly onSize: (id: string) => (natural: Size) => void
}

function Pane({ view, size, label, pictures, gain = 1, frame, onSize }: PaneProps) {
  const { t } = useTranslation('evidencePage')
  const own = useRef<HTMLDivElement>(null)
  const box = frame ?? own
  const from = useRef<{ x: number; y: number } | null>(null)
  // The first pane's wheel is that of the view itself.
  useWheel(own, view.zoomAt, frame === undefined)
  const keys = (event: KeyboardEvent): void => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : viewKeys(view)[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  const { x, y } = view.view
  const style = {
    width: `${size.width}px`,
    height: `${size.height}px`,
    transform: `translate(-50%, -50%) translate(${x}px, ${y}px) scale(${view.scale})`,
    imageRendering: view.scale >= 3 ? ('pixelated' as const) : ('auto' as const),
  }
  return (
    <figure className={styles['pane']}>
      <div
        ref={box}
        className={styles['frame']}
        role="application"
        aria-label={`${label}. ${t('compareFrame')}`}
        tabIndex={0}
        onKeyDown={keys}
        onPointerDown={(event: PointerEvent) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          from.current = { x: event.clientX, y: event.clientY }
        }}
        onPointerMove={(event) => {
          if (from.current === null) return
          view.pan(event.clientX - from.current.x, event.clientY - from.current.y)
          from.current = { x: event.clientX, y: event.clientY }
        }}
        onPointerUp={() => {
          from.current = null
        }}
      >
        <div className={styles['pictures']} style={{ filter: `brightness(${gain})` }}>
          {pictures.map((one, at) => (
            <img
              key={one.id}
              src={one.address}
              alt={one.title}
              draggable={false}
              className={styles['picture']}
              style={{ ...style, ...(at > 0 ? { mixBlendMode: 'difference' } : {}) }}
              onLoad={({ currentTarget }) =>
                onSize(one.id)({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
              }
            />
          ))}
        </div>
      </div>
      <figcaption className={styles['caption']}>{pictures.map(({ title }) => title).join(' · ')}</figcaption>
    </figure>
  )
}

type ZoomAt = ReturnType<typeof usePictureView>['zoomAt']

function useWheel(box: RefObject<HTMLDivElement | null>, zoomAt: ZoomAt, own: boolean): void {
  useEffect(() => {
    const element = box.current
    if (element === null || !own) return
    const wheel = (event: WheelEvent): void => {
      event.preventDefault()
      const { left, top, width, height } = element.getBoundingClientRect()
      const point = { x: event.clientX - left - width / 2, y: event.clientY - top - height / 2 }
      zoomAt(Math.exp(-event.deltaY / 400), point)
    }
    element.addEventListener('wheel', wheel, { passive: false })
    return () => element.removeEventListener('wheel', wheel)
  }, [box, zoomAt, own])
}

/** More pixels than a browser handles at once are made fewer: a share of them says the same. */
const MOST_SIDE = 2048

/** What share of the pixels of two pictures differs; null while it is not known. */
function useShare(addresses: readonly [string, string] | null): number | null {
  const [found, setFound] = useState<{ readonly key: string; readonly share: number } | null>(null)
  const key = addresses?.join(' ') ?? ''
  useEffect(() => {
    if (addresses === null) return
    let gone = false
    const load = async (address: string): Promise<HTMLImageElement> => {
      const image = new Image()
      image.src = address
      await image.decode()
      return image
    }
    Promise.all(addresses.map(load)).then(
      ([one, other]) => {
        if (gone || one === undefined || other === undefined) return
        const shrink = Math.min(1, MOST_SIDE / Math.max(one.naturalWidth, one.naturalHeight))
        const width = Math.max(1, Math.round(one.naturalWidth * shrink))
        const height = Math.max(1, Math.round(one.naturalHeight * shrink))
        const [a, b] = [pixelsOf(one, width, height), pixelsOf(other, width, height)]
        if (a !== null && b !== null) setFound({ key, share: shareThatDiffers(a, b) })
      },
      () => {},
    )
    return () => {
      gone = true
    }
    // biome-ignore lint/correctness/useExhaustiveDependencies: the addresses are in the key
  }, [key])
  return found?.key === key ? found.share : null
}

function pixelsOf(image: HTMLImageElement, width: number, height: number): Uint8ClampedArray | null {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context?.drawImage(image, 0, 0, width, height)
  return context?.getImageData(0, 0, width, height).data ?? null
}
