type Read = (offset: number, length: number) => Promise<Uint8Array>

/** A larger file is not searched: nothing small enough to be shown as it is has so many bytes. */
const MOST_BYTES = 32 * 1024 ** 2

/** Tables, frames, scans and what colours need: JFIF (APP0), an ICC profile (APP2), Adobe's note on the transform (APP14). */
const PICTURE = (marker: number, label: string): boolean =>
  marker === 0xe0
    ? label.startsWith('JFIF\0') || label.startsWith('JFXX\0')
    : marker === 0xe2
      ? label.startsWith('ICC_PROFILE\0')
      : marker === 0xee
        ? label.startsWith('Adobe')
        : marker >= 0xc0 && marker <= 0xdf

/**
 * Whether a JPEG is a picture and nothing else: no Exif, no comment, no other application's part, nothing behind its end. Such a file may
 * be shown to whoever may look, as it is.
 */
export async function isBareJpeg(size: number, read: Read): Promise<boolean> {
  if (size > MOST_BYTES) return false
  const bytes = await read(0, size)
  if (bytes.length !== size || bytes[0] !== 0xff || bytes[1] !== 0xd8) return false
  for (let at = 2; at + 1 < size; ) {
    if (bytes[at] !== 0xff) return false
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xd9) return at + 2 === size
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
    const label = String.fromCharCode(...bytes.subarray(at + 4, Math.min(at + 16, at + 2 + length)))
    if (length < 2 || !PICTURE(marker, label)) return false
    at += 2 + length
    if (marker === 0xda) at = afterScan(bytes, at)
  }
  return false
}

/** Coded data ends at a marker that is neither stuffing nor a restart. */
function afterScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}
