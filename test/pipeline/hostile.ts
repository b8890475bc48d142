import { deflateSync } from 'node:zlib'
import { crc32 } from 'node:zlib'

/** A file made to mislead. `unread` ones must never reach a media program at all. */
export interface Hostile {
  readonly name: string
  readonly bytes: Buffer
  readonly unread?: boolean
}

/** Where the canaries are: a film and a text beside the input, and a port that nobody may call. */
export interface Bait {
  readonly film: string
  readonly filmBeside: string
  readonly text: string
  readonly port: number
}

const lines = (...all: string[]) => Buffer.from(`${all.join('\n')}\n`)

/** Texts that some demuxer of ffmpeg would follow somewhere else. */
export function scripts({ film, filmBeside, text, port }: Bait): Hostile[] {
  const places = [
    filmBeside,
    film,
    `file:${film}`,
    `http://127.0.0.1:${port}/a.ts`,
    `concat:${film}|${text}`,
    `subfile,,start,0,end,0,,:${film}`,
  ]
  const shapes: [string, (place: string) => Buffer][] = [
    ['hls.m3u8', (place) => lines('#EXTM3U', '#EXT-X-TARGETDURATION:2', '#EXTINF:2,', place, '#EXT-X-ENDLIST')],
    ['hls-master.mp4', (place) => lines('#EXTM3U', '#EXT-X-STREAM-INF:BANDWIDTH=1', place)],
    ['hls-map.mp4', (place) => lines('#EXTM3U', `#EXT-X-MAP:URI="${place}"`, '#EXTINF:1,', place, '#EXT-X-ENDLIST')],
    ['hls-key.ts', (place) => lines('#EXTM3U', `#EXT-X-KEY:METHOD=AES-128,URI="${place}"`, '#EXTINF:1,', place)],
    ['concat.mp4', (place) => lines('ffconcat version 1.0', `file '${place}'`)],
    ['concat-option.mkv', (place) => lines('ffconcat version 1.0', `file '${place}'`, 'option safe 0', 'duration 1')],
    [
      'dash.mpd',
      (place) =>
        lines(
          '<?xml version="1.0"?>',
          `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><AdaptationSet><Representation><BaseURL>${place}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
        ),
    ],
    [
      'picture.svg',
      (place) =>
        lines(
          '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">',
          `<image xlink:href="${place}"/></svg>`,
        ),
    ],
  ]
  const made = shapes.flatMap(([name, write]) =>
    places.map((place, at) => ({ name: `${at}-${name}`, bytes: write(place), unread: true })),
  )
  const others = [
    ['session.sdp', lines('v=0', 's=x', `c=IN IP4 127.0.0.1`, `m=video ${port} RTP/AVP 96`, 'a=rtpmap:96 H264/90000')],
    ['film.asx', lines('<asx version="3.0"><entry>', `<ref href="http://127.0.0.1:${port}/x"/></entry></asx>`)],
    ['film.ram', lines(`rtsp://127.0.0.1:${port}/x`)],
    ['graph.avi', lines(`movie=${film}`)],
    ['meta.mp4', lines(';FFMETADATA1', `file=${film}`)],
    ['script.avs', lines(`FFmpegSource2("${film}")`)],
    ['bom.mp4', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), lines('ffconcat version 1.0', `file ${filmBeside}`)])],
    ['wide.mp4', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`#EXTM3U\n${film}\n`, 'utf16le')])],
    ['subtitle.idx', lines('# VobSub index file, v7', `id: en, index: 0`, film)],
    [
      'page.pdf',
      lines('%PDF-1.4', `1 0 obj<</Type/Catalog/OpenAction<</S/URI/URI(http://127.0.0.1:${port}/)>>>>endobj`),
    ],
  ] as const
  return [...made, ...others.map(([name, bytes]) => ({ name, bytes, unread: true }))]
}

