import { open, readFile, truncate, writeFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { command, ffmpeg } from './tools.ts'

/** One made file and what should come of it. */
export interface Sample {
  readonly file: string
  readonly title: string
  readonly make: (dir: string) => Promise<unknown>
  readonly expect: Expected
}

export interface Expected {
  readonly mimeType: string
  readonly work: readonly string[]
  /** How the playable copy comes: null where there is none. */
  readonly playable?: 'identity' | 'copy' | 'transcode'
  /** The playable copy's rotation and the thumbnail's size. */
  readonly rotation?: number
  readonly thumbnail?: readonly [number, number]
  readonly message?: RegExp
  /** Where they are fewer than anybody steps through. */
  readonly pictures?: number
  /** Whether a sound recording is played as it is. */
  readonly heard?: 'itself' | 'converted'
}

const PICTURE = ['-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=15:duration=1.2']
const SOUND = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100:duration=1.2']
const X264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '10']
const AAC = ['-c:a', 'aac', '-b:a', '64k']
const made =
  (...args: string[]) =>
  (file: string) =>
  (dir: string) =>
    ffmpeg(dir, ...args, file)

const silent = (...args: string[]) => made(...PICTURE, ...args)
const sounding = (...args: string[]) => made(...PICTURE, ...SOUND, '-shortest', ...args)

/** Writes a quarter turn into the track header of an MP4 or MOV, as a camera held upright does. */
async function turn(path: string): Promise<void> {
  const bytes = await readFile(path)
  const at = bytes.indexOf('tkhd')
  const matrix = at + 4 + (bytes[at + 4] === 1 ? 52 : 40)
  const values = [0, 0x10000, 0, -0x10000, 0, 0, 120 << 16, 0, 0x40000000]
  values.forEach((value, index) => bytes.writeInt32BE(value, matrix + index * 4))
  await writeFile(path, bytes)
}

const cut = async (path: string, part: number) => truncate(path, Math.floor((await stat(path)).size * part))

const recording = (
  file: string,
  title: string,
  mimeType: string,
  playable: 'identity' | 'copy' | 'transcode',
  make: (file: string) => (dir: string) => Promise<unknown>,
  more: Partial<Expected> = {},
): Sample => ({
  file,
  title,
  make: make(file),
  expect: { mimeType, work: ['playable', 'poster'], playable, thumbnail: [160, 120], ...more },
})

const then =
  (first: (file: string) => (dir: string) => Promise<unknown>, after: (path: string) => Promise<unknown>) =>
  (file: string) =>
  async (dir: string) => {
    await first(file)(dir)
    await after(join(dir, file))
  }

const MP4 = 'video/mp4'
const MOV = 'video/quicktime'
const MKV = 'video/x-matroska'
const WEBM = 'video/webm'
const TS = 'video/mp2t'
const AVI = 'video/x-msvideo'
const AV1 = [
  '-c:v',
  'libaom-av1',
  '-cpu-used',
  '8',
  '-usage',
  'realtime',
  '-crf',
  '45',
  '-b:v',
  '0',
  '-pix_fmt',
  'yuv420p',
]
const HEVC = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error']
const VP9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-pix_fmt', 'yuv420p']
const FAST = ['-movflags', '+faststart']
/** Uneven times: every third picture missing, then a long pause. */
const UNEVEN = ['-vf', "select='mod(n,3)',setpts='PTS+if(gt(N,6),0.4/TB,0)'", '-fps_mode', 'passthrough']

