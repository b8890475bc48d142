/** The mark that is drawn into copies for guests (docs/decisions/0037): whose copy it is, at every height of the picture. Pure. */
import { TOOL_OUTPUT } from '../../../../shared/media/rules.ts'
import type { Probe, VideoStream } from '../../../platform/ffmpeg/probe.ts'
import { displayedSize, type Encoding, reading, type Size } from '../derive/plan.ts'

/** What ffmpeg finds beside its output: the font, and a file for each line, so that no letter of a name is taken for a part of a filter. */
export const MARK_FONT = 'mark.ttf'
export const markLine = (at: number): string => `mark-${at}.txt`

export const MARKED_VIDEO = `${TOOL_OUTPUT}/copy.mp4`
export const MARKED_PICTURE = `${TOOL_OUTPUT}/copy.jpg`

/** Letters of one line; the rest of a longer name is cut. */
export const LONGEST_LINE = 64
/** Below this size letters cannot be read. */
const SMALLEST = 8
const LETTER = 0.6

/** Whoever crops one corner, or covers it, leaves the other marks. */
const PLACES = [
  { x: 'w*0.03', y: 0.04 },
  { x: 'w-text_w-w*0.03', y: 0.28 },
  { x: '(w-text_w)/2', y: 0.5 },
  { x: 'w*0.03', y: 0.68 },
  { x: 'w-text_w-w*0.03', y: 0.86 },
] as const

/** As high as a twentieth of the picture, and lower where a line would not fit on three fifths of its width. */
export function letterHeight({ width, height }: Size, lines: readonly string[]): number {
  const longest = Math.max(1, ...lines.map((line) => [...line].length))
  return Math.max(SMALLEST, Math.floor(Math.min(height / 20, (width * 0.6) / (longest * LETTER))))
}

/** @param size of the picture as it is shown */
export function markFilters(size: Size, lines: readonly string[]): string {
  const height = letterHeight(size, lines)
  const lowest = Math.max(0, Math.floor(size.height * 0.98 - lines.length * height * 1.25))
  const drawn = PLACES.flatMap(({ x, y }) =>
    lines.map((_line, at) =>
      [
        `drawtext=fontfile=${TOOL_OUTPUT}/${MARK_FONT}`,
        `textfile=${TOOL_OUTPUT}/${markLine(at)}`,
        'expansion=none',
        `fontsize=${height}`,
        'fontcolor=white@0.6',
        `borderw=${Math.max(1, Math.round(height / 14))}`,
        'bordercolor=black@0.5',
        `x=${x}`,
        `y=${Math.min(Math.round(size.height * y), lowest) + Math.round(at * height * 1.25)}`,
      ].join(':'),
    ),
  )
  return drawn.join(',')
}

/** A copy of what a player is given: every picture at its own time, upright, with the sound as it is and without any other words of the file. */
export const markedVideoArguments = (
  probe: Probe,
  video: VideoStream,
  lines: readonly string[],
  { major, threads }: Encoding,
): string[] => [
  ...reading('mov', threads),
  '-map',
  `0:${video.index}`,
  ...probe.audio.filter(({ channels }) => channels > 0).flatMap(({ index }) => ['-map', `0:${index}`]),
  '-sn',
  '-dn',
  '-map_metadata',
  '-1',
  '-map_chapters',
  '-1',
  '-vf',
  `pad=ceil(iw/2)*2:ceil(ih/2)*2,${markFilters(displayedSize(video), lines)},format=yuv420p`,
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-crf',
  '23',
  '-profile:v',
  'high',
  '-threads:v',
  String(threads),
  '-fps_mode',
  'passthrough',
  '-enc_time_base',
  major >= 7 ? 'demux' : '-1',
  '-c:a',
  'copy',
  '-max_muxing_queue_size',
  '4096',
  '-fflags',
  '+bitexact',
  '-movflags',
  '+faststart',
  '-f',
  'mp4',
  MARKED_VIDEO,
]

/** @param size of the JPEG, which is upright */
export const markedPictureArguments = (size: Size, lines: readonly string[]): string[] => [
  ...reading('jpeg_pipe', 1, ['-noautorotate']),
  '-map',
  '0:v:0',
  '-frames:v',
  '1',
  '-map_metadata',
  '-1',
  '-vf',
  `${markFilters(size, lines)},format=yuvj420p`,
  '-c:v',
  'mjpeg',
  '-q:v',
  '2',
  '-fflags',
  '+bitexact',
  '-f',
  'mjpeg',
  MARKED_PICTURE,
]
