import encodeQR from 'qr'
import { useMemo } from 'react'
import styles from './qr.module.css'

export interface QrCodeProps {
  readonly text: string
  /** What it is a picture of, for who cannot see it; the same is offered as text beside it. */
  readonly label: string
}

/** Light modules around it, which readers need to find it (ISO/IEC 18004, 5.3.8). */
const QUIET = 4

/** A QR picture, drawn here: what is in it goes nowhere. Dark on light in every theme, as readers expect. */
export function QrCode({ text, label }: QrCodeProps) {
  const { size, path } = useMemo(() => drawn(text), [text])
  return (
    <svg
      className={styles['qr']}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} className={styles['light']} />
      <path d={path} className={styles['dark']} />
    </svg>
  )
}

/** One path over all dark modules, row by row. */
function drawn(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET })
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return { size: rows.length, path }
}
