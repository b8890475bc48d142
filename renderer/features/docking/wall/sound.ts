/** One soft tone when a camera is safe, two when somebody is needed (guide, Motion). Never the only sign. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { keep, kept } from '../../../client/preferences.ts'

export type Tone = 'safe' | 'attention'

/** `asleep`: on, and the browser lets no page sound before somebody touched it. */
export type SoundState = 'on' | 'off' | 'asleep'

export interface Sound {
  readonly state: SoundState
  readonly pressStart: () => void
  readonly press: () => void
  readonly play: (tone: Tone) => void
}

const TONES: Readonly<Record<Tone, readonly { readonly at: number; readonly hertz: number }[]>> = {
  safe: [{ at: 0, hertz: 659.3 }],
  attention: [
    { at: 0, hertz: 440 },
    { at: 0.32, hertz: 349.2 },
  ],
}
const LASTS = 0.6
const LOUD = 0.12

function sound(context: AudioContext, tone: Tone): void {
  for (const { at, hertz } of TONES[tone]) {
    const begin = context.currentTime + at
    const oscillator = context.createOscillator()
    const gain = context.createGain()
    oscillator.frequency.value = hertz
    gain.gain.setValueAtTime(0, begin)
    gain.gain.linearRampToValueAtTime(LOUD, begin + 0.03)
    gain.gain.exponentialRampToValueAtTime(0.0001, begin + LASTS)
    oscillator.connect(gain).connect(context.destination)
    oscillator.start(begin)
    oscillator.stop(begin + LASTS)
  }
}

/** On unless it was turned off here. */
export function useSound(): Sound {
  const [wanted, setWanted] = useState(() => kept('wallSound') !== 'off')
  const [awake, setAwake] = useState(false)
  const context = useRef<AudioContext | null>(null)
  useEffect(() => {
    if (!wanted) return
    const own = new AudioContext()
    context.current = own
    const look = (): void => setAwake(own.state === 'running')
    const wake = (): void => {
      // Refused where the touch was none that counts; the next one is tried again.
      if (own.state === 'suspended') own.resume().then(look, () => {})
    }
    look()
    own.addEventListener('statechange', look)
    window.addEventListener('pointerdown', wake, true)
    window.addEventListener('keydown', wake, true)
    return () => {
      window.removeEventListener('pointerdown', wake, true)
      window.removeEventListener('keydown', wake, true)
      own.removeEventListener('statechange', look)
      context.current = null
      void own.close()
    }
  }, [wanted])
  const play = useCallback((tone: Tone): void => {
    if (context.current?.state === 'running') sound(context.current, tone)
  }, [])
  const state = !wanted ? 'off' : awake ? 'on' : 'asleep'
  const wasAsleep = useRef(false)
  const pressStart = useCallback((): void => {
    wasAsleep.current = state === 'asleep'
  }, [state])
  const press = useCallback((): void => {
    // The beginning of the press wakes it, so that it is on already when a finger is lifted.
    if (wasAsleep.current) return
    keep('wallSound', state === 'on' ? 'off' : null)
    setWanted(state === 'off')
  }, [state])
  return { state, pressStart, press, play }
}
