import { useTranslation } from '../../../../client/translate.ts'
import { Button, IconButton, ToggleButton } from '../../../../ui/button/button.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import type { ViewState } from '../search-state.ts'
import { type Plate, PlateToggle, TimePlate } from '../stage/time-plate.tsx'
import styles from './player.module.css'
import type { ClockSource } from './recorded.ts'
import { usePlayerState } from './use-player.ts'
import type { PlayerActs } from './use-player-keys.ts'

interface StripProps {
  readonly acts: PlayerActs
  readonly clock: ClockSource
  readonly plate: Plate
  readonly view: ViewState
  readonly onClear: () => void
}

/** Below the picture: when it was, and the selection with its length. */
export function PlayerStrip({ acts, clock, plate, view, onClear }: StripProps) {
  const { t } = useTranslation('evidencePage')
  return (
    <div className={styles['strip']}>
      {plate.known && plate.on && <PlateNow clock={clock} />}
      <div className={styles['range']} role="group" aria-label={t('selection')}>
        <Selection view={view} onClear={onClear} />
        <Button kind="quiet" keys="I" onPress={acts.markIn}>
          {t('in')}
        </Button>
        <Button kind="quiet" keys="O" onPress={acts.markOut}>
          {t('out')}
        </Button>
        <ToggleButton kind="quiet" icon="loop" label={t('loop')} keys="P" on={view.loop} onChange={acts.loop} />
        <PlateToggle plate={plate} />
      </div>
    </div>
  )
}

function PlateNow({ clock }: { readonly clock: ClockSource }) {
  // Milliseconds are all that it shows.
  const at = usePlayerState(({ at }) => Math.floor(at * 1000 + 1e-4) / 1000)
  return <TimePlate clock={clock} at={at} />
}

/** How long it is from in to out; from the beginning, or to the end, where one of them is not set. */
function Selection({ view: { from, to }, onClear }: Pick<StripProps, 'view' | 'onClear'>) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const duration = usePlayerState((state) => state.duration)
  if (from === null && to === null) return null
  const length = format.position(Math.max(0, (to ?? duration) - (from ?? 0)))
  return (
    <span className={styles['selection']}>
      <span data-selection role="status">
        {t(to === null ? 'selectedToEnd' : from === null ? 'selectedFromStart' : 'selected', { length })}
      </span>
      <IconButton icon="x" size="small" label={t('selectionClear')} onPress={onClear} />
    </span>
  )
}
