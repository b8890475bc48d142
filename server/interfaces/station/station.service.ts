import type { z } from 'zod'
import type { StationModel } from '../../../shared/contract/station.ts'
import type { Database } from '../../db/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { ClockSync } from '../../platform/clock/sync.ts'
import type { MediaState } from '../../platform/ffmpeg/media-tools.ts'
import { evidenceCount, jobCounts } from './station.repository.ts'

export type StationOut = z.input<typeof StationModel>
export type Verification = NonNullable<StationOut['LastVerification']>

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly fixed: {
    readonly name: string
    readonly version: string
    readonly timeZone: string
    readonly tenant: string
  }
  readonly mode: { mayWrite(): boolean; mayRecord(): boolean; reason(): string | null }
  readonly disk: () => Promise<{ readonly free: number; readonly total: number; readonly floor: number }>
  readonly clockSync: () => Promise<ClockSync>
  readonly media: () => Promise<MediaState>
  readonly lastVerification: () => Promise<Verification | null>
  readonly openAlarms: () => Promise<number>
}

export type StationState = () => Promise<StationOut>

export function createStationState(deps: Deps): StationState {
  const { db, clock, fixed, mode } = deps
  return async () => {
    const [disk, sync, media, verification, alarms, jobs, evidence] = await Promise.all([
      deps.disk(),
      deps.clockSync(),
      deps.media(),
      deps.lastVerification(),
      deps.openAlarms(),
      db.longRead(jobCounts(db.read)),
      db.longRead(evidenceCount(db.read, fixed.tenant)),
    ])
    const inState = (state: string): number => jobs.find((row) => row.state === state)?.count ?? 0
    return {
      Name: fixed.name,
      Version: fixed.version,
      TimeUtc: isoMillis(clock.now()),
      TimeZone: fixed.timeZone,
      Mode: !mode.mayRecord() ? 'failed' : mode.mayWrite() ? 'ready' : 'read-only',
      Reason: mode.reason(),
      Disk: { FreeBytes: disk.free, TotalBytes: disk.total, FloorBytes: Math.round(disk.floor) },
      Queue: {
        Running: inState('running'),
        Queued: inState('queued'),
        Waiting: inState('waiting'),
        Failed: inState('failed'),
      },
      Clock: { Source: sync.source, ErrorMilliseconds: sync.errorMilliseconds },
      LastVerification: verification,
      Alarms: { Open: alarms },
      Sandbox: media.sandbox !== 'none',
      MissingTools: missingTools(media.versions),
      Evidence: { Count: evidence[0]?.count ?? 0 },
    }
  }
}

type ToolWords = { readonly effect: string; readonly linux: string; readonly other: string }
const TOOLS: Readonly<Record<Exclude<keyof MediaState['versions'], 'mediabunny'>, ToolWords>> = {
  ffmpeg: {
    effect: 'Videos and sound that a browser cannot play wait for it, and thumbnails.',
    linux: 'apt-get install ffmpeg',
    other: 'Install ffmpeg from ffmpeg.org, then start the station anew.',
  },
  ffprobe: {
    effect: 'Length, size and frames of videos are not measured.',
    linux: 'apt-get install ffmpeg',
    other: 'Install ffmpeg from ffmpeg.org, which brings it, then start the station anew.',
  },
  exiftool: {
    effect: 'Exif data, place and time of pictures are not read.',
    linux: 'apt-get install libimage-exiftool-perl',
    other: 'Install ExifTool from exiftool.org, then start the station anew.',
  },
  'heif-convert': {
    effect: 'HEIC pictures wait for it.',
    linux: 'apt-get install libheif-examples',
    other: 'Install libheif, which brings heif-convert, then start the station anew.',
  },
}

function missingTools(versions: MediaState['versions']): StationOut['MissingTools'] {
  return Object.entries(TOOLS).flatMap(([name, words]) =>
    versions[name as keyof typeof TOOLS] !== null
      ? []
      : [{ Name: name, Effect: words.effect, Install: process.platform === 'linux' ? words.linux : words.other }],
  )
}