export const RECORDINGS: readonly Sample[] = [
  recording('h264-aac.mp4', 'H.264 and AAC, index first', MP4, 'identity', sounding(...X264, ...AAC, ...FAST)),
  recording('h264-last.mp4', 'H.264 and AAC, index last', MP4, 'copy', sounding(...X264, ...AAC)),
  recording('h264-mute.mp4', 'H.264, no audio, index last', MP4, 'copy', silent(...X264)),
  recording(
    'h264-frag.mp4',
    'H.264, fragmented',
    MP4,
    'copy',
    sounding(...X264, ...AAC, '-movflags', '+frag_keyframe+empty_moov'),
  ),
  recording('h264-pcm.mov', 'H.264 and PCM', MOV, 'copy', sounding(...X264, '-c:a', 'pcm_s16le')),
  recording('h264-mp3.mkv', 'H.264 and MP3', MKV, 'copy', sounding(...X264, '-c:a', 'libmp3lame')),
  recording('h264-aac.ts', 'H.264 and AAC', TS, 'copy', sounding(...X264, ...AAC)),
  recording(
    'h264-192.m2ts',
    'H.264, packets of 192 bytes',
    TS,
    'copy',
    silent(...X264, '-mpegts_m2ts_mode', '1', '-f', 'mpegts'),
  ),
  recording('h264-b.avi', 'H.264 with B-frames', AVI, 'transcode', silent(...X264, '-bf', '2')),
  recording('h264.flv', 'H.264 and AAC', 'video/x-flv', 'copy', sounding(...X264, ...AAC)),
  recording('raw.h264', 'H.264, bare stream', 'video/h264', 'transcode', silent(...X264, '-bf', '2', '-f', 'h264')),
  recording('sei.h264', 'H.264, bare stream that begins with SEI', 'video/h264', 'transcode', (file) => async (dir) => {
    await ffmpeg(dir, ...PICTURE, ...X264, '-bf', '2', 'sei-source.mp4')
    await ffmpeg(dir, '-i', 'sei-source.mp4', '-c', 'copy', file)
  }),
  recording(
    'pal.dv',
    'DV',
    'video/dv',
    'transcode',
    made('-f', 'lavfi', '-i', 'testsrc=size=720x576:rate=25:duration=1', ...SOUND, '-shortest', '-target', 'pal-dv'),
    // Four by three.
    { thumbnail: [480, 360] },
  ),
  recording('hevc.mp4', 'HEVC and AAC', MP4, 'transcode', sounding(...HEVC, '-pix_fmt', 'yuv420p', ...AAC, ...FAST)),
  recording('hevc-10.mkv', 'HEVC, 10-bit', MKV, 'transcode', silent(...HEVC, '-pix_fmt', 'yuv420p10le')),
  recording('hevc.ts', 'HEVC', TS, 'transcode', silent(...HEVC, '-pix_fmt', 'yuv420p')),
  recording('av1.mp4', 'AV1, index first', MP4, 'identity', silent(...AV1, ...FAST)),
  recording('av1-opus.webm', 'AV1 and Opus', WEBM, 'copy', sounding(...AV1, '-c:a', 'libopus')),
  recording('av1.mkv', 'AV1', MKV, 'copy', silent(...AV1)),
  recording(
    'mpeg4-mp3.avi',
    'MPEG-4 and MP3',
    AVI,
    'transcode',
    sounding('-c:v', 'mpeg4', '-q:v', '5', '-c:a', 'libmp3lame'),
  ),
  recording('mpeg4.mp4', 'MPEG-4 and AAC', MP4, 'transcode', sounding('-c:v', 'mpeg4', '-q:v', '5', ...AAC)),
  recording(
    'mjpeg-pcm.avi',
    'MJPEG and PCM',
    AVI,
    'transcode',
    sounding('-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_s16le'),
  ),
  recording('mjpeg.mov', 'MJPEG 4:2:2', MOV, 'transcode', silent('-c:v', 'mjpeg', '-pix_fmt', 'yuvj422p')),
  recording('vp9-opus.webm', 'VP9 and Opus', WEBM, 'transcode', sounding(...VP9, '-c:a', 'libopus')),
  recording('vp9.mp4', 'VP9', MP4, 'transcode', silent(...VP9)),
  recording(
    'mpeg2-mp2.mpg',
    'MPEG-2 program stream',
    'video/mpeg',
    'transcode',
    made(
      '-f',
      'lavfi',
      '-i',
      'testsrc=size=160x120:rate=25:duration=1.2',
      ...SOUND,
      '-shortest',
      '-c:v',
      'mpeg2video',
      '-c:a',
      'mp2',
      '-f',
      'vob',
    ),
  ),
  recording('wmv2.wmv', 'WMV and WMA', 'video/x-ms-wmv', 'transcode', sounding('-c:v', 'wmv2', '-c:a', 'wmav2')),
  recording(
    'first-picture.wmv',
    'WMV of one picture, MSMPEG4v3',
    'video/x-ms-wmv',
    'transcode',
    silent('-frames:v', '1', '-c:v', 'msmpeg4', '-f', 'asf'),
    { pictures: 1 },
  ),
  recording('theora.ogv', 'Theora', 'video/ogg', 'transcode', silent('-c:v', 'libtheora')),
  recording('turned.mp4', 'H.264, turned by a quarter', MP4, 'identity', then(silent(...X264, ...FAST), turn), {
    rotation: -90,
    thumbnail: [120, 160],
  }),
  recording('turned-copy.mov', 'H.264 in MOV, turned', MOV, 'copy', then(silent(...X264), turn), {
    rotation: -90,
    thumbnail: [120, 160],
  }),
  recording(
    'turned-hevc.mov',
    'HEVC, turned by a quarter',
    MOV,
    'transcode',
    then(silent(...HEVC, '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1'), turn),
    { rotation: -90, thumbnail: [120, 160] },
  ),
  recording(
    'odd.avi',
    'MJPEG, 161 × 121',
    AVI,
    'transcode',
    made('-f', 'lavfi', '-i', 'testsrc=size=161x121:rate=10:duration=1', '-c:v', 'mjpeg', '-pix_fmt', 'yuvj444p'),
    { thumbnail: [161, 121] },
  ),
  recording(
    'h264-10.mp4',
    'H.264, 10-bit',
    MP4,
    'transcode',
    silent('-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p10le', ...FAST),
  ),
  recording(
    'h264-444.mp4',
    'H.264, 4:4:4',
    MP4,
    'transcode',
    silent('-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv444p', ...FAST),
  ),
  recording(
    'vfr.mkv',
    'MPEG-4, variable frame rate',
    MKV,
    'transcode',
    silent(...UNEVEN, '-c:v', 'mpeg4', '-q:v', '5'),
  ),
  recording('vfr.mp4', 'H.264, variable frame rate', MP4, 'copy', silent(...UNEVEN, ...X264)),
  recording('vfr.webm', 'VP9, variable frame rate', WEBM, 'transcode', silent(...UNEVEN, ...VP9)),
  recording(
    'cut.ts',
    'H.264 and AAC, cut off',
    TS,
    'copy',
    then(sounding(...X264, ...AAC), (path) => cut(path, 0.6)),
  ),
  recording(
    'cut.mkv',
    'MPEG-4, cut off',
    MKV,
    'transcode',
    then(silent('-c:v', 'mpeg4', '-q:v', '3'), (path) => cut(path, 0.6)),
  ),
  recording(
    'cut-first.mp4',
    'H.264, index first, cut off',
    MP4,
    'copy',
    then(silent(...X264, ...FAST), (path) => cut(path, 0.7)),
  ),
  {
    file: 'cut-last.mp4',
    title: 'H.264, index last, cut off: no index left',
    make: then(silent(...X264), (path) => cut(path, 0.7))('cut-last.mp4'),
    expect: { mimeType: MP4, work: [], message: /No program here could read this file/ },
  },
]

