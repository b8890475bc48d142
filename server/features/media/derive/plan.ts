import { TOOL_INPUT, TOOL_OUTPUT } from '../../../../shared/media/rules.ts'
import type { AudioStream, Probe, VideoStream } from '../../../platform/ffmpeg/probe.ts'
import type { Mp4Layout } from './mp4-layout.ts'
import type { Demuxer } from './sniff.ts'

/** Where conversions write. Machine paths never occur in arguments. */
export const OUTPUT = {
  playable: `${TOOL_OUTPUT}/playable.mp4`,
  audio: `${TOOL_OUTPUT}/audio.m4a`,
  thumbnail: `${TOOL_OUTPUT}/thumbnail.jpg`,
  preview: `${TOOL_OUTPUT}/preview.jpg`,
  heif: `${TOOL_OUTPUT}/picture.jpg`,
  crop: `${TOOL_OUTPUT}/crop.png`,
} as const

/** Longest side of a thumbnail or poster, and of a raster preview, in pixels. Nothing is enlarged. */
export const THUMBNAIL_SIDE = 480
export const PREVIEW_SIDE = 2560
/** No decoder is given a larger picture (docs/guarantees.md, S9). */
export const MOST_PIXELS = 67_108_864
const MOST_AUDIO_TRACKS = 8

/** What this machine's ffmpeg takes. */
export interface Encoding {
  /** Of ffmpeg's version; 5 when unknown. */
  readonly major: number
  readonly threads: number
}

export type Method = 'copy' | 'transcode'

export type PlayablePlan =
  | { readonly kind: 'identity'; readonly video: VideoStream }
  | { readonly kind: 'convert'; readonly method: Method; readonly args: readonly string[]; readonly video: VideoStream }
  | { readonly kind: 'none' }

/** Stands before every `-i`: one protocol, one demuxer, bounded pictures, no data outside the file. */
export function guards(demuxer: Demuxer): string[] {
  return [
    '-protocol_whitelist',
    'file',
    '-format_whitelist',
    demuxer,
    '-max_pixels',
    String(MOST_PIXELS),
    ...(demuxer === 'mov' ? ['-enable_drefs', '0', '-use_absolute_path', '0'] : []),
    '-f',
    demuxer,
  ]
}

export const probeArguments = (demuxer: Demuxer): string[] => [
  '-hide_banner',
  '-v',
  'error',
  ...guards(demuxer),
  '-print_format',
  'json',
  '-show_format',
  '-show_streams',
  '-i',
  TOOL_INPUT,
]

/** One line per packet of stream `index`. */
export const scanArguments = (demuxer: Demuxer, index: number): string[] => [
  '-hide_banner',
  '-v',
  'error',
  ...guards(demuxer),
  '-select_streams',
  String(index),
  '-show_entries',
  'packet=pts_time,dts_time,duration_time',
  '-of',
  'csv=p=0',
  '-i',
  TOOL_INPUT,
]

/** One line per picture that really decodes. */
export const decodeScanArguments = (demuxer: Demuxer, index: number): string[] => [
  '-hide_banner',
  '-v',
  'error',
  ...guards(demuxer),
  '-select_streams',
  String(index),
  '-show_entries',
  'frame=best_effort_timestamp_time,pkt_dts_time,pkt_duration_time',
  '-of',
  'csv=p=0',
  '-i',
  TOOL_INPUT,
]

const H264_PROFILES = new Set(['Constrained Baseline', 'Baseline', 'Main', 'High'])
const EIGHT_BIT_420 = new Set(['yuv420p', 'yuvj420p'])
const AV1_FORMATS = new Set(['yuv420p', 'yuv420p10le', 'gray', 'gray10le'])
const AAC_PROFILES = new Set(['LC', 'HE-AAC', 'HE-AACv2'])

/** Plays in every current browser as it is, inside MP4 (decisions 6). */
export function playsAsIs(video: VideoStream): boolean {
  if (video.codec === 'h264') return H264_PROFILES.has(video.profile) && EIGHT_BIT_420.has(video.pixelFormat)
  return video.codec === 'av1' && video.profile === 'Main' && AV1_FORMATS.has(video.pixelFormat)
}

export const soundsAsIs = (audio: AudioStream): boolean => audio.codec === 'aac' && AAC_PROFILES.has(audio.profile)

const audible = (probe: Probe): AudioStream[] =>
  probe.audio
    .filter(({ codec, channels }) => codec !== '' && codec !== 'none' && channels > 0)
    .slice(0, MOST_AUDIO_TRACKS)

/** The picture track that is played: the first with a size and a known codec. */
export const mainVideo = (probe: Probe): VideoStream | null =>
  probe.video.find(({ codec, width, height }) => width > 0 && height > 0 && codec !== '' && codec !== 'none') ?? null

/**
 * The file itself, where it truly is a browser-compatible MP4 already: boxes whole, index first, not fragmented, nothing in it that
 * a browser would have to skip. Whether its index tells the truth is for the caller to check by a scan.
 */
