import { type KeyboardEvent, type PointerEvent, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { useShortcuts } from '../../../../ui/command/use-shortcuts.ts'
import { Note } from '../../../../ui/note/note.tsx'
import type { Media, Resource } from '../queries.ts'
import type { ClockSource } from '../player/recorded.ts'
import { TimePlate, usePlate } from '../stage/time-plate.tsx'
import { visible } from '../text/visible.ts'
import { areaBetween, grownBy, inMiddle, movedBy } from './crop.ts'
import { CropBar, CropRectangle } from './cropping.tsx'
import { Exif } from './exif.tsx'
import { filterOf, GammaFilter, LevelsBar } from './levels.tsx'
import { Loupe } from './loupe.tsx'
import { onPicture, type Point } from './measure.ts'
import { Crosshair, MeasureBar, MeasuredLine } from './measuring.tsx'
import styles from './picture.module.css'
import { viewKeys } from './zoom-tools.tsx'
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
  readonly evidenceId: string
  /** Where a part of it may be kept as a copy: opens that copy. */
  readonly onCropped: ((resourceId: string) => void) | null
  readonly onCompare: (() => void) | null
}

const MIDDLE: Point = { x: 0, y: 0 }

/** A picture to zoom, move, turn, lighten and measure; the file stays as it is. */
export function Picture(props: PictureProps) {
  const { resource, media, address, whole, exif, clock, evidenceId, onCropped, onCompare } = props
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
  const ratio = natural === null || media.Width === null || media.Height === null ? 1 : ratioOf(natural, media)
  const size = useMemo(
    () => ({ width: media.Width ?? picture.width, height: media.Height ?? picture.height }),
    [media.Width, media.Height, picture],
  )
  const hand = useHand(view, tools, picture, { size, ratio })
  useShortcuts({
    r: () => view.turn(1),
    'Shift+r': () => view.turn(-1),
    v: () => tools.setLevelling(!tools.levelling),
    l: () => tools.setLoupe(!tools.loupe),
    m: () => tools.setIsMeasuring(!tools.isMeasuring),
    c: onCropped === null ? undefined : () => tools.setIsCropping(!tools.isCropping),
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
          {...(tools.isMeasuring || tools.isCropping ? { 'data-measuring': '' } : {})}
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
          {tools.isCropping && tools.area !== null && (
            <CropRectangle area={tools.area} ratio={ratio} picture={picture} view={view.view} scale={view.scale} />
          )}
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
        {t('pictureKeys')} {tools.isMeasuring && t('measureKeys')} {tools.isCropping && t('cropKeys')}
      </p>
      {tools.levelling && <LevelsBar levels={tools.levels} onChange={tools.setLevels} />}
      {tools.isMeasuring && <MeasureBar measuring={tools.measuring} ratio={ratio} onChange={tools.setMeasuring} />}
      {tools.isCropping && onCropped !== null && (
        <CropBar
          resource={resource}
          evidenceId={evidenceId}
          area={tools.area}
          whole={size}
          onChange={tools.setArea}
          onSaved={onCropped}
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
        crops={onCropped !== null}
        onCompare={onCompare}
      />
    </section>
  )
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** A preview is smaller than its original; turned by its file it has the sides of it exchanged. */
const ratioOf = (natural: Size, media: Media): number =>
  Math.sqrt(((media.Width ?? 0) * (media.Height ?? 0)) / Math.max(1, natural.width * natural.height)) || 1

/** What pointer and keys do in the frame: they move the picture, draw the line that is measured, or the rectangle of a crop. */
function useHand(
  view: ReturnType<typeof usePictureView>,
  tools: PictureTools,
  picture: Size,
  { size, ratio }: { readonly size: Size; readonly ratio: number },
) {
  const corner = useRef<Point | null>(null)
  /** In pixels of the whole picture. */
  const onWhole = (point: Point): Point => {
    const { x, y } = onPicture(point, view.view, view.scale, picture)
    return { x: x * ratio, y: y * ratio }
  }
  const putArea = (): void => {
    const box = view.frame.current?.getBoundingClientRect()
    if (box === undefined) return
    const far = { x: box.width / 2, y: box.height / 2 }
    const [one, other] = [onWhole({ x: -far.x, y: -far.y }), onWhole(far)]
    const least = { x: Math.min(one.x, other.x), y: Math.min(one.y, other.y) }
    tools.setArea(inMiddle(least, { x: Math.max(one.x, other.x), y: Math.max(one.y, other.y) }, size))
  }
  /** @returns whether the rectangle took the key */
  const adjust = ({ key, shiftKey, ctrlKey }: KeyboardEvent): boolean => {
    const { area } = tools
    const [x, y] = ARROWS[key] ?? [0, 0]
    if (!tools.isCropping || area === null || (x === 0 && y === 0)) return false
    const step = ctrlKey ? 10 : 1
    tools.setArea((shiftKey ? grownBy : movedBy)(area, x * step, y * step, size))
    return true
  }
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
      ...viewKeys(view),
      Enter: tools.isMeasuring ? putEnd : tools.isCropping ? putArea : undefined,
    }
    if (adjust(event)) return event.preventDefault()
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
        if (tools.isCropping) corner.current = onWhole(placeOf(event))
        if (!tools.isMeasuring) return
        const here = onIt(placeOf(event))
        tools.setMeasuring({ ...tools.measuring, stretch: { from: here, to: here } })
      },
      onPointerMove: (event: PointerEvent): void => {
        if (tools.loupe) setPointed(placeOf(event))
        if (from.current === null) return
        const { stretch } = tools.measuring
        if (tools.isCropping && corner.current !== null)
          tools.setArea(areaBetween(corner.current, onWhole(placeOf(event)), size))
        else if (tools.isMeasuring && stretch !== null)
          tools.setMeasuring({ ...tools.measuring, stretch: { ...stretch, to: onIt(placeOf(event)) } })
        else if (!tools.isMeasuring && !tools.isCropping)
          view.pan(event.clientX - from.current.x, event.clientY - from.current.y)
        from.current = { x: event.clientX, y: event.clientY }
      },
      onPointerUp: (): void => {
        from.current = null
        corner.current = null
      },
      onPointerLeave: (): void => setPointed(null),
    },
  }
}
