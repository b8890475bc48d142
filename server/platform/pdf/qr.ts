import encodeQR from 'qr'
import type { Sheet } from './sheet.ts'
import { INK } from './sheet.ts'

/** A QR code as a square of `side` points. */
export function drawQr({ pdf }: Pick<Sheet, 'pdf'>, text: string, at: { x: number; y: number; side: number }): void {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 2 })
  const side = at.side / rows.length
  // A hair wider, so that no light line shows between two.
  for (const [row, cells] of rows.entries())
    for (const [column, dark] of cells.entries())
      if (dark) pdf.rect(at.x + column * side, at.y + row * side, side + 0.05, side + 0.05)
  pdf.fill(INK.text)
}
