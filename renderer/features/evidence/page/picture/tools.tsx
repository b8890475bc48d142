import { useTranslation } from '../../../../client/translate.ts'
import { Button, IconButton, ToggleButton } from '../../../../ui/button/button.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import type { Media } from '../queries.ts'
import { type Plate, PlateToggle } from '../stage/time-plate.tsx'
import styles from './picture.module.css'
import type { PictureTools } from './use-tools.ts'
import type { Size, usePictureView } from './use-view.ts'
import { ZoomTools } from './zoom-tools.tsx'

interface ToolsProps {
  readonly view: ReturnType<typeof usePictureView>
  readonly tools: PictureTools
  readonly plate: Plate
  readonly media: Media
  readonly natural: Size | null
  /** Whether it stands beside the picture; null where there is none. */
  readonly exif: boolean | null
  readonly onExif: (beside: boolean) => void
  /** Null where everything is as it was at first. */
  readonly onReset: (() => void) | null
  readonly onWhole: (() => void) | null
  readonly preview: boolean
  /** Whether a part may be kept as a copy. */
  readonly crops: boolean
  /** Null where there is no other picture. */
  readonly onCompare: (() => void) | null
}

export function Tools(props: ToolsProps) {
  const { view, tools, plate, media, natural, exif, onExif, onReset, onWhole, preview, crops, onCompare } = props
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const { turns } = view.view
  const shown = media.Width !== null && media.Height !== null ? { width: media.Width, height: media.Height } : natural
  return (
    <div className={styles['foot']}>
      <div className={styles['tools']} role="group" aria-label={t('pictureTools')}>
        <ZoomTools view={view} />
        <IconButton icon="rotate-left" label={t('turnLeft')} keys="Shift R" onPress={() => view.turn(-1)} />
        <IconButton icon="rotate-right" label={t('turnRight')} keys="R" onPress={() => view.turn(1)} />
        <ToggleButton kind="quiet" keys="V" on={tools.levelling} onChange={tools.setLevelling}>
          {t('levels')}
        </ToggleButton>
        <ToggleButton kind="quiet" keys="L" on={tools.loupe} onChange={tools.setLoupe}>
          {t('loupe')}
        </ToggleButton>
        <ToggleButton kind="quiet" keys="M" on={tools.isMeasuring} onChange={tools.setIsMeasuring}>
          {t('measure')}
        </ToggleButton>
        {crops && (
          <ToggleButton kind="quiet" icon="crop" keys="C" on={tools.isCropping} onChange={tools.setIsCropping}>
            {t('crop')}
          </ToggleButton>
        )}
        {onCompare !== null && (
          <Button kind="quiet" icon="compare" onPress={onCompare}>
            {t('compare')}
          </Button>
        )}
        <span className={styles['end']}>
          {onWhole !== null && (
            <Button kind="quiet" onPress={onWhole}>
              {t('showWhole')}
            </Button>
          )}
          <PlateToggle plate={plate} />
          {exif !== null && (
            <ToggleButton kind="quiet" icon="list" keys="X" on={exif} onChange={onExif}>
              {t('exif')}
            </ToggleButton>
          )}
        </span>
      </div>
      <div className={styles['below']}>
        <p className={styles['said']}>
          {shown !== null && (
            <>
              {t('pixels', { width: format.count(shown.width), height: format.count(shown.height) })}
              {preview && ` · ${t('throughPreview')}`}
              {' · '}
            </>
          )}
          <span role="status">{turns !== 0 && `${t('turned', { degrees: format.count(turns * 90) })} · `}</span>
          {t('viewOnly')}
        </p>
        {onReset !== null && (
          <Button kind="quiet" size="small" icon="undo" keys="Z" onPress={onReset}>
            {t('resetView')}
          </Button>
        )}
      </div>
    </div>
  )
}
