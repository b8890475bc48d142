import type { MediaFamily } from '../../../../shared/media/rules.ts'

/** The only demuxers that may ever be named to ffmpeg (docs/guarantees.md, S9). `mpeg` is its name for MPEG program streams. */
export const DEMUXERS = [
  ...([
    'mov',
    'matroska',
    'avi',
    'mpegts',
    'mpeg',
    'asf',
    'flv',
    'wav',
    'mp3',
    'flac',
    'ogg',
    'aac',
    'h264',
    'hevc',
    'dv',
  ] as const),
  ...(['jpeg_pipe', 'png_pipe', 'webp_pipe', 'tiff_pipe', 'gif_pipe', 'bmp_pipe'] as const),
] as const
export type Demuxer = (typeof DEMUXERS)[number]

/** What a file is by its first bytes. */
export interface Sniffed {
  readonly family: MediaFamily
  /** Never a type that a browser would run: markup of every kind is `text/plain`. */
  readonly mimeType: string
  /** The one demuxer ffmpeg may use; null when ffmpeg must not be given the file. */
  readonly demuxer: Demuxer | null
  /** Read by libheif's converter instead. */
  readonly heif: boolean
}

/** Bytes of the head that `sniff` looks at. */
export const SNIFF_LENGTH = 64 * 1024

const is = (family: MediaFamily, mimeType: string, demuxer: Demuxer | null = null, heif = false): Sniffed => ({
  family,
  mimeType,
  demuxer,
  heif,
})
const UNKNOWN = is('unknown', 'application/octet-stream')

/**
 * Decides by content alone; the name is never asked. Signatures count at offset 0 only (a stream's sync byte excepted), so that a
 * file which is two things at once is the thing its first byte says, and ffmpeg is never left to guess. Pure; any bytes will do.
 */
export function sniff(head: Uint8Array): Sniffed {
  if (head.length === 0) return UNKNOWN
  return (
    picture(head) ??
    riff(head) ??
    isoMedia(head) ??
    container(head) ??
    document(head) ??
    stream(head) ??
    text(head) ??
    UNKNOWN
  )
}

const ascii = (head: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...head.subarray(at, at + length))

const starts = (head: Uint8Array, ...bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte)

function picture(head: Uint8Array): Sniffed | null {
  if (starts(head, 0xff, 0xd8, 0xff)) return is('picture', 'image/jpeg', 'jpeg_pipe')
  if (starts(head, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return is('picture', 'image/png', 'png_pipe')
  if (starts(head, 0x49, 0x49, 0x2a, 0x00) || starts(head, 0x4d, 0x4d, 0x00, 0x2a))
    return is('picture', 'image/tiff', 'tiff_pipe')
  if (ascii(head, 0, 6) === 'GIF87a' || ascii(head, 0, 6) === 'GIF89a') return is('picture', 'image/gif', 'gif_pipe')
  if (ascii(head, 0, 2) === 'BM' && head.length > 26 && starts(head.subarray(6), 0, 0, 0, 0))
    return is('picture', 'image/bmp', 'bmp_pipe')
  if (starts(head, 0xff, 0x0a) || starts(head, 0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a, 0x87, 0x0a))
    return is('picture', 'image/jxl')
  // An icon: its kind, then at least one directory entry, whose reserved byte is zero.
  if (starts(head, 0, 0, 1, 0) && (head[4] ?? 0) > 0 && head[5] === 0 && head[9] === 0)
    return is('picture', 'image/x-icon')
  return null
}

function riff(head: Uint8Array): Sniffed | null {
  const outer = ascii(head, 0, 4)
  const inner = ascii(head, 8, 4)
  if (outer === 'RIFF' && inner === 'AVI ') return is('video', 'video/x-msvideo', 'avi')
  if (outer === 'RIFF' && inner === 'WEBP') return is('picture', 'image/webp', 'webp_pipe')
  if ((outer === 'RIFF' || outer === 'RF64') && inner === 'WAVE') return is('audio', 'audio/wav', 'wav')
  return null
}

const HEIF_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1', 'mif2'])
const AVIF_BRANDS = new Set(['avif', 'avis'])
const AUDIO_BRANDS = new Set(['M4A ', 'M4B ', 'M4P '])
/** Boxes that may begin a QuickTime file from before `ftyp` was invented. */
const OLD_QUICKTIME = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])

