import { useMemo } from 'react'
import { cuesAt } from '../../../../../shared/evidence/captions.ts'
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx'
import { usePlayerState } from '../player/use-player.ts'
import { Problem } from '../stage/problem.tsx'
import { written } from '../text/visible.ts'
import styles from './captions.module.css'
import type { Captions } from './use-captions.ts'

interface StripProps {
  /** Null while they are asked for. */
  readonly captions: Captions | null
  readonly error: Error | null
  readonly onRetry: () => void
}

/** What is said where the player stands. Its height stays, so that the picture does not move with every sentence. */
export function CaptionStrip({ captions, error, onRetry }: StripProps) {
  const cues = useMemo(
    () =>
      captions?.Cues.map(({ StartSeconds, EndSeconds, Text }) => ({
        start: StartSeconds,
        end: EndSeconds,
        text: Text,
      })) ?? [],
    [captions],
  )
  // One text: it is drawn again when what is said changes, not with every frame.
  const said = usePlayerState(({ at }) =>
    cuesAt(cues, at)
      .map(({ text }) => text)
      .join('\n'),
  )
  return (
    <div className={styles['strip']} data-captions lang={captions?.Language}>
      {captions !== null ? (
        <p className={styles['cue']} dir="auto">
          {written(said)}
        </p>
      ) : error !== null ? (
        <Problem error={error} onRetry={onRetry} />
      ) : (
        <Skeleton lines={1} />
      )}
    </div>
  )
}
