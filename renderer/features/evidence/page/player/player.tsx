import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { lazyOpened } from '../../../../client/lazy-opened.tsx'
import { useOfferCommands } from '../../../../client/page-commands.ts'
import { useTranslation } from '../../../../client/translate.ts'
import { Button, TextButton } from '../../../../ui/button/button.tsx'
import { type Format, useFormat } from '../../../../ui/format/use-format.tsx'
import { Note } from '../../../../ui/note/note.tsx'
import { CaptionStrip } from '../captions/caption-strip.tsx'
import { useCaptions } from '../captions/use-captions.ts'
import type { Evidence, Media, Resource } from '../queries.ts'
import { type Bookmark, useBookmarks } from '../marks/bookmarks.ts'
import { useMarking } from '../marks/use-marking.ts'
import { Problem } from '../stage/problem.tsx'
import { usePlate } from '../stage/time-plate.tsx'
import { visible } from '../text/visible.ts'
import type { ViewState } from '../search-state.ts'
import type { Marked } from './clips/ranges.ts'
import { useClipNews } from './clips/use-clips.ts'
import type { Controller } from './controller.ts'
import { framesOf } from './frames.ts'
import { toggled } from './marks.ts'
import styles from './player.module.css'
import type { ClockSource } from './recorded.ts'
import { hasPeaks } from './peaks.tsx'
import { Poster } from './poster.tsx'
import { PlayerStrip } from './strip.tsx'
import { Timeline } from './timeline.tsx'
import { Transport } from './transport.tsx'
import { type PlayerActs, usePlayerKeys } from './use-player-keys.ts'
import { PlayerProvider, usePlayer, usePlayerState } from './use-player.ts'
import { type Still, useStill } from './use-still.ts'

const ClipDialog = lazyOpened(async () => (await import('./clips/clip-dialog.tsx')).ClipDialog)

export interface PlayerProps {
  readonly evidence: Evidence
  readonly original: Resource
  /** Id of the original on whose time line bookmarks stand. */
  readonly markedOn: string
  readonly media: Media
  /** Of the bytes that are played. */
  readonly address: string
  /** Of the original; null where it may not be handed out. */
  readonly download: string | null
  readonly clock: ClockSource
  readonly view: ViewState
  readonly change: (change: Partial<ViewState>) => void
  readonly onOpen: (resourceId: string) => void
}

/** Video on the stage, with controls of our own below it; sound the same way with its peaks as the stage. */
export function Player(props: PlayerProps) {
  const { media, address, view, change, original } = props
  const { t } = useTranslation('evidencePage')
  const video = media.Kind === 'video'
  const box = useRef<HTMLElement>(null)
  const [full, toggleFull] = useFullscreen()
  const frames = useMemo(
    () =>
      video ? framesOf(media.FrameRate, media.VariableFrameRate, media.FrameCount, media.DurationSeconds ?? 0) : null,
    [video, media.FrameRate, media.VariableFrameRate, media.FrameCount, media.DurationSeconds],
  )
  const { element, controller } = usePlayer<HTMLVideoElement & HTMLAudioElement>({
    frames,
    duration: media.DurationSeconds ?? 0,
    view,
    change,
  })
  const name = visible(original.Name)
  return (
    <section
      ref={box}
      className={styles['player']}
      aria-label={t(video ? 'playerOf' : 'soundOf', { name })}
      {...(full ? { 'data-full': '' } : {})}
    >
      <div className={styles['stage']} {...(video ? {} : { 'data-sound': '' })}>
        {video ? (
          <video
            ref={element}
            src={address}
            preload="auto"
            playsInline
            aria-label={name}
            onClick={() => controller?.toggle()}
          />
        ) : (
          // Sound that was recorded has no captions here; what is said in it is evidence, not told by the page.
          <audio ref={element} src={address} preload="auto" />
        )}
        {controller !== null && (
          <PlayerProvider value={controller}>
            {video && original.Thumbnail !== null && <Poster address={original.Thumbnail} />}
            <Failed {...props} controller={controller} />
          </PlayerProvider>
        )}
      </div>
      {controller === null ? (
        <div className={styles['controls']} data-empty="" />
      ) : (
        <PlayerProvider value={controller}>
          <Said {...props} />
          <Controls {...props} controller={controller} within={box} video={video} full={full} onFull={toggleFull} />
        </PlayerProvider>
      )}
    </section>
  )
}

