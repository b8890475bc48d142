/** A picture in a frame on paper, with words in its place where there is none. */
import { INK, type Sheet } from './sheet.ts'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** @param picture JPEG or PNG; null: none @param missing said in its place */
export function drawPicture({ pdf }: Sheet, picture: Buffer | null, box: Box, missing: string): void {
  const { x, y, width, height } = box
  pdf.rect(x, y, width, height).lineWidth(0.5).strokeColor(INK.line).stroke()
  if (picture !== null) {
    try {
      pdf.image(picture, x, y, { fit: [width, height], align: 'center', valign: 'center' })
      return
    } catch {
      // A picture that the document cannot hold is said to be missing; what it belongs to is listed all the same.
    }
  }
  pdf.font('Helvetica').fontSize(8).fillColor(INK.second)
  pdf.text(missing, x, y + height / 2 - 4, { width, align: 'center', lineBreak: false })
}
