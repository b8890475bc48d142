import { type PointerEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { Icon } from '../../../../ui/icon/icon.tsx'
import type { Media } from '../queries.ts'
import { type Bookmark, SHAPES, STATE_WORDS } from '../marks/bookmarks.ts'
import { visible } from '../text/visible.ts'
import type { ViewState } from '../search-state.ts'
import { Film, type Strip, tileAt, tileStyle, useStripPicture } from './film.tsx'
import { hasPeaks, PeaksOf } from './peaks.tsx'
import { type ClockSource, momentAt, shownTime } from './recorded.ts'
import { spread, ticksOf } from './ticks.ts'
import styles from './timeline.module.css'
import { useController, usePlayerState, useWidth } from './use-player.ts'

export interface TimelineProps {
  readonly evidenceId: string
  /** Of the original. */
  readonly resourceId: string
  readonly media: Media
  readonly clock: ClockSource
  readonly view: ViewState
  readonly sound: boolean
  /** Of the evidence, in order. */
  readonly bookmarks: readonly Bookmark[]
  /** Id of the original that is played. */
  readonly markedOn: string
}

const FILM_HEIGHT = 44
/** Room of a flag in CSS pixels, so that none lies over another. */
const MARK_WIDTH = 36
const END_WIDTH = 32

/** The recording from end to end on one line: pictures, sound, marks, range and where the player stands. */
export function Timeline(props: TimelineProps) {
  const { evidenceId, resourceId, media, clock, view, sound } = props
  const controller = useController()
  const duration = usePlayerState((state) => state.duration)
  const [track, width] = useWidth<HTMLDivElement>()
  const [pointed, setPointed] = useState<number | null>(null)
  const dragging = useRef(false)
  const picture = useStripPicture(media.Strip?.Address ?? null)
  const secondsAt = (event: PointerEvent): number => {
    const box = event.currentTarget.getBoundingClientRect()
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * duration
  }
  return (
    <div className={styles['timeline']} {...(sound ? { 'data-sound': '' } : {})}>
      <Flags {...props} duration={duration} width={width} />
      <Slider
        track={track}
        clock={clock}
        duration={duration}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          dragging.current = true
          controller.seek(secondsAt(event))
        }}
        onPointerMove={(event) => {
          const seconds = secondsAt(event)
          setPointed(seconds)
          if (dragging.current) controller.seek(seconds)
        }}
        onPointerUp={() => {
          dragging.current = false
        }}
        onPointerLeave={() => {
          if (!dragging.current) setPointed(null)
        }}
      >
        {media.Strip !== null && picture !== null && width > 0 ? (
          <Film strip={media.Strip} picture={picture} duration={duration} width={width} height={FILM_HEIGHT} />
        ) : (
          !sound && <div className={styles['bare']} />
        )}
        <PeaksOf media={media} evidenceId={evidenceId} resourceId={resourceId} large={sound} />
        {sound && !hasPeaks(media) && <div className={styles['bare']} />}
        <Marked {...props} duration={duration} />
        <RangeBox view={view} duration={duration} />
        <Playhead />
      </Slider>
      {pointed !== null && (
        <Preview at={pointed} duration={duration} width={width} clock={clock} strip={media.Strip} picture={picture} />
      )}
      <Axis clock={clock} duration={duration} width={width} />
    </div>
  )
}

const percent = (seconds: number, duration: number): string =>
  `${duration === 0 ? 0 : Math.min(100, Math.max(0, (seconds / duration) * 100))}%`

interface SliderProps
  extends Pick<
    React.DOMAttributes<HTMLDivElement>,
    'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerLeave' | 'children'
  > {
  readonly track: React.RefObject<HTMLDivElement | null>
  readonly clock: ClockSource
  readonly duration: number
}