/** What is said at this moment stands below the picture: nothing lies over what is judged (guide, Colour). */
function Said({ evidence, media, view }: PlayerProps) {
  const chosen = media.Captions.find(({ ResourceId }) => ResourceId === view.captions) ?? null
  const { data, error, refetch } = useCaptions(evidence.EvidenceId, chosen?.ResourceId ?? null)
  if (chosen === null) return null
  return <CaptionStrip captions={data ?? null} error={error} onRetry={() => void refetch()} />
}

interface ControlsProps extends PlayerProps {
  readonly controller: Controller
  readonly within: React.RefObject<HTMLElement | null>
  readonly video: boolean
  readonly full: boolean
  readonly onFull: () => void
}

const NONE: readonly never[] = []

function Controls(props: ControlsProps) {
  const { evidence, original, media, clock, view, change, controller, within, video, full, onFull, onOpen } = props
  const format = useFormat()
  const still = useStill(controller, evidence.EvidenceId, original.ResourceId, clock)
  const mayWrite = evidence.AccessorPermissions.includes('Edit')
  const may = video && mayWrite
  const { data: bookmarks = NONE } = useBookmarks(evidence.EvidenceId)
  const marking = useMarking(evidence.EvidenceId, props.markedOn)
  const [clipping, setClipping] = useState(false)
  const clip = useCallback(() => {
    // Nothing plays under a question.
    controller.pause()
    setClipping(true)
  }, [controller])
  const waitForClips = useClipNews(evidence.EvidenceId, onOpen)
  const acts = useActs(controller, view, change, {
    still: may ? still.take : undefined,
    clip: may ? clip : undefined,
    marking: mayWrite ? marking : undefined,
  })
  useClipCommand(may ? clip : undefined)
  usePlayerKeys(controller, acts, () => within.current)
  const plate = usePlate(clock)
  const sound = !video || media.AudioCodec !== null || hasPeaks(media)
  return (
    <div className={styles['controls']}>
      <PlayerStrip
        acts={acts}
        clock={clock}
        plate={plate}
        view={view}
        onClear={() => change({ from: null, to: null, loop: false })}
      />
      <Timeline
        evidenceId={evidence.EvidenceId}
        resourceId={original.ResourceId}
        media={media}
        clock={clock}
        view={view}
        sound={!video}
        bookmarks={bookmarks}
        markedOn={props.markedOn}
      />
      <Transport
        acts={acts}
        still={may ? still : null}
        video={video}
        sound={sound}
        full={full}
        onFull={onFull}
        captions={{ evidence, markedOn: props.markedOn, tracks: media.Captions, chosen: view.captions, change }}
      />
      {may && <StillTold still={still} onOpen={onOpen} />}
      {clipping && (
        <ClipDialog
          evidenceId={evidence.EvidenceId}
          resourceId={original.ResourceId}
          selection={view}
          marks={markedIn(bookmarks, props.markedOn, view.marks, format)}
          duration={media.DurationSeconds ?? 0}
          onAsked={waitForClips}
          onClose={() => setClipping(false)}
        />
      )}
    </div>
  )
}