const audio = (file: string, mimeType: string, heard: 'itself' | 'converted', ...args: string[]): Sample => ({
  file,
  title: 'sound alone',
  make: made(...SOUND, ...args)(file),
  expect: { mimeType, work: ['audio'], heard },
})

const PHOTO = ['-size', '640x480', 'plasma:fractal']
const photo = (
  file: string,
  title: string,
  mimeType: string,
  make: (dir: string) => Promise<unknown>,
  more: Partial<Expected> = {},
): Sample => ({
  file,
  title,
  make,
  expect: { mimeType, work: ['exif', 'preview', 'thumbnail'], thumbnail: [480, 360], ...more },
})
const drawn = (dir: string, file: string, ...args: string[]) => command('convert-im6', [...PHOTO, ...args, file], dir)
const tagged = (dir: string, file: string, ...tags: string[]) =>
  command('exiftool', ['-q', '-overwrite_original', '-n', ...tags, file], dir)
const CAMERA = [
  '-GPSLatitude=48.2082',
  '-GPSLatitudeRef=N',
  '-GPSLongitude=-16.3738',
  '-GPSLongitudeRef=W',
  '-DateTimeOriginal=2026:11:20 10:11:12',
  '-OffsetTimeOriginal=+01:00',
  '-SubSecTimeOriginal=25',
  '-Make=Sallyport',
]

