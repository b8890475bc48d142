import { useState } from 'react'
import styles from './player.module.css'
import { usePlayerState } from './use-player.ts'

/**
 * The thumbnail, until the first picture is there. It lies behind the video and is no poster of it: a browser keeps a poster until
 * something is played or sought, and what stands still must be the frame whose number is told.
 */
export function Poster({ address }: { readonly address: string }) {
  const ready = usePlayerState((state) => state.ready)
  const failed = usePlayerState((state) => state.failed)
  const [broken, setBroken] = useState(false)
  if (ready || failed || broken) return null
  return <img className={styles['poster']} src={address} alt="" data-poster onError={() => setBroken(true)} />
}