/** The last still, with the way to it; why one could not be taken. */
function StillTold({ still, onOpen }: { readonly still: Still; readonly onOpen: (resourceId: string) => void }) {
  const { t } = useTranslation('evidencePage')
  const { taken, error } = still
  if (error !== null)
    return (
      <div className={styles['told']}>
        <Problem error={error} title={t('stillFailed')} onRetry={still.take} />
      </div>
    )
  return (
    <p className={styles['told']} role="status">
      {taken !== null && (
        <>
          {t('stillTaken', { time: still.words })}{' '}
          <TextButton onPress={() => onOpen(taken.ResourceId)}>{t('openStill')}</TextButton>
        </>
      )}
    </p>
  )
}

function useActs(
  controller: Controller,
  view: ViewState,
  change: (change: Partial<ViewState>) => void,
  {
    still,
    clip,
    marking,
  }: Pick<PlayerActs, 'still' | 'clip'> & { readonly marking: ((at: number) => void) | undefined },
): PlayerActs {
  const latest = useRef(view)
  useEffect(() => {
    latest.current = view
  })
  return useMemo(() => {
    const at = controller.place
    return {
      markIn: () => {
        const { to } = latest.current
        change({ from: at(), ...(to !== null && to <= at() ? { to: null } : {}) })
      },
      markOut: () => {
        const { from } = latest.current
        // What is not changed is left out: it may have been set by the key before, and not be drawn yet.
        change({ to: at(), ...(from !== null && from >= at() ? { from: null } : {}) })
      },
      loop: () => change({ loop: !latest.current.loop }),
      // Who may not write marks for this view alone. Within half a hundredth of a second it is the same frame.
      mark: () =>
        marking === undefined ? change({ marks: toggled(latest.current.marks, at(), 0.005) }) : marking(at()),
      still,
      clip,
    }
  }, [controller, change, still, clip, marking])
}

/** Bookmarks of this recording, and the marks of this view alone. A mark that is called by its place has no name of its own. */
function markedIn(
  bookmarks: readonly Bookmark[],
  resourceId: string,
  marks: readonly number[],
  format: Format,
): readonly Marked[] {
  return [
    ...bookmarks
      .filter(({ ResourceId }) => ResourceId === resourceId)
      .map(({ StartSeconds, EndSeconds, Title }) => ({
        from: StartSeconds,
        to: EndSeconds,
        name: Title === format.position(StartSeconds) ? '' : Title,
      })),
    ...marks.map((from) => ({ from, to: null, name: '' })),
  ]
}

function useClipCommand(clip: (() => void) | undefined): void {
  const { t } = useTranslation('evidencePage')
  useOfferCommands(
    useMemo(
      () =>
        clip === undefined
          ? []
          : [
              {
                id: 'clips',
                label: t('clipsTitle'),
                icon: 'clip' as const,
                keys: 'C',
                // The palette gives the focus back to where it came from before a dialog can take it.
                onRun: (): void => void setTimeout(clip),
              },
            ],
      [clip, t],
    ),
  )
}

function Failed({ controller, download }: PlayerProps & { readonly controller: Controller }) {
  const { t } = useTranslation('evidencePage')
  const failed = usePlayerState((state) => state.failed)
  if (!failed) return null
  return (
    <div className={styles['card']}>
      <Note
        state="attention"
        title={t('playFailed')}
        action={
          <Button size="small" icon="retry" onPress={controller.retry}>
            {t('playAgain')}
          </Button>
        }
      >
        {t(download === null ? 'playFailedSafe' : 'playFailedSafeDownload')}
      </Note>
    </div>
  )
}

/** The whole page goes full, and the player over it: menus and messages stay where they can be seen. */
function useFullscreen(): readonly [boolean, () => void] {
  const [full, setFull] = useState(false)
  useEffect(() => {
    const listen = (): void => setFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', listen)
    return () => {
      document.removeEventListener('fullscreenchange', listen)
      if (document.fullscreenElement !== null) void document.exitFullscreen()
    }
  }, [])
  const toggle = useCallback(() => {
    if (document.fullscreenElement === null) void document.documentElement.requestFullscreen().catch(() => {})
    else void document.exitFullscreen()
  }, [])
  return [full, toggle]
}