function isoMedia(head: Uint8Array): Sniffed | null {
  if (head.length < 8) return null
  const type = ascii(head, 4, 4)
  const size = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(0)
  if (type !== 'ftyp') {
    // A length that could be one: text that happens to say "moov" at its fifth letter is not a film.
    const plausible = size === 0 || size === 1 || (size >= 8 && size < 0x2000_0000)
    return OLD_QUICKTIME.has(type) && (plausible || type === 'mdat') ? is('video', 'video/quicktime', 'mov') : null
  }
  const brands = [ascii(head, 8, 4)]
  for (let at = 16; at + 4 <= Math.min(size, head.length, 256); at += 4) brands.push(ascii(head, at, 4))
  const major = brands[0] ?? ''
  if (AVIF_BRANDS.has(major) || (HEIF_BRANDS.has(major) && brands.some((brand) => AVIF_BRANDS.has(brand)))) {
    return is('picture', 'image/avif', null, true)
  }
  if (HEIF_BRANDS.has(major)) return is('picture', 'image/heic', null, true)
  if (major === 'crx ') return is('picture', 'image/x-canon-cr3')
  if (AUDIO_BRANDS.has(major)) return is('audio', 'audio/mp4', 'mov')
  if (major === 'qt  ') return is('video', 'video/quicktime', 'mov')
  return is('video', /^3g[2gp]/.test(major) ? 'video/3gpp' : 'video/mp4', 'mov')
}

function container(head: Uint8Array): Sniffed | null {
  if (starts(head, 0x1a, 0x45, 0xdf, 0xa3)) {
    const type = ebmlDocType(head)
    if (type === 'webm') return is('video', 'video/webm', 'matroska')
    return type === 'matroska' ? is('video', 'video/x-matroska', 'matroska') : null
  }
  if (starts(head, 0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11)) return is('video', 'video/x-ms-wmv', 'asf')
  if (ascii(head, 0, 3) === 'FLV' && head[3] === 1) return is('video', 'video/x-flv', 'flv')
  if (starts(head, 0x00, 0x00, 0x01, 0xba)) return is('video', 'video/mpeg', 'mpeg')
  if (ascii(head, 0, 4) === 'fLaC') return is('audio', 'audio/flac', 'flac')
  if (ascii(head, 0, 6) === '#!AMR\n') return is('audio', 'audio/amr')
  if (ascii(head, 0, 9) === '#!AMR-WB\n') return is('audio', 'audio/amr-wb')
  if (ascii(head, 0, 4) === 'FORM' && /^AIF[FC]$/.test(ascii(head, 8, 4))) return is('audio', 'audio/aiff')
  if (ascii(head, 0, 4) === 'OggS') {
    return ascii(head, 29, 6) === 'theora' ? is('video', 'video/ogg', 'ogg') : is('audio', 'audio/ogg', 'ogg')
  }
  return null
}

/** The DocType element (0x4282) of an EBML header, looked for in its first bytes. */
function ebmlDocType(head: Uint8Array): string {
  const end = Math.min(head.length - 2, 128)
  for (let at = 4; at < end; at += 1) {
    if (head[at] === 0x42 && head[at + 1] === 0x82) {
      const length = (head[at + 2] ?? 0) & 0x7f
      return ascii(head, at + 3, Math.min(length, 16)).replace(/\0+$/, '')
    }
  }
  return ''
}

function document(head: Uint8Array): Sniffed | null {
  if (ascii(head, 0, 5) === '%PDF-') return is('pdf', 'application/pdf')
  if (starts(head, 0x50, 0x4b, 0x03, 0x04) || starts(head, 0x50, 0x4b, 0x05, 0x06))
    return is('unknown', 'application/zip')
  if (starts(head, 0x1f, 0x8b, 0x08)) return is('unknown', 'application/gzip')
  return null
}

/** Streams without a signature: what repeats as it must is taken for one. */
function stream(head: Uint8Array): Sniffed | null {
  if (isTransportStream(head)) return is('video', 'video/mp2t', 'mpegts')
  if (isDigitalVideo(head)) return is('video', 'video/dv', 'dv')
  const nal = nalStream(head)
  if (nal) return is('video', nal === 'h264' ? 'video/h264' : 'video/h265', nal)
  const tagged = ascii(head, 0, 3) === 'ID3'
  const at = tagged ? 10 + synchsafe(head) : 0
  // A tag longer than the head (cover pictures are) hides the first frame; only MP3 is then likely enough.
  if (tagged && at + 4 > head.length) return is('audio', 'audio/mpeg', 'mp3')
  if (tagged && ascii(head, at, 4) === 'fLaC') return is('audio', 'audio/flac', 'flac')
  if (adtsFrames(head, at) >= 2) return is('audio', 'audio/aac', 'aac')
  return mpegAudioFrames(head, at) >= 2 ? is('audio', 'audio/mpeg', 'mp3') : null
}

/** Sync bytes at every packet of 188, 192 (Blu-ray, some cameras) or 204 bytes, from the start: five, or all of a shorter file. */
function isTransportStream(head: Uint8Array): boolean {
  return [188, 192, 204].some((packet) => {
    const first = packet === 192 ? 4 : 0
    const needed = Math.min(5, Math.floor(head.length / packet))
    if (needed < 2 || head[first + 1] === undefined) return false
    for (let n = 0; n < needed; n += 1) if (head[first + n * packet] !== 0x47) return false
    // Error indicator clear on the first packet, and more than one kind of byte: a text of Gs is no broadcast.
    return ((head[first + 1] ?? 0x80) & 0x80) === 0 && ((head[first + 3] ?? 0) & 0x30) !== 0
  })
}

