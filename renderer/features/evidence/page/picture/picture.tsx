import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { Button, IconButton, ToggleButton } from '../../../../ui/button/button.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { Note } from '../../../../ui/note/note.tsx'
import type { Media, Resource } from '../queries.ts'
import type { ClockSource } from '../player/recorded.ts'
import { ClockBox } from '../player/stage-clock.tsx'
import { visible } from '../text/visible.ts'
import { Exif } from './exif.tsx'
import styles from './picture.module.css'
import { type Size, usePictureView } from './use-view.ts'
import { zoomWords } from './zoom-label.ts'

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

/** A picture to zoom, move and turn; the file stays as it is. */
export function Picture({ resource, media, address, whole, exif, clock }: PictureProps) {
  const { t } = useTranslation('evidencePage')
  const [beside, setBeside] = useState(true)
  const [asked, setAsked] = useState(false)
  const [natural, setNatural] = useState<Size | null>(null)
  const [broken, setBroken] = useState(false)
  const source = asked && whole !== null ? whole : address
  const picture = useMemo(
    () => natural ?? { width: media.Width ?? 0, height: media.Height ?? 0 },
    [natural, media.Width, media.Height],
  )
  const view = usePictureView(picture)
  const from = useRef<{ x: number; y: number } | null>(null)
  const name = visible(resource.Name)
  // What browsers draw themselves; HEIC and TIFF are seen through the preview alone.
  const drawable = /^image\/(jpeg|png|webp|gif|bmp)$/.test(media.MimeType)
  const smaller = natural !== null && media.Width !== null && natural.width < media.Width && !asked
  const keys = (event: KeyboardEvent): void => {
    const acts: Readonly<Record<string, () => void>> = {
      '+': view.zoomIn,
      '=': view.zoomIn,
      '-': view.zoomOut,
      '0': view.fit,
      '1': view.full,
      ArrowLeft: () => view.panBy(-1, 0),
      ArrowRight: () => view.panBy(1, 0),
      ArrowUp: () => view.panBy(0, -1),
      ArrowDown: () => view.panBy(0, 1),
    }
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
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
          onKeyDown={keys}
          onPointerDown={(event) => {
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
            }}
          />
          <ClockBox clock={clock} at={0} />
          {broken && (
            <div className={styles['broken']}>
              <Note state="attention" title={t('pictureFailed')}>
                {t('playFailedSafe')}
              </Note>
            </div>
          )}
        </div>
        {exif !== null && beside && <Exif address={exif} />}
      </div>
      <p id="picture-keys" className="unseen">
        {t('pictureKeys')}
      </p>
      <Tools
        view={view}
        media={media}
        natural={natural}
        exif={exif === null ? null : beside}
        onExif={setBeside}
        onWhole={smaller && drawable && whole !== null ? () => setAsked(true) : null}
        preview={smaller || !drawable}
      />
    </section>
  )
}

interface ToolsProps {
  readonly view: ReturnType<typeof usePictureView>
  readonly media: Media
  readonly natural: Size | null
  readonly exif: boolean | null
  readonly onExif: (beside: boolean) => void
  readonly onWhole: (() => void) | null
  readonly preview: boolean
}

function Tools({ view, media, natural, exif, onExif, onWhole, preview }: ToolsProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const { turns } = view.view
  const shown = media.Width !== null && media.Height !== null ? { width: media.Width, height: media.Height } : natural
  return (
    <div className={styles['tools']} role="group" aria-label={t('pictureTools')}>
      <IconButton icon="zoom-out" label={t('zoomOut')} keys="-" onPress={view.zoomOut} />
      <span className={styles['zoom']} aria-live="polite">
        {zoomWords(format.locale, view.scale)}
      </span>
      <IconButton icon="zoom-in" label={t('zoomIn')} keys="+" onPress={view.zoomIn} />
      <Button kind="quiet" keys="0" onPress={view.fit}>
        {t('zoomFit')}
      </Button>
      <Button kind="quiet" keys="1" onPress={view.full}>
        {t('zoomFull')}
      </Button>
      <IconButton icon="rotate-left" label={t('turnLeft')} onPress={() => view.turn(-1)} />
      <IconButton icon="rotate-right" label={t('turnRight')} onPress={() => view.turn(1)} />
      <span className={styles['said']} role="status">
        {turns !== 0 && t('turned', { degrees: format.count(turns * 90) })}
      </span>
      <span className={styles['end']}>
        {shown !== null && (
          <span className={styles['said']}>
            {t('pixels', { width: format.count(shown.width), height: format.count(shown.height) })}
            {preview && ` · ${t('throughPreview')}`}
          </span>
        )}
        {onWhole !== null && (
          <Button kind="quiet" onPress={onWhole}>
            {t('showWhole')}
          </Button>
        )}
        {exif !== null && (
          <ToggleButton kind="quiet" icon="list" on={exif} onChange={onExif}>
            {t('exif')}
          </ToggleButton>
        )}
      </span>
    </div>
  )
}