/** Files that begin as one thing and go on as another. */
export function polyglots(bait: Bait): Hostile[] {
  const tails = [
    lines('', '#EXTM3U', '#EXTINF:1,', bait.film, '#EXT-X-ENDLIST'),
    lines('', 'ffconcat version 1.0', `file '${bait.film}'`),
  ]
  const heads: [string, Buffer][] = [
    ['ftyp.mp4', Buffer.from('\0\0\0\x14ftypisom\0\0\0\0isom', 'latin1')],
    ['mdat.mov', Buffer.from('\0\0\x01\0mdat', 'latin1')],
    ['jpeg.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0x00, 0x80])],
    ['png.png', png(16, 16, Buffer.alloc(16 * 65, 200))],
    ['riff.avi', Buffer.from('RIFF\0\x10\0\0AVI LIST\x10\0\0\0hdrl', 'latin1')],
    ['wave.wav', Buffer.from('RIFF\0\x10\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0', 'latin1')],
    ['webm.webm', Buffer.from('1a45dfa38842828477656266', 'hex')],
    [
      'mkv.mkv',
      Buffer.concat([Buffer.from('1a45dfa38b4282886d6174726f736b61', 'hex'), Buffer.from('18538067ffffffff', 'hex')]),
    ],
    ['flv.flv', Buffer.from('FLV\x01\x05\0\0\0\x09\0\0\0\0', 'latin1')],
    ['ogg.ogv', Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x1e', 'latin1')],
    ['id3.mp3', Buffer.from('ID3\x04\0\0\0\0\0\x0a', 'latin1')],
    [
      'packets.ts',
      Buffer.concat(
        Array.from({ length: 6 }, () =>
          Buffer.concat([Buffer.from([0x47, 0x40, 0x00, 0x10]), Buffer.alloc(184, 0xff)]),
        ),
      ),
    ],
  ]
  return heads.flatMap(([name, head]) =>
    tails.map((tail, at) => ({ name: `${at}-${name}`, bytes: Buffer.concat([head, tail]) })),
  )
}

function png(width: number, height: number, raw: Buffer): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const out = Buffer.alloc(8 + body.length)
    out.writeUInt32BE(data.length)
    body.copy(out, 4)
    out.writeUInt32BE(crc32(body), 4 + body.length)
    return out
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** Small files that ask for much, and sizes that no machine has. */
export function bombs(film: Buffer): Hostile[] {
  const jpegHead = Buffer.from('ffd8ffc00011080000000003012200021101031101', 'hex')
  jpegHead.writeUInt16BE(65_500, 7)
  jpegHead.writeUInt16BE(65_500, 9)
  const tiff = Buffer.from('49492a0008000000020000010400010000000000040001010400010000000000040000000000', 'hex')
  const vp8x = Buffer.concat([Buffer.from('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0', 'latin1'), Buffer.alloc(6, 0xff)])
  let nested = box('free')
  for (let depth = 0; depth < 3000; depth += 1) nested = box('moov', nested)
  const full = (numbers: number[]) => {
    const out = Buffer.alloc(numbers.length * 4)
    numbers.forEach((number, at) => out.writeUInt32BE(number >>> 0, at * 4))
    return out
  }
  return [
    { name: 'wide.png', bytes: png(30_000, 30_000, Buffer.alloc(1000)) },
    { name: 'flat.png', bytes: png(20_000, 20_000, Buffer.alloc(20_000_000)) },
    { name: 'limit.png', bytes: png(8192, 8192, Buffer.alloc(8192 * 64)) },
    { name: 'lying.jpg', bytes: jpegHead },
    { name: 'lying.tif', bytes: tiff },
    { name: 'lying.webp', bytes: vp8x },
    { name: 'nested.mp4', bytes: Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1')), nested]) },
    { name: 'sizes.mp4', bytes: swapped(film, 'stsz', full([0, 1, 0x7fff_ffff])) },
    { name: 'times.mp4', bytes: swapped(film, 'stts', full([0, 1, 0xffff_ffff, 0xffff_ffff])) },
    { name: 'chunks.mp4', bytes: swapped(film, 'stsc', full([0, 0x0fff_ffff, 1, 0xffff_ffff, 1])) },
    { name: 'huge.mp4', bytes: resized(film, 65_535) },
    {
      name: 'endless.mp4',
      bytes: Buffer.concat([
        box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1')),
        Buffer.from('000000016d6f6f760fffffffffffffff', 'hex'),
      ]),
    },
  ]
}

/** Writes `content` over the beginning of a box's body. */
function swapped(film: Buffer, type: string, content: Buffer): Buffer {
  const bytes = Buffer.from(film)
  const at = bytes.indexOf(type)
  content.copy(bytes, at + 4)
  return bytes
}

function resized(film: Buffer, side: number): Buffer {
  const bytes = Buffer.from(film)
  const at = bytes.indexOf('avc1', bytes.indexOf('stsd'))
  bytes.writeUInt16BE(side, at + 28)
  bytes.writeUInt16BE(side, at + 30)
  return bytes
}

/** MOV files (index last) whose pictures lie, they say, in another file. */
export function references(film: Buffer, { film: target, filmBeside, text, port }: Bait): Hostile[] {
  const alias = (path: string): Buffer => {
    const name = Buffer.alloc(64)
    const base = path.slice(path.lastIndexOf('/') + 1)
    name[0] = Math.min(63, base.length)
    name.write(base, 1, 'latin1')
    const tag = (type: number, value: string) => {
      const head = Buffer.alloc(4)
      head.writeUInt16BE(type)
      head.writeUInt16BE(value.length, 2)
      return Buffer.concat([head, Buffer.from(value.length % 2 ? `${value}\0` : value, 'latin1')])
    }
    return Buffer.concat([
      Buffer.alloc(4),
      Buffer.alloc(10),
      Buffer.alloc(28),
      Buffer.alloc(12),
      name,
      Buffer.alloc(16),
      Buffer.from([0, 1, 0, 1]),
      Buffer.alloc(16),
      tag(2, path),
      tag(18, path),
      Buffer.from([255, 255, 0, 0]),
    ])
  }
  const url = (address: string) => Buffer.concat([Buffer.alloc(4), Buffer.from(`${address}\0`)])
  const entries: [string, Buffer][] = [
    ['alias.mov', box('alis', alias(target))],
    ['alias-beside.mov', box('alis', alias(filmBeside))],
    ['alias-text.mov', box('alis', alias(text))],
    ['url.mov', box('url ', url(`file://${target}`))],
    ['url-net.mov', box('url ', url(`http://127.0.0.1:${port}/x.mov`))],
    ['resource.mov', box('rsrc', alias(target))],
  ]
  return entries.map(([name, entry]) => ({ name, bytes: withReference(film, entry) }))
}

/** Puts another entry into every `dref`, mending the sizes of the boxes around it. */
function withReference(film: Buffer, entry: Buffer): Buffer {
  const rebuild = (bytes: Buffer): Buffer => {
    const parts: Buffer[] = []
    for (let at = 0; at + 8 <= bytes.length; ) {
      const size = Math.max(8, bytes.readUInt32BE(at))
      const type = bytes.toString('latin1', at + 4, at + 8)
      const body = bytes.subarray(at + 8, at + size)
      if (['moov', 'trak', 'mdia', 'minf', 'dinf'].includes(type)) parts.push(box(type, rebuild(body)))
      else if (type === 'dref') parts.push(box('dref', Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), entry))
      else parts.push(bytes.subarray(at, at + size))
      at += size
    }
    return Buffer.concat(parts)
  }
  return rebuild(film)
}

/** Deterministic flips: `count` bytes of `bytes` changed, at places and to values drawn from `seed`. */
export function mutant(bytes: Buffer, seed: number, count: number): Buffer {
  const out = Buffer.from(bytes)
  let state = (seed * 2_654_435_761 + 12_345) >>> 0
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  for (let n = 0; n < count; n += 1) {
    // Half of the flips hit the head, where the structures are.
    const at = Math.floor(next() * (n % 2 ? out.length : Math.min(2048, out.length)))
    out[at] = Math.floor(next() * 256)
  }
  return out
}