function Slider({ track, clock, duration, ...rest }: SliderProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  // Told in whole seconds while it plays; a reader would otherwise never come to an end.
  const at = usePlayerState((state) => (state.playing ? Math.floor(state.at) : Math.round(state.at * 1000) / 1000))
  const time = shownTime(momentAt(clock, at))
  const place = { at: format.duration(at), of: format.duration(duration) }
  const words =
    time === null
      ? t('timelineAt', place)
      : t('timelineAtTime', { ...place, time: format.instant(time, { precision: 'millisecond', zone: true }) })
  return (
    <div
      ref={track}
      role="slider"
      tabIndex={0}
      aria-label={t('timeline')}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration * 1000) / 1000}
      aria-valuenow={at}
      aria-valuetext={words}
      className={styles['track']}
      {...rest}
    />
  )
}

function Playhead() {
  const at = usePlayerState((state) => state.at)
  const duration = usePlayerState((state) => state.duration)
  return <span className={styles['playhead']} style={{ insetInlineStart: percent(at, duration) }} aria-hidden="true" />
}

function RangeBox({ view: { from, to }, duration }: { readonly view: ViewState; readonly duration: number }) {
  if (from === null && to === null) return null
  const start = from ?? 0
  const end = to ?? duration
  return (
    <span
      className={styles['range']}
      style={{ insetInlineStart: percent(start, duration), inlineSize: percent(end - start, duration) }}
      aria-hidden="true"
    />
  )
}

/** Where bookmarks stand, in the film itself: seen also where there are too many for flags. */
function Marked({ bookmarks, markedOn, duration }: TimelineProps & { readonly duration: number }) {
  return bookmarks
    .filter(({ ResourceId }) => ResourceId === markedOn)
    .map(({ BookmarkId, StartSeconds, EndSeconds, State }) => (
      <span
        key={BookmarkId}
        className={styles['marked']}
        data-state={State ?? undefined}
        data-range={EndSeconds === null ? undefined : ''}
        style={{
          insetInlineStart: percent(StartSeconds, duration),
          ...(EndSeconds === null ? {} : { inlineSize: percent(EndSeconds - StartSeconds, duration) }),
        }}
        aria-hidden="true"
      />
    ))
}

interface Flag {
  readonly state?: Bookmark['State']
  readonly key: string
  readonly at: number
  readonly word: string
  readonly name: string
  readonly mark: boolean
}

/** Above the film: in, out and marks as buttons that go there, and the time of the playhead. */
function Flags({ view, clock, duration, width, bookmarks, markedOn }: TimelineProps & Measures) {
  const { t } = useTranslation('evidencePage')
  const controller = useController()
  const words = useTimeWords(clock)
  const kept = bookmarks.flatMap((bookmark, index): Flag[] => {
    const { ResourceId, BookmarkId, StartSeconds, State, Title } = bookmark
    if (ResourceId !== markedOn) return []
    const name = `${t('toMark', { number: index + 1 })}: ${visible(Title)}${State === null ? '' : `, ${t(STATE_WORDS[State])}`}`
    return [
      { key: `bookmark ${BookmarkId}`, at: StartSeconds, word: String(index + 1), name, mark: true, state: State },
    ]
  })
  const flags: Flag[] = [
    // Where they would push each other about they stand in the film alone; the list beside it goes to each.
    ...((kept.length + view.marks.length) * MARK_WIDTH > width ? [] : kept),
    ...(view.from === null ? [] : [{ key: 'in', at: view.from, word: t('in'), name: t('toIn'), mark: false }]),
    ...(view.to === null ? [] : [{ key: 'out', at: view.to, word: t('out'), name: t('toOut'), mark: false }]),
    ...view.marks.map((at, index) => ({
      key: `mark ${at}`,
      at,
      word: String(index + 1),
      name: t('toMark', { number: index + 1 }),
      mark: true,
    })),
  ].sort((one, other) => one.at - other.at)
  const places = spread(
    flags.map(({ at }) => (at / Math.max(duration, 0.001)) * width),
    flags.map(({ mark }) => (mark ? MARK_WIDTH : END_WIDTH)),
    width,
  )
  return (
    <div className={styles['flags']}>
      <Now clock={clock} places={places} width={width} />
      {flags.map(({ key, at, word, name, mark, state }, index) => (
        <button
          key={key}
          type="button"
          className={styles[mark ? 'mark' : 'end']}
          style={{ insetInlineStart: `${places[index] ?? 0}px` }}
          {...(state === undefined ? {} : { 'data-kept': '', 'data-state': state ?? undefined })}
          aria-label={`${name}, ${words(at)}`}
          title={words(at)}
          onClick={() => controller.seek(at)}
        >
          {mark && <Icon name={state === undefined || state === null ? 'flag' : SHAPES[state]} size="small" />}
          {word}
        </button>
      ))}
    </div>
  )
}

