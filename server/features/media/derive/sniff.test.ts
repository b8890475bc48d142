import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEMUXERS, sniff } from './sniff.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const ts = (packet: number, first: number, count = 6) => {
  const bytes = Buffer.alloc(packet * count)
  for (let n = 0; n < count; n += 1) bytes.set([0x47, 0x40, 0x11, 0x10], first + n * packet)
  return bytes
}
const adts = Buffer.concat(Array.from({ length: 3 }, () => Buffer.concat([hex('fff15080017ffc'), Buffer.alloc(4)])))
const mp3 = Buffer.concat(Array.from({ length: 3 }, () => Buffer.concat([hex('fffb9064'), Buffer.alloc(413)])))

const CASES: readonly [title: string, bytes: Buffer, mimeType: string, demuxer: string | null][] = [
  ['JPEG', hex('ffd8ffe0'), 'image/jpeg', 'jpeg_pipe'],
  ['PNG', hex('89504e470d0a1a0a'), 'image/png', 'png_pipe'],
  ['TIFF, little endian', hex('49492a00'), 'image/tiff', 'tiff_pipe'],
  ['TIFF, big endian', hex('4d4d002a'), 'image/tiff', 'tiff_pipe'],
  ['WebP', latin('RIFF\0\0\0\0WEBPVP8 '), 'image/webp', 'webp_pipe'],
  ['GIF', latin('GIF89a'), 'image/gif', 'gif_pipe'],
  [
    'BMP',
    Buffer.concat([latin('BM'), hex('36240000 00000000 36000000 28000000'), Buffer.alloc(20)]),
    'image/bmp',
    'bmp_pipe',
  ],
  ['JPEG XL, bare', hex('ff0a fa1f'), 'image/jxl', null],
  ['JPEG XL, in boxes', hex('0000000c 4a584c20 0d0a870a'), 'image/jxl', null],
  ['icon', hex('00000100 0100 2020 0000 0100 2000 a8100000 16000000'), 'image/x-icon', null],
  ['AVI', latin('RIFF\0\0\0\0AVI LIST'), 'video/x-msvideo', 'avi'],
  ['WAV', latin('RIFF\0\0\0\0WAVEfmt '), 'audio/wav', 'wav'],
  ['MP4', latin('\0\0\0\x18ftypisom\0\0\0\0isom'), 'video/mp4', 'mov'],
  ['MOV', latin('\0\0\0\x14ftypqt  \0\0\0\0'), 'video/quicktime', 'mov'],
  ['MOV without ftyp', latin('\0\0\0\x08wide\0\0\0\0mdat'), 'video/quicktime', 'mov'],
  ['M4A', latin('\0\0\0\x14ftypM4A \0\0\0\0'), 'audio/mp4', 'mov'],
  ['3GP', latin('\0\0\0\x14ftyp3gp4\0\0\0\0'), 'video/3gpp', 'mov'],
  ['HEIC goes to libheif', latin('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), 'image/heic', null],
  ['AVIF by a later brand', latin('\0\0\0\x1cftypmif1\0\0\0\0mif1avif'), 'image/avif', null],
  [
    'WebM',
    hex('1a45dfa3 9f 4286810142f78101 42f28104 42f38108 42828477656 26d'.replaceAll(' ', '')),
    'video/webm',
    'matroska',
  ],
  ['Matroska', hex('1a45dfa38b4282886d6174726f736b61'), 'video/x-matroska', 'matroska'],
  ['EBML of another kind', hex('1a45dfa38b42828461626364'), 'application/octet-stream', null],
  ['TS', ts(188, 0), 'video/mp2t', 'mpegts'],
  ['M2TS', ts(192, 4), 'video/mp2t', 'mpegts'],
  ['program stream', hex('000001ba44000400'), 'video/mpeg', 'mpeg'],
  ['WMV', hex('3026b2758e66cf11a6d900aa0062ce6c'), 'video/x-ms-wmv', 'asf'],
  ['FLV', hex('464c560105000000'), 'video/x-flv', 'flv'],
  ['FLAC', latin('fLaC'), 'audio/flac', 'flac'],
  ['Ogg', latin(`OggS${'\0'.repeat(24)}\x01OpusHead`), 'audio/ogg', 'ogg'],
  ['AAC', adts, 'audio/aac', 'aac'],
  ['MP3', mp3, 'audio/mpeg', 'mp3'],
  ['H.264', hex('000000016764000a'), 'video/h264', 'h264'],
  ['H.264 behind SEI', hex('0000000106 0501ff80 00000001 6764000a'), 'video/h264', 'h264'],
  ['H.264 behind a delimiter and SEI', hex('0000000109f0 00000106 0501ff80 00000001 6764000a'), 'video/h264', 'h264'],
  ['SEI and then no parameters', hex('0000000106 0501ff80 00000001 6588840a'), 'application/octet-stream', null],
  ['HEVC behind SEI', hex('000000014e01 0501ff80 00000001 40010c01'), 'video/h265', 'hevc'],
  ['DV of 50 fields', Buffer.concat([hex('1f0700bf f8'), Buffer.alloc(75), hex('3f07008f')]), 'video/dv', 'dv'],
  ['DV of 60 fields', Buffer.concat([hex('1f07003f f9'), Buffer.alloc(75), hex('3f07000f')]), 'video/dv', 'dv'],
  ['a DV header alone', hex('1f0700bff8787878'), 'application/octet-stream', null],
  ['HEVC', hex('0000000140010c01'), 'video/h265', 'hevc'],
  ['PDF', latin('%PDF-1.7\n'), 'application/pdf', null],
  ['ZIP', hex('504b0304'), 'application/zip', null],
  ['empty', Buffer.alloc(0), 'application/octet-stream', null],
  ['zeros', Buffer.alloc(4096), 'application/octet-stream', null],
  ['playlist', latin('#EXTM3U\n#EXTINF:1,\n/etc/passwd\n'), 'text/plain', null],
  ['playlist behind white space', latin('\n\n  #EXTM3U\n'), 'text/plain', null],
  ['concat script', latin('ffconcat version 1.0\nfile x\n'), 'text/plain', null],
  ['concat script behind a mark', Buffer.from('\ufeffffconcat version 1.0\n'), 'text/plain', null],
  ['SVG', latin('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'text/plain', null],
  ['HTML', latin('<!doctype html><script>alert(1)</script>'), 'text/plain', null],
  ['DASH', latin('<?xml version="1.0"?><MPD/>'), 'text/plain', null],
  ['SDP', latin('v=0\r\nm=video 1 RTP/AVP 96\r\n'), 'text/plain', null],
  ['text that says moov', latin('the moov atom'), 'text/plain', null],
  ['a text of Gs', latin('G'.repeat(2000)), 'text/plain', null],
  ['text cut in a letter', Buffer.from('Zeuge: Müller ü').subarray(0, -1), 'text/plain', null],
]

describe('sniff: by content, one demuxer or none', () => {
  test.each(CASES)('%s', (_, bytes, mimeType, demuxer) => {
    const found = sniff(bytes)
    expect([found.mimeType, found.demuxer]).toEqual([mimeType, demuxer])
  })

  test('S9: any bytes are answered, only with demuxers of the list, and never for text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        const { demuxer, family } = sniff(bytes)
        expect(demuxer === null || (DEMUXERS as readonly string[]).includes(demuxer)).toBe(true)
        if (family === 'text' || family === 'unknown' || family === 'pdf') expect(demuxer).toBeNull()
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2000 }), (text) => {
        const printable = text.replace(/[\u0000-\u001f]/g, '\n')
        expect(sniff(Buffer.from(`#${printable}`)).demuxer).toBeNull()
      }),
    )
  })
})