export function isPlayableItself(demuxer: Demuxer, probe: Probe, layout: Mp4Layout | null): boolean {
  const video = mainVideo(probe)
  if (demuxer !== 'mov' || !video || !layout) return false
  const tagged = video.tag === 'avc1' || video.tag === 'av01'
  const laidOut = layout.whole && layout.indexFirst && !layout.fragmented && layout.majorBrand !== 'qt  '
  const sounds = probe.audio.every((audio) => soundsAsIs(audio) && audio.tag === 'mp4a')
  return laidOut && tagged && playsAsIs(video) && sounds && probe.video.length === 1
}

/** How a playable MP4 comes from this file. `avoid` leaves out ways that were tried and whose output disagreed. */
export function planPlayable(
  demuxer: Demuxer,
  probe: Probe,
  layout: Mp4Layout | null,
  encoding: Encoding,
  avoid: ReadonlySet<'identity' | Method> = new Set(),
): PlayablePlan {
  const video = mainVideo(probe)
  if (!video) return { kind: 'none' }
  if (!avoid.has('identity') && isPlayableItself(demuxer, probe, layout)) return { kind: 'identity', video }
  // AVI and raw streams carry no presentation times: copied pictures that were stored out of order would be shown so.
  const timeless = demuxer === 'avi' || demuxer === 'h264' || demuxer === 'hevc'
  const copies = playsAsIs(video) && !(timeless && video.reorders) && !avoid.has('copy')
  if (!copies && avoid.has('transcode')) return { kind: 'none' }
  const method = copies ? 'copy' : 'transcode'
  return { kind: 'convert', method, video, args: conversion(demuxer, probe, video, method, encoding) }
}

/** The beginning of every conversion: guarded, quiet, telling how far it is. */
export const reading = (demuxer: Demuxer, threads: number, extra: readonly string[] = []): string[] => [
  '-hide_banner',
  '-nostdin',
  '-y',
  '-v',
  'error',
  '-nostats',
  '-progress',
  'pipe:1',
  '-threads',
  String(threads),
  ...guards(demuxer),
  ...extra,
  '-i',
  TOOL_INPUT,
]

function conversion(demuxer: Demuxer, probe: Probe, video: VideoStream, method: Method, encoding: Encoding): string[] {
  const sound = audible(probe)
  // A recording cut off in the middle of a packet: browsers stop at such a one, so the copy goes without it.
  const before = method === 'copy' ? ['-fflags', '+genpts+discardcorrupt'] : ['-noautorotate']
  return [
    ...reading(demuxer, encoding.threads, before),
    '-map',
    `0:${video.index}`,
    ...sound.flatMap(({ index }) => ['-map', `0:${index}`]),
    '-sn',
    '-dn',
    '-map_chapters',
    '-1',
    ...(method === 'copy' ? ['-c:v', 'copy'] : h264(video, encoding)),
    ...sound.flatMap((audio, at) => (soundsAsIs(audio) ? [`-c:a:${at}`, 'copy'] : aac(audio, at))),
    '-max_muxing_queue_size',
    '4096',
    '-fflags',
    '+bitexact',
    '-movflags',
    '+faststart',
    '-f',
    'mp4',
    OUTPUT.playable,
  ]
}

/**
 * Every picture at its own time: nothing dropped, doubled or rounded to a frame rate. 4:2:0 needs even sides, so an odd one gets a
 * line of black rather than losing one. Rotation stays the container's: stored pictures and matrix as they were.
 */
function h264(video: VideoStream, { major, threads }: Encoding): string[] {
  const odd = video.width % 2 === 1 || video.height % 2 === 1
  return [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    '21',
    '-profile:v',
    'high',
    '-threads:v',
    String(threads),
    '-vf',
    `${odd ? 'pad=ceil(iw/2)*2:ceil(ih/2)*2,' : ''}format=yuv420p`,
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    major >= 7 ? 'demux' : '-1',
  ]
}

const aac = ({ channels }: AudioStream, at: number): string[] => [
  `-c:a:${at}`,
  'aac',
  `-b:a:${at}`,
  channels > 1 ? '160k' : '96k',
  ...(channels > 2 ? [`-ac:a:${at}`, '2'] : []),
]

/** A preview of a sound recording that a browser plays: AAC copied or made, index first. Null when there is no sound. */
export function planAudio(
  demuxer: Demuxer,
  probe: Probe,
  encoding: Encoding,
): { args: string[]; method: Method } | null {
  const [audio] = audible(probe)
  if (!audio) return null
  const method = soundsAsIs(audio) ? 'copy' : 'transcode'
  return {
    method,
    args: [
      ...reading(demuxer, encoding.threads),
      '-map',
      `0:${audio.index}`,
      '-vn',
      '-sn',
      '-dn',
      '-map_chapters',
      '-1',
      ...(method === 'copy' ? ['-c:a:0', 'copy'] : aac(audio, 0)),
      '-fflags',
      '+bitexact',
      '-movflags',
      '+faststart',
      '-f',
      'ipod',
      OUTPUT.audio,
    ],
  }
}

