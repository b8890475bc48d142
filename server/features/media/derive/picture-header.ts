/** Size as stored and Exif orientation of a picture, read from its header alone; before any decoder is started. */
export interface PictureHeader {
  readonly width: number
  readonly height: number
  /** Exif: 1 upright, 2–8 as the standard numbers them; 1 where the file says nothing. */
  readonly orientation: number
}

type Read = (offset: number, length: number) => Promise<Uint8Array>

/** Null where the header cannot be read. Never throws on any bytes; reads a bounded number of pieces. */
export async function pictureHeader(mimeType: string, read: Read): Promise<PictureHeader | null> {
  const readers: Readonly<Record<string, (read: Read) => Promise<PictureHeader | null>>> = {
    'image/jpeg': jpeg,
    'image/png': png,
    'image/webp': webp,
    'image/tiff': tiff,
    'image/gif': gif,
    'image/bmp': bmp,
  }
  const header = await readers[mimeType]?.(read)
  return header && header.width > 0 && header.height > 0 ? header : null
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const ascii = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

const MOST_SEGMENTS = 512

async function jpeg(read: Read): Promise<PictureHeader | null> {
  let orientation = 1
  let at = 2
  for (let count = 0; count < MOST_SEGMENTS; count += 1) {
    const head = await read(at, 12)
    if (head.length < 9 || head[0] !== 0xff) return null
    const marker = head[1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = view(head).getUint16(2)
    // Start of frame, but not the tables (C4, C8, CC) that share its range.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { width: view(head).getUint16(7), height: view(head).getUint16(5), orientation }
    }
    if (marker === 0xda || marker === 0xd9) return null
    if (marker === 0xe1 && ascii(head, 4, 6) === 'Exif\0\0') {
      orientation = await orientationIn(pieceOf(read, at + 10, length - 8))
    }
    at += 2 + length
  }
  return null
}

async function png(read: Read): Promise<PictureHeader | null> {
  const head = await read(0, 33)
  if (head.length < 33 || ascii(head, 12, 4) !== 'IHDR') return null
  const size = { width: view(head).getUint32(16), height: view(head).getUint32(20) }
  let at = 33
  for (let count = 0; count < MOST_SEGMENTS; count += 1) {
    const chunk = await read(at, 8)
    if (chunk.length < 8 || ascii(chunk, 4, 4) === 'IEND') break
    const length = view(chunk).getUint32(0)
    if (ascii(chunk, 4, 4) === 'eXIf')
      return { ...size, orientation: await orientationIn(pieceOf(read, at + 8, length)) }
    at += 12 + length
  }
  return { ...size, orientation: 1 }
}

async function webp(read: Read): Promise<PictureHeader | null> {
  let size: { width: number; height: number } | null = null
  let orientation = 1
  let at = 12
  for (let count = 0; count < 64; count += 1) {
    const chunk = await read(at, 18)
    if (chunk.length < 8) break
    const type = ascii(chunk, 0, 4)
    const length = view(chunk).getUint32(4, true)
    if (chunk.length >= 18) size ??= webpSize(type, chunk)
    if (type === 'EXIF') {
      const marked = ascii(chunk, 8, 6) === 'Exif\0\0' ? 6 : 0
      orientation = await orientationIn(pieceOf(read, at + 8 + marked, length - marked))
    }
    at += 8 + length + (length & 1)
  }
  return size && { ...size, orientation }
}

function webpSize(type: string, chunk: Uint8Array): { width: number; height: number } | null {
  const data = view(chunk)
  if (type === 'VP8X') {
    const three = (at: number) => data.getUint16(at, true) + (data.getUint8(at + 2) << 16) + 1
    return { width: three(12), height: three(15) }
  }
  if (type === 'VP8L') {
    const bits = data.getUint32(9, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  // The key frame's three-byte tag and three-byte start code, then two 14-bit sizes.
  return type === 'VP8 '
    ? { width: data.getUint16(14, true) & 0x3fff, height: data.getUint16(16, true) & 0x3fff }
    : null
}

const tiff = async (read: Read): Promise<PictureHeader | null> => {
  const tags = await firstDirectory(read)
  const width = tags?.get(256)
  const height = tags?.get(257)
  return width && height ? { width, height, orientation: valid(tags?.get(274)) } : null
}

async function gif(read: Read): Promise<PictureHeader | null> {
  const head = await read(0, 10)
  if (head.length < 10) return null
  return { width: view(head).getUint16(6, true), height: view(head).getUint16(8, true), orientation: 1 }
}

/** A negative height means that the lines run from the top. Headers of twelve bytes are those of OS/2. */
async function bmp(read: Read): Promise<PictureHeader | null> {
  const head = await read(0, 26)
  if (head.length < 26) return null
  const old = view(head).getUint32(14, true) === 12
  return {
    width: old ? view(head).getUint16(18, true) : view(head).getInt32(18, true),
    height: Math.abs(old ? view(head).getInt16(20, true) : view(head).getInt32(22, true)),
    orientation: 1,
  }
}

const orientationIn = async (read: Read): Promise<number> => valid((await firstDirectory(read))?.get(274))
const valid = (orientation: number | undefined): number =>
  orientation !== undefined && orientation >= 1 && orientation <= 8 ? orientation : 1

/** Offsets inside a part of the file, as Exif's are; reading stops at the part's end. */
const pieceOf =
  (read: Read, start: number, length: number): Read =>
  (offset, wanted) =>
    read(start + offset, Math.min(wanted, length - offset))

/** Short and long values of the first image directory of a TIFF structure. */
async function firstDirectory(read: Read): Promise<ReadonlyMap<number, number> | null> {
  const head = await read(0, 8)
  if (head.length < 8) return null
  const little = head[0] === 0x49
  if (view(head).getUint16(2, little) !== 42) return null
  const at = view(head).getUint32(4, little)
  const counted = await read(at, 2)
  if (counted.length < 2) return null
  const count = Math.min(view(counted).getUint16(0, little), 512)
  const entries = await read(at + 2, count * 12)
  const tags = new Map<number, number>()
  for (let entry = 0; entry + 12 <= entries.length; entry += 12) {
    const data = view(entries.subarray(entry, entry + 12))
    const type = data.getUint16(2, little)
    if (data.getUint32(4, little) !== 1) continue
    if (type === 3) tags.set(data.getUint16(0, little), data.getUint16(8, little))
    else if (type === 4) tags.set(data.getUint16(0, little), data.getUint32(8, little))
  }
  return tags
}
