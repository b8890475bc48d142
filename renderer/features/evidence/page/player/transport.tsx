import { useMemo } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { Button, IconButton } from '../../../../ui/button/button.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { Menu } from '../../../../ui/popover/menu.tsx'
import { Tooltip } from '../../../../ui/popover/tooltip.tsx'
import { SPEEDS } from './controller.ts'
import styles from './player.module.css'
import { CaptionsMenu, type CaptionsMenuProps } from '../captions/captions-menu.tsx'
import { Position } from './position.tsx'
import type { Still } from './use-still.ts'
import { useController, usePlayerState } from './use-player.ts'
import { type PlayerActs, SHORT } from './use-player-keys.ts'

export interface TransportProps {
  readonly acts: PlayerActs
  readonly still: Still | null
  readonly video: boolean
  /** It has something to hear. */
  readonly sound: boolean
  readonly full: boolean
  readonly onFull: () => void
  readonly captions: CaptionsMenuProps
}

export function Transport({ acts, still, video, sound, full, onFull, captions }: TransportProps) {
  const { t } = useTranslation('evidencePage')
  const controller = useController()
  const playing = usePlayerState((state) => state.playing || state.backwards > 0)
  return (
    <div className={styles['transport']} role="group" aria-label={t('transport')}>
      <Tooltip text={t('secondsBack', { seconds: SHORT })} keys="←">
        <Button kind="quiet" className={styles['skip']} onPress={() => controller.skip(-SHORT)}>
          <span className="unseen">{t('secondsBack', { seconds: SHORT })}</span>
          <span aria-hidden="true">{t('skip', { seconds: `−${SHORT}` })}</span>
        </Button>
      </Tooltip>
      <IconButton
        icon="frame-back"
        label={t(video ? 'frameBack' : 'momentBack')}
        keys=","
        onPress={() => controller.step(-1)}
      />
      <IconButton
        icon={playing ? 'pause' : 'play'}
        label={t(playing ? 'pause' : 'play')}
        keys="K"
        kind="main"
        onPress={controller.toggle}
      />
      <IconButton
        icon="frame-on"
        label={t(video ? 'frameOn' : 'momentOn')}
        keys="."
        onPress={() => controller.step(1)}
      />
      <Tooltip text={t('secondsOn', { seconds: SHORT })} keys="→">
        <Button kind="quiet" className={styles['skip']} onPress={() => controller.skip(SHORT)}>
          <span className="unseen">{t('secondsOn', { seconds: SHORT })}</span>
          <span aria-hidden="true">{t('skip', { seconds: `+${SHORT}` })}</span>
        </Button>
      </Tooltip>
      <Position />
      <div className={styles['acts']}>
        <Speed />
        <Button kind="quiet" icon="flag" keys="M" onPress={acts.mark}>
          {t('mark')}
        </Button>
        {still !== null && (
          <Button kind="quiet" icon="still" keys="S" busy={still.busy} onPress={still.take}>
            {t('still')}
          </Button>
        )}
        {acts.clip !== undefined && (
          <Button kind="quiet" icon="clip" keys="C" onPress={acts.clip}>
            {t('clip')}
          </Button>
        )}
        <CaptionsMenu {...captions} />
        {sound && <Volume />}
        <IconButton
          icon={full ? 'fullscreen-off' : 'fullscreen'}
          label={t(full ? 'fullscreenOff' : 'fullscreen')}
          onPress={onFull}
        />
      </div>
    </div>
  )
}

function Speed() {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const controller = useController()
  const speed = usePlayerState((state) => state.speed)
  const words = (value: number): string =>
    t('speedTimes', { speed: new Intl.NumberFormat(format.locale).format(value) })
  const sections = useMemo(
    () => [
      {
        label: t('speed'),
        selected: String(speed),
        onSelect: (id: string) => controller.setSpeed(Number(id)),
        items: SPEEDS.map((value) => ({ id: String(value), label: words(value) })),
      },
    ],
    // biome-ignore lint/correctness/useExhaustiveDependencies: words follow t
    [t, speed, controller],
  )
  return (
    <Menu
      label={t('speed')}
      sections={sections}
      placement="top end"
      trigger={
        <Button kind="quiet">
          <span className="unseen">{t('speed')} </span>
          {words(speed)}
        </Button>
      }
    />
  )
}

function Volume() {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const controller = useController()
  const muted = usePlayerState((state) => state.muted)
  const volume = usePlayerState((state) => state.volume)
  const shown = muted ? 0 : volume
  return (
    <span className={styles['volume']}>
      <IconButton
        icon={muted || volume === 0 ? 'mute' : 'sound'}
        label={t(muted ? 'soundOn' : 'soundOff')}
        onPress={() => controller.setVolume(volume === 0 ? 1 : volume, !muted && volume > 0)}
      />
      <input
        type="range"
        min={0}
        max={100}
        step={5}
        value={Math.round(shown * 100)}
        aria-label={t('volume')}
        aria-valuetext={format.percent(shown)}
        onChange={(event) => controller.setVolume(Number(event.target.value) / 100, event.target.value === '0')}
      />
    </span>
  )
}
