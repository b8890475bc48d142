import { type KeyboardEvent, type PointerEvent, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { useShortcuts } from '../../../../ui/command/use-shortcuts.ts'
import { Note } from '../../../../ui/note/note.tsx'
import type { Media, Resource } from '../queries.ts'
import type { ClockSource } from '../player/recorded.ts'
import { TimePlate, usePlate } from '../stage/time-plate.tsx'
import { visible } from '../text/visible.ts'
import { Exif } from './exif.tsx'
import { filterOf, GammaFilter, LevelsBar } from './levels.tsx'
import { Loupe } from './loupe.tsx'
import { onPicture, type Point } from './measure.ts'
import { Crosshair, MeasureBar, MeasuredLine } from './measuring.tsx'
import styles from './picture.module.css'
import { Tools } from './tools.tsx'
import { type PictureTools, useTools } from './use-tools.ts'
import { type Size, usePictureView } from './use-view.ts'

export interface PictureProps {
  readonly resource: Resource
  readonly media: Media
  readonly address: string
  /** Address of the original, where what is shown may be smaller than it and it may be handed out. */
  readonly whole: string | null
  /** Address of what was read from the file about it. */
  readonly exif: string | null
  readonly clock: ClockSource
}

const MIDDLE: Point = { x: 0, y: 0 }

/** A picture to zoom, move, turn, lighten and measure; the file stays as it is. */
export function Picture({ resource, media, address, whole, exif, clock }: PictureProps) {
  const { t } = useTranslation('evidencePage')
  const [beside, setBeside] = useState(false)
  const [asked, setAsked] = useState(false)
  const [natural, setNatural] = useState<Size | null>(null)
  const [broken, setBroken] = useState(false)
  const source = asked && whole !== null ? whole : address
  const picture = useMemo(
    () => natural ?? { width: media.Width ?? 0, height: media.Height ?? 0 },
    [natural, media.Width, media.Height],
  )
  const view = usePictureView(picture)
  const tools = useTools()
  const plate = usePlate(clock)
  const gammaId = useId()
  const filter = filterOf(tools.levels, gammaId)
  const name = visible(resource.Name)
  // What browsers draw themselves; HEIC and TIFF are seen through the preview alone.
  const drawable = /^image\/(jpeg|png|webp|gif|bmp)$/.test(media.MimeType)
  const smaller = natural !== null && media.Width !== null && natural.width < media.Width && !asked
  const reset = (): void => {
    view.reset()
    tools.reset()
  }
  const hand = useHand(view, tools, picture)
  useShortcuts({
    r: () => view.turn(1),
    'Shift+r': () => view.turn(-1),
    v: () => tools.setLevelling(!tools.levelling),
    l: () => tools.setLoupe(!tools.loupe),
    m: () => tools.setIsMeasuring(!tools.isMeasuring),
    x: exif === null ? undefined : () => setBeside(!beside),
    z: reset,
  })
  return (
    <section className={styles['viewer']} aria-label={t('pictureOf', { name })}>
      <div className={styles['split']}>
        <div
          ref={view.frame}
          className={styles['frame']}
          role="application"
          aria-label={t('pictureFrame')}
          aria-describedby="picture-keys"
          tabIndex={0}
          {...(tools.isMeasuring ? { 'data-measuring': '' } : {})}
          {...hand.handlers}
        >
          <img
            src={source}
            alt={name}
            draggable={false}
            className={styles['picture']}
            onLoad={({ currentTarget }) => {
              setBroken(false)
              setNatural({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
            }}
            onError={() => (asked ? setAsked(false) : setBroken(true))}
            style={{
              width: `${picture.width}px`,
              height: `${picture.height}px`,
              transform: `translate(-50%, -50%) translate(${view.view.x}px, ${view.view.y}px) rotate(${view.view.turns * 90}deg) scale(${view.scale})`,
              imageRendering: view.scale >= 3 ? 'pixelated' : 'auto',
              ...(filter === undefined ? {} : { filter }),
            }}
          />
          {tools.measuring.stretch !== null && (
            <MeasuredLine stretch={tools.measuring.stretch} picture={picture} view={view.view} scale={view.scale} />
          )}
          {tools.isMeasuring && <Crosshair />}
          {tools.loupe && (
            <Loupe
              source={source}
              picture={picture}
              view={view.view}
              scale={view.scale}
              filter={filter}
              at={hand.pointed ?? MIDDLE}
            />
          )}
          {broken && (
            <div className={styles['broken']}>
              <Note state="attention" title={t('pictureFailed')}>
                {t('playFailedSafe')}
              </Note>
            </div>
          )}
        </div>
        {exif !== null && beside && (
          <div className={styles['beside']}>
            <Exif address={exif} />
          </div>
        )}
      </div>
      <GammaFilter id={gammaId} gamma={tools.levels.gamma} />
      <p id="picture-keys" className="unseen">
        {t('pictureKeys')} {tools.isMeasuring && t('measureKeys')}
      </p>
      {tools.levelling && <LevelsBar levels={tools.levels} onChange={tools.setLevels} />}
      {tools.isMeasuring && (
        <MeasureBar
          measuring={tools.measuring}
          ratio={natural === null || media.Width === null || media.Height === null ? 1 : ratioOf(natural, media)}
          onChange={tools.setMeasuring}
        />
      )}
      {plate.known && plate.on && (
        <div className={styles['strip']}>
          <TimePlate clock={clock} at={0} />
        </div>
      )}
      <Tools
        view={view}
        tools={tools}
        plate={plate}
        media={media}
        natural={natural}
        exif={exif === null ? null : beside}
        onExif={setBeside}
        onReset={view.atStart && tools.atStart ? null : reset}
        onWhole={smaller && drawable && whole !== null ? () => setAsked(true) : null}
        preview={smaller || !drawable}
      />
    </section>
  )
}

/** A preview is smaller than its original; turned by its file it has the sides of it exchanged. */
const ratioOf = (natural: Size, media: Media): number =>
  Math.sqrt(((media.Width ?? 0) * (media.Height ?? 0)) / Math.max(1, natural.width * natural.height)) || 1

/** What pointer and keys do in the frame: they move the picture, or draw the line that is measured. */
function useHand(view: ReturnType<typeof usePictureView>, tools: PictureTools, picture: Size) {
  const from = useRef<Point | null>(null)
  const [pointed, setPointed] = useState<Point | null>(null)
  const placeOf = (event: PointerEvent): Point => {
    const box = event.currentTarget.getBoundingClientRect()
    return { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 }
  }
  const onIt = (point: Point): Point => onPicture(point, view.view, view.scale, picture)
  const putEnd = (): void => {
    const here = onIt(MIDDLE)
    const { stretch } = tools.measuring
    const begun = stretch !== null && stretch.from.x === stretch.to.x && stretch.from.y === stretch.to.y
    tools.setMeasuring({ ...tools.measuring, stretch: { from: begun ? stretch.from : here, to: here } })
  }
  const keys = (event: KeyboardEvent): void => {
    const acts: Readonly<Record<string, (() => void) | undefined>> = {
      '+': view.zoomIn,
      '=': view.zoomIn,
      '-': view.zoomOut,
      '0': view.fit,
      '1': view.full,
      ArrowLeft: () => view.panBy(-1, 0),
      ArrowRight: () => view.panBy(1, 0),
      ArrowUp: () => view.panBy(0, -1),
      ArrowDown: () => view.panBy(0, 1),
      Enter: tools.isMeasuring ? putEnd : undefined,
    }
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  return {
    pointed,
    handlers: {
      onKeyDown: keys,
      onPointerDown: (event: PointerEvent): void => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { x: event.clientX, y: event.clientY }
        if (!tools.isMeasuring) return
        const here = onIt(placeOf(event))
        tools.setMeasuring({ ...tools.measuring, stretch: { from: here, to: here } })
      },
      onPointerMove: (event: PointerEvent): void => {
        if (tools.loupe) setPointed(placeOf(event))
        if (from.current === null) return
        const { stretch } = tools.measuring
        if (tools.isMeasuring && stretch !== null)
          tools.setMeasuring({ ...tools.measuring, stretch: { ...stretch, to: onIt(placeOf(event)) } })
        else if (!tools.isMeasuring) view.pan(event.clientX - from.current.x, event.clientY - from.current.y)
        from.current = { x: event.clientX, y: event.clientY }
      },
      onPointerUp: (): void => {
        from.current = null
      },
      onPointerLeave: (): void => setPointed(null),
    },
  }
}
