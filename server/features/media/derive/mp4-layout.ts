/** How the top-level boxes of an ISO media file lie. */
export interface Mp4Layout {
  /** Boxes fill the file exactly: nothing cut off, nothing appended. */
  readonly whole: boolean
  /** The index (`moov`) comes before the media (`mdat`). */
  readonly indexFirst: boolean
  readonly fragmented: boolean
  readonly majorBrand: string
}

const MOST_BOXES = 4096

/** Walks the top-level boxes. `read(offset, length)` gives fewer bytes only at the end of the file. Null when it is no such file. */
export async function mp4Layout(
  size: number,
  read: (offset: number, length: number) => Promise<Uint8Array>,
): Promise<Mp4Layout | null> {
  const order: string[] = []
  let majorBrand = ''
  let at = 0
  while (at < size && order.length < MOST_BOXES) {
    const head = await read(at, 16)
    if (head.length < 8) break
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
    const type = String.fromCharCode(...head.subarray(4, 8))
    if (order.length === 0 && type !== 'ftyp') return null
    if (type === 'ftyp') majorBrand = String.fromCharCode(...head.subarray(8, 12))
    const length = boxLength(view, size - at)
    if (length === null) break
    order.push(type)
    at += length
  }
  if (order.length === 0) return null
  const moov = order.indexOf('moov')
  const mdat = order.indexOf('mdat')
  return {
    whole: at === size,
    indexFirst: moov >= 0 && mdat > moov,
    fragmented: order.includes('moof'),
    majorBrand,
  }
}

/** 1 means a 64-bit length follows, 0 "to the end of the file". Null: not a length. */
function boxLength(view: DataView, left: number): number | null {
  const short = view.getUint32(0)
  if (short === 0) return left
  if (short !== 1) return short >= 8 ? short : null
  if (view.byteLength < 16) return null
  const long = Number(view.getBigUint64(8))
  return long >= 16 && Number.isSafeInteger(long) ? long : null
}