export const PICTURES: readonly Sample[] = [
  photo(
    'gps.jpg',
    'JPEG with GPS, time and zone, turned',
    'image/jpeg',
    async (dir) => {
      await drawn(dir, 'gps.jpg')
      await tagged(dir, 'gps.jpg', ...CAMERA, '-Orientation=6')
    },
    { thumbnail: [360, 480] },
  ),
  photo('bare.jpg', 'JPEG without metadata', 'image/jpeg', async (dir) => {
    await drawn(dir, 'bare.jpg', '-strip')
  }),
  photo('large.jpg', 'JPEG of 12 megapixels', 'image/jpeg', (dir) =>
    command('convert-im6', ['-size', '4000x3000', 'gradient:red-blue', '-strip', 'large.jpg'], dir),
  ),
  photo('broken-exif.jpg', 'JPEG with broken Exif', 'image/jpeg', async (dir) => {
    await drawn(dir, 'broken-exif.jpg')
    await tagged(dir, 'broken-exif.jpg', ...CAMERA)
    const bytes = await readFile(join(dir, 'broken-exif.jpg'))
    // The offset of the first directory, and what follows it, point nowhere.
    bytes.fill(0xee, bytes.indexOf('Exif') + 10, bytes.indexOf('Exif') + 40)
    await writeFile(join(dir, 'broken-exif.jpg'), bytes)
  }),
  photo(
    'small.png',
    'PNG, transparent, smaller than a thumbnail',
    'image/png',
    (dir) =>
      command(
        'convert-im6',
        ['-size', '99x33', 'xc:none', '-fill', 'red', '-draw', 'rectangle 0,0 49,32', 'PNG32:small.png'],
        dir,
      ),
    { thumbnail: [99, 33] },
  ),
  photo('deep.tif', 'TIFF, 16-bit, LZW', 'image/tiff', (dir) =>
    drawn(dir, 'deep.tif', '-depth', '16', '-compress', 'LZW'),
  ),
  photo(
    'turned.tif',
    'TIFF, turned',
    'image/tiff',
    async (dir) => {
      await drawn(dir, 'turned.tif')
      await tagged(dir, 'turned.tif', '-Orientation=8')
    },
    { thumbnail: [360, 480] },
  ),
  photo('lossy.webp', 'WebP', 'image/webp', async (dir) => {
    await drawn(dir, 'lossy.png')
    await ffmpeg(dir, '-i', 'lossy.png', '-c:v', 'libwebp', 'lossy.webp')
  }),
  photo('lossless.webp', 'WebP, lossless', 'image/webp', async (dir) => {
    await drawn(dir, 'lossless.png')
    await ffmpeg(dir, '-i', 'lossless.png', '-c:v', 'libwebp', '-lossless', '1', 'lossless.webp')
  }),
  photo('photo.heic', 'HEIC', 'image/heic', async (dir) => {
    await drawn(dir, 'heic-source.jpg')
    await tagged(dir, 'heic-source.jpg', ...CAMERA)
    await command('heif-enc', ['-q', '60', '-o', 'photo.heic', 'heic-source.jpg'], dir)
  }),
  photo(
    'moving.gif',
    'GIF that moves',
    'image/gif',
    (dir) => ffmpeg(dir, '-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=5:duration=1', 'moving.gif'),
    { work: ['preview', 'thumbnail'], thumbnail: [160, 120] },
  ),
  photo('still.bmp', 'BMP', 'image/bmp', (dir) => drawn(dir, 'still.bmp'), { work: ['preview', 'thumbnail'] }),
  photo('os2.bmp', 'BMP of OS/2, without a palette', 'image/bmp', (dir) => drawn(dir, 'BMP2:os2.bmp'), {
    work: ['preview', 'thumbnail'],
  }),
  photo('damaged.jpg', 'JPEG, cut off in the middle', 'image/jpeg', async (dir) => {
    await drawn(dir, 'damaged.jpg')
    await cut(join(dir, 'damaged.jpg'), 0.5)
  }),
]

