import { useTranslation } from '../../../../client/translate.ts'
import { TwoClocks } from '../../../../ui/clocks/clocks.tsx'
import { type ClockSource, shownAt } from './recorded.ts'
import styles from './player.module.css'
import { usePlayerState } from './use-player.ts'

/** Both times of what is on screen, over the picture in every size (docs/develop/screens.md: nothing else ever is). */
export function StageClock({ clock }: { readonly clock: ClockSource }) {
  // Milliseconds are all that it shows.
  const at = usePlayerState(({ at }) => Math.floor(at * 1000 + 1e-4) / 1000)
  return <ClockBox clock={clock} at={at} />
}

export function ClockBox({ clock, at }: { readonly clock: ClockSource; readonly at: number }) {
  const { t } = useTranslation('evidencePage')
  const shown = shownAt(clock, at)
  return (
    <div className={styles['clock']} data-clock>
      {shown.recorded === null && shown.corrected === null ? (
        <>
          <span className={styles['noClock']}>{t('noClock')}</span>
          <span className={styles['noClockWhy']}>{t('noClockWhy')}</span>
        </>
      ) : (
        <TwoClocks {...shown} precision="millisecond" size="large" />
      )}
    </div>
  )
}
