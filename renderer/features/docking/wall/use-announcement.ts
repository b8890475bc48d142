/** What became of bays, said once: by voice for whoever hears the page, and by a tone. */
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { changesOf, type Face, type Kind, needsSomeone } from './face.ts'
import type { Tone } from './sound.ts'

/** While somebody is needed it is said again, each minute at most. */
const AGAIN_MS = 60_000

const SAID = {
  safe: 'saidSafe',
  stopped: 'saidAttention',
  faulty: 'saidAttention',
  pulled: 'saidPulled',
} as const satisfies Partial<Record<Kind, string>>

/** @param faces null while the wall is not known @returns what a live region says */
export function useAnnouncement(faces: readonly Face[] | null, play: (tone: Tone) => void): string {
  const { t } = useTranslation('dockWall')
  const before = useRef<ReadonlyMap<string, Kind> | null>(null)
  const asked = useRef(Number.NEGATIVE_INFINITY)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (faces === null) {
      // What was said may not be true any more, and is not said again when the wall comes back.
      setSaid('')
      return
    }
    const changes = before.current === null ? [] : changesOf(before.current, faces)
    before.current = new Map(faces.map(({ key, kind }) => [key, kind]))
    if (changes.length > 0)
      setSaid(changes.map(({ kind, number }) => t(SAID[kind as keyof typeof SAID], { number })).join(' '))
    const now = performance.now()
    const needed = faces.some(({ kind }) => needsSomeone(kind))
    if (changes.some(({ kind }) => needsSomeone(kind)) || (needed && now - asked.current >= AGAIN_MS)) {
      asked.current = now
      play('attention')
    } else if (changes.length > 0) play('safe')
    if (!needed) asked.current = Number.NEGATIVE_INFINITY
  }, [faces, play, t])
  return said
}