const plain = (
  file: string,
  title: string,
  mimeType: string,
  make: (dir: string) => Promise<unknown>,
  message?: RegExp,
): Sample => ({
  file,
  title,
  make,
  expect: { mimeType, work: [], ...(message ? { message } : {}) },
})

export const OTHERS: readonly Sample[] = [
  audio('tone.wav', 'audio/wav', 'itself'),
  audio('adpcm.wav', 'audio/wav', 'converted', '-c:a', 'adpcm_ima_wav'),
  audio('tone.mp3', 'audio/mpeg', 'itself', '-c:a', 'libmp3lame'),
  audio('tone.m4a', 'audio/mp4', 'itself', '-c:a', 'aac', ...FAST),
  audio('last.m4a', 'audio/mp4', 'converted', '-c:a', 'aac'),
  audio('tone.aac', 'audio/aac', 'converted', '-c:a', 'aac'),
  audio('tone.flac', 'audio/flac', 'converted'),
  audio('tone.ogg', 'audio/ogg', 'converted', '-c:a', 'libopus'),
  audio('tone.wma', 'audio/x-ms-wma', 'converted', '-c:a', 'wmav2'),
  audio('tone.webm', 'audio/webm', 'converted', '-c:a', 'libopus'),
  // The list of demuxers that may be used has none for these two.
  plain(
    'tone.aiff',
    'sound that ffmpeg may not be given',
    'audio/aiff',
    (dir) => writeFile(join(dir, 'tone.aiff'), Buffer.concat([Buffer.from('FORM\0\0\0\x04AIFF'), Buffer.alloc(64)])),
    /makes no preview of this kind/,
  ),
  plain(
    'tone.amr',
    'a telephone’s sound, likewise',
    'audio/amr',
    (dir) => writeFile(join(dir, 'tone.amr'), Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(64)])),
    /makes no preview of this kind/,
  ),
  plain('icon.ico', 'icon', 'image/x-icon', (dir) => drawn(dir, 'icon.ico', '-resize', '32x32!'), /makes no preview/),
  plain(
    'naked.jxl',
    'JPEG XL',
    'image/jxl',
    (dir) => writeFile(join(dir, 'naked.jxl'), Buffer.concat([Buffer.from('ff0afa1f', 'hex'), Buffer.alloc(64, 0x41)])),
    /makes no preview/,
  ),
  plain('paper.pdf', 'PDF', 'application/pdf', (dir) =>
    writeFile(join(dir, 'paper.pdf'), '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
  ),
  plain('empty.mp4', 'empty file', 'application/octet-stream', (dir) => writeFile(join(dir, 'empty.mp4'), ''), /empty/),
  plain('notes.txt', 'text', 'text/plain', (dir) =>
    writeFile(join(dir, 'notes.txt'), 'Zeuge meldet sich um 14 Uhr – Übergabe.\n'),
  ),
  plain('picture.svg', 'SVG', 'text/plain', (dir) =>
    writeFile(join(dir, 'picture.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  ),
  plain('behind-junk.mpg', 'MPEG-2 program stream behind junk', 'application/octet-stream', async (dir) => {
    await ffmpeg(dir, ...PICTURE, '-r', '25', '-c:v', 'mpeg2video', '-f', 'vob', 'before-junk.mpg')
    const junk = Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7919 + (at >> 3) * 31 + 131) % 251))
    await writeFile(join(dir, 'behind-junk.mpg'), Buffer.concat([junk, await readFile(join(dir, 'before-junk.mpg'))]))
  }),
  plain('noise.mp4', 'random bytes named .mp4', 'application/octet-stream', async (dir) => {
    const handle = await open(join(dir, 'noise.mp4'), 'w')
    await handle.write(Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919 + (at >> 3) * 31 + 131) % 251)))
    await handle.close()
  }),
]