/** DV: a header block of either system, and the subcode block that follows it after 80 bytes (IEC 61834). */
const isDigitalVideo = (head: Uint8Array): boolean =>
  starts(head, 0x1f, 0x07, 0x00) && ((head[3] ?? 0) & 0x7f) === 0x3f && starts(head.subarray(80), 0x3f, 0x07, 0x00)

/** Access unit delimiters and SEI messages may stand before the parameter sets; more than this many do not. */
const MOST_LEADING_UNITS = 32

/** Raw H.264 or HEVC: a start code, and in the first units the parameter sets that every such stream begins with. */
function nalStream(head: Uint8Array): 'h264' | 'hevc' | null {
  if (!starts(head, 0, 0, 0, 1) && !starts(head, 0, 0, 1)) return null
  const codecs = new Set<'h264' | 'hevc'>(['h264', 'hevc'])
  let at = head[2] === 1 ? 3 : 4
  for (let units = 0; units < MOST_LEADING_UNITS && at + 1 < head.length && codecs.size > 0; units += 1) {
    for (const codec of codecs) {
      const unit = codec === 'h264' ? h264Unit(head, at) : hevcUnit(head, at)
      if (unit === 'parameters') return codec
      if (unit === 'other') codecs.delete(codec)
    }
    at = afterStartCode(head, at)
  }
  return null
}

type Unit = 'parameters' | 'leading' | 'other'

function h264Unit(head: Uint8Array, at: number): Unit {
  const [first = 0x80, second = 0] = head.subarray(at, at + 2)
  const type = first & 0x1f
  if (type === 7 && (first & 0xe0) !== 0 && first < 0x80) return 'parameters'
  // A delimiter with its stop bit, or SEI, which no picture refers to.
  if ((first === 0x09 && (second & 0x1f) === 0x10) || first === 0x06) return 'leading'
  return 'other'
}

/** HEVC's header has two bytes: layer 0, temporal id 1. */
function hevcUnit(head: Uint8Array, at: number): Unit {
  const [first = 0x80, second = 0] = head.subarray(at, at + 2)
  if (first >= 0x80 || (first & 1) !== 0 || second !== 1) return 'other'
  const type = first >> 1
  if (type === 32) return 'parameters'
  return type === 35 || type === 39 ? 'leading' : 'other'
}

/** @returns where the next unit begins; the end of the head where there is none. */
function afterStartCode(head: Uint8Array, from: number): number {
  for (let at = from; at + 2 < head.length; at += 1)
    if (head[at] === 0 && head[at + 1] === 0 && head[at + 2] === 1) return at + 3
  return head.length
}

const synchsafe = (head: Uint8Array): number =>
  [6, 7, 8, 9].reduce((size, at) => size * 128 + ((head[at] ?? 0) & 0x7f), 0)

function adtsFrames(head: Uint8Array, start: number): number {
  let at = start
  let frames = 0
  while (frames < 3 && head[at] === 0xff && ((head[at + 1] ?? 0) & 0xf6) === 0xf0) {
    const length = (((head[at + 3] ?? 0) & 3) << 11) | ((head[at + 4] ?? 0) << 3) | ((head[at + 5] ?? 0) >> 5)
    if (length < 7) return frames
    frames += 1
    at += length
  }
  return frames
}

const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES = [44100, 48000, 32000]

/** Layer III frames that follow each other exactly. */
function mpegAudioFrames(head: Uint8Array, start: number): number {
  let at = start
  let frames = 0
  while (frames < 3 && head[at] === 0xff) {
    const second = head[at + 1] ?? 0
    const third = head[at + 2] ?? 0
    const version = (second >> 3) & 3
    if ((second & 0xe6) !== 0xe2 || version === 1) return frames
    const rate = (RATES[(third >> 2) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4)
    const bitrate = ((version === 3 ? BITRATES_1 : BITRATES_2)[third >> 4] ?? 0) * 1000
    if (rate === 0 || bitrate === 0) return frames
    frames += 1
    at += Math.floor(((version === 3 ? 144 : 72) * bitrate) / rate) + ((third >> 1) & 1)
  }
  return frames
}

/** Text is what is valid UTF-8 (or UTF-16 with a mark) without control characters. Playlists, scripts and SVG end here. */
function text(head: Uint8Array): Sniffed | null {
  if (starts(head, 0xff, 0xfe) || starts(head, 0xfe, 0xff)) return is('text', 'text/plain')
  // The last character may be cut by the end of the head.
  for (const cut of [0, 1, 2, 3]) {
    try {
      const decoded = new TextDecoder('utf-8', { fatal: true }).decode(head.subarray(0, head.length - cut))
      // biome-ignore lint: control characters are what is looked for
      return /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/.test(decoded) ? null : is('text', 'text/plain')
    } catch {
      // Try without the last byte.
    }
  }
  return null
}
