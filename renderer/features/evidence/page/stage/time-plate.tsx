import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { keep, kept } from '../../../../client/preferences.ts'
import { useTranslation } from '../../../../client/translate.ts'
import { IconButton } from '../../../../ui/button/button.tsx'
import { TwoClocks } from '../../../../ui/clocks/clocks.tsx'
import { useShortcuts } from '../../../../ui/command/use-shortcuts.ts'
import { type ClockSource, shownAt } from '../player/recorded.ts'
import styles from './stage.module.css'

const listeners = new Set<() => void>()
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let shown: boolean | null = null
function isShown(): boolean {
  shown ??= kept('timePlate') !== 'off'
  return shown
}

function show(on: boolean): void {
  shown = on
  keep('timePlate', on ? null : 'off')
  for (const listener of listeners) listener()
}

export interface Plate {
  /** False where no time is known: there is nothing to show or to hide. */
  readonly known: boolean
  readonly on: boolean
  readonly set: (on: boolean) => void
}

/** Whether the times are shown, kept in this browser; Shift T shows and hides them. */
export function usePlate(clock: ClockSource): Plate {
  const on = useSyncExternalStore(subscribe, isShown)
  const known = isKnown(clock)
  const toggle = useCallback(() => show(!isShown()), [])
  useShortcuts(useMemo(() => ({ 'Shift+t': known ? toggle : undefined }), [known, toggle]))
  return { known, on, set: show }
}

const isKnown = (clock: ClockSource): boolean => {
  const { recorded, corrected } = shownAt(clock, 0)
  return recorded !== null || corrected !== null
}

/** Both times of what is on screen, in the bar below the picture and never over it. */
export function TimePlate({ clock, at }: { readonly clock: ClockSource; readonly at: number }) {
  return (
    <div className={styles['plate']} data-clock>
      <TwoClocks {...shownAt(clock, at)} precision="millisecond" size="large" />
    </div>
  )
}

export function PlateToggle({ plate }: { readonly plate: Plate }) {
  const { t } = useTranslation('evidencePage')
  if (!plate.known) return null
  return (
    <IconButton
      icon="clock"
      label={t(plate.on ? 'timePlateHide' : 'timePlateShow')}
      keys="Shift T"
      onPress={() => plate.set(!plate.on)}
    />
  )
}