/** Upright and with square pixels. */
export function displayedSize(video: Pick<VideoStream, 'width' | 'height' | 'rotation' | 'pixelAspect'>): Size {
  const wide = Math.max(
    1,
    Math.round(video.width * (video.pixelAspect > 0.1 && video.pixelAspect < 10 ? video.pixelAspect : 1)),
  )
  const turned = Math.abs(video.rotation) % 180 === 90
  return turned ? { width: video.height, height: wide } : { width: wide, height: video.height }
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** Fits the longer side into `side` pixels; smaller pictures stay as they are. */
export function fitted({ width, height }: Size, side: number): Size {
  const factor = Math.min(1, side / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
}

/** One picture of a recording: a little way in, where there is more to see than a lens cap; from the start when `fromStart`. */
export function posterArguments(
  demuxer: Demuxer,
  video: VideoStream,
  durationMs: number | null,
  fromStart: boolean,
): string[] {
  const { width, height } = fitted(displayedSize(video), THUMBNAIL_SIDE)
  const at = fromStart || durationMs === null ? 0 : Math.min(durationMs / 10, 3000) / 1000
  return [
    ...reading(demuxer, 1, at > 0 ? ['-ss', at.toFixed(3)] : []),
    '-map',
    `0:${video.index}`,
    '-an',
    '-sn',
    '-dn',
    '-frames:v',
    '1',
    '-vf',
    `scale=${width}:${height},setsar=1,format=yuvj420p`,
    '-c:v',
    'mjpeg',
    '-q:v',
    '4',
    '-fflags',
    '+bitexact',
    '-f',
    'mjpeg',
    OUTPUT.thumbnail,
  ]
}

/** Turns that bring a picture with this Exif orientation upright. Written out, because ffmpeg versions differ in doing it unasked. */
const UPRIGHT: Readonly<Record<number, string>> = {
  2: 'hflip,',
  3: 'hflip,vflip,',
  4: 'vflip,',
  5: 'transpose=0,',
  6: 'transpose=1,',
  7: 'transpose=3,',
  8: 'transpose=2,',
}

/** A JPEG of a picture, upright, on white where it is transparent, without any of its metadata. */
export function pictureArguments(
  demuxer: Demuxer,
  stored: Size,
  orientation: number,
  side: number,
  output: string,
): { args: string[]; size: Size } {
  const upright = orientation >= 5 ? { width: stored.height, height: stored.width } : stored
  const size = fitted(upright, side)
  const small = fitted(stored, side)
  const shaped = `scale=${small.width}:${small.height}:flags=area,${UPRIGHT[orientation] ?? ''}setsar=1`
  const flat = demuxer === 'jpeg_pipe'
  const onWhite = 'format=rgba,split[a][b];[a]format=rgb24,lutrgb=r=255:g=255:b=255[w];[w][b]overlay=format=rgb'
  return {
    size,
    args: [
      ...reading(demuxer, 1, ['-noautorotate']),
      '-map',
      '0:v:0',
      '-frames:v',
      '1',
      '-map_metadata',
      '-1',
      '-vf',
      `${shaped},${flat ? '' : `${onWhite},`}format=yuvj420p`,
      '-c:v',
      'mjpeg',
      '-q:v',
      side > THUMBNAIL_SIDE ? '2' : '4',
      '-fflags',
      '+bitexact',
      '-f',
      'mjpeg',
      output,
    ],
  }
}

export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Formats that PNG holds, so that no pixel loses anything by being one. */
const PNG_FORMATS = 'rgb24|rgba|rgb48be|rgba64be|gray|gray16be|ya8|ya16be'

/** A part of a picture, upright, every pixel as it is decoded, without metadata. @param area of the upright picture */
export const cropArguments = (demuxer: Demuxer, orientation: number, { left, top, width, height }: Area): string[] => [
  ...reading(demuxer, 1, ['-noautorotate']),
  '-map',
  '0:v:0',
  '-frames:v',
  '1',
  '-map_metadata',
  '-1',
  '-vf',
  `${UPRIGHT[orientation] ?? ''}format=${PNG_FORMATS},crop=${width}:${height}:${left}:${top}:exact=1,setsar=1`,
  '-c:v',
  'png',
  '-fflags',
  '+bitexact',
  '-f',
  'image2pipe',
  OUTPUT.crop,
]

export const heifArguments: readonly string[] = ['-q', '92', TOOL_INPUT, OUTPUT.heif]

/** `clip.mov` → `clip.mp4`; a name without an ending gets one; folders in it are none of ours and stay. */
export const withEnding = (name: string, ending: string): string => {
  const dot = name.lastIndexOf('.')
  return (dot > 0 && name.length - dot <= 6 ? name.slice(0, dot) : name) + ending
}