const NOW_HALF = 30

/** The time of the playhead, above it. */
function Now({
  clock,
  places,
  width,
}: {
  readonly clock: ClockSource
  /** Where flags begin, in CSS pixels. */
  readonly places: readonly number[]
  readonly width: number
}) {
  const words = useTimeWords(clock)
  const at = usePlayerState((state) => Math.floor(state.at))
  const duration = usePlayerState((state) => state.duration)
  const here = (at / Math.max(duration, 0.001)) * width
  // A flag is a button and stays in sight; the time stands in the picture too.
  if (places.some((place) => place - here < NOW_HALF && here - place < NOW_HALF + MARK_WIDTH)) return null
  return (
    <span
      className={styles['now']}
      style={{ insetInlineStart: `clamp(1.75rem, ${percent(at, duration)}, calc(100% - 1.75rem))` }}
      aria-hidden="true"
    >
      {words(at, 'second')}
    </span>
  )
}

/** A place in words: by the clock where there is one, else as it stands in the recording. */
function useTimeWords(clock: ClockSource): (seconds: number, precision?: 'second' | 'millisecond') => string {
  const format = useFormat()
  return useMemo(
    () =>
      (seconds, precision = 'millisecond') => {
        const time = shownTime(momentAt(clock, seconds))
        return time === null ? format.position(seconds, precision === 'millisecond') : format.timeOfDay(time, precision)
      },
    [format, clock],
  )
}

interface Measures {
  readonly duration: number
  /** CSS pixels. */
  readonly width: number
}

interface PreviewProps extends Measures {
  readonly at: number
  readonly clock: ClockSource
  readonly strip: Strip | null
  readonly picture: string | null
}

const PREVIEW = 128

/** Under the pointer and under the film: never over the picture that is judged. */
function Preview({ at, duration, width, clock, strip, picture }: PreviewProps) {
  const words = useTimeWords(clock)
  const half = PREVIEW / 2
  const left = Math.min(width - half, Math.max(half, (at / Math.max(duration, 0.001)) * width))
  return (
    <div className={styles['preview']} style={{ insetInlineStart: `${left}px` }} aria-hidden="true" data-preview>
      {strip !== null && picture !== null && (
        <span
          className={styles['previewTile']}
          style={{
            ...tileStyle(strip, tileAt(strip, at), picture),
            aspectRatio: `${strip.TileWidth} / ${strip.TileHeight}`,
          }}
        />
      )}
      <span>{words(at, 'second')}</span>
    </div>
  )
}

const TICK_ROOM = 96

function Axis({ clock, duration, width }: Pick<PreviewProps, 'clock' | 'duration' | 'width'>) {
  const words = useTimeWords(clock)
  const most = Math.max(2, Math.floor(width / TICK_ROOM))
  return (
    <div className={styles['axis']} aria-hidden="true">
      {ticksOf(duration, clock, most).map(({ seconds, whole }) => (
        <span
          key={seconds}
          style={{ insetInlineStart: percent(seconds, duration) }}
          data-at={seconds === 0 ? 'start' : seconds === duration ? 'end' : undefined}
        >
          {whole ? words(seconds, 'second').replace(/:00$/, '') : words(seconds, 'second')}
        </span>
      ))}
    </div>
  )
}
