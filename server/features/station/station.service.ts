import type { z } from 'zod'
import type { StationModel } from '../../../shared/station/contract.ts'
import { includes, type Level, type SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { hasHeadquarters } from '../../kernel/evidence/forwarded.store.ts'
import type { Access } from '../../kernel/access/access.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { ClockSync } from '../../platform/clock/sync.ts'
import type { MediaState } from '../../platform/ffmpeg/media-tools.ts'
import { evidenceCount, jobCounts, seesAll, unsettledJobs, viewableCount } from './station.store.ts'
import type { StationWarnings } from './warnings.service.ts'

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
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly asker: Access['asker']
  readonly levelsOnJobs: (
    from: Tx,
    principal: Principal | null,
    jobs: readonly { readonly subject: string }[],
  ) => Promise<readonly Level[]>
  /** Numbers of places for backups and for copies of checkpoints. */
  readonly copies: () => Promise<{ readonly backups: number; readonly checkpoints: number }>
  readonly warnings: Pick<StationWarnings, 'standing'>
}

/** Figures that are the same for every caller. */
export type StationAtLarge = Omit<StationOut, 'Queue' | 'Evidence'>
export type OwnFigures = Pick<StationOut, 'Queue' | 'Evidence'>

export interface StationState {
  /** For one caller. */
  of(principal: Principal | null): Promise<StationOut>
  atLarge(): Promise<StationAtLarge>
  /** What a caller may count; at most a few seconds old. */
  figuresOf(principal: Principal | null): Promise<OwnFigures>
}

/** Milliseconds for which a caller's figures are cached, because streams request them repeatedly. */
const FIGURES_FOR = 4_000
const MOST_COUNTED = 10_000
const MOST_JOBS = 2_000

export function createStationState(deps: Deps): StationState {
  const { db, clock, fixed, mode } = deps
  const kept = new Map<string, { readonly at: number; readonly figures: Promise<OwnFigures> }>()

  const queueOf = async (principal: Principal | null): Promise<OwnFigures['Queue']> => {
    if (principal !== null && (await deps.isInPolicy(principal.id, 'ManageConfiguration'))) {
      const counts = await db.longRead(jobCounts(db.read))
      const inState = (state: string): number => counts.find((row) => row.state === state)?.count ?? 0
      return {
        Running: inState('running'),
        Queued: inState('queued'),
        Waiting: inState('waiting'),
        Failed: inState('failed'),
      }
    }
    const jobs = await unsettledJobs(db.read, MOST_JOBS + 1)
    if (jobs.length > MOST_JOBS) return { Running: null, Queued: null, Waiting: null, Failed: null }
    const levels = await deps.levelsOnJobs(db.read, principal, jobs)
    const inState = (state: string, needed: 'View' | 'Edit'): number =>
      jobs.filter((job, at) => job.state === state && includes(levels[at] ?? 'None', needed)).length
    return {
      Running: inState('running', 'View'),
      Queued: inState('queued', 'View'),
      Waiting: inState('waiting', 'View'),
      Failed: inState('failed', 'Edit'),
    }
  }
  const evidenceOf = async (principal: Principal | null): Promise<number | null> => {
    const viewer = await deps.asker(db.read, principal)
    const [all] = await db.longRead(seesAll(db.read, viewer))
    if (all?.whole === 1) return (await db.longRead(evidenceCount(db.read, fixed.tenant)))[0]?.count ?? 0
    const [own] = await db.longRead(viewableCount(db.read, fixed.tenant, viewer, MOST_COUNTED))
    return own === undefined || own.count > MOST_COUNTED ? null : own.count
  }
  const figuresNow = async (principal: Principal | null): Promise<OwnFigures> => {
    const [Queue, Count] = await Promise.all([queueOf(principal), evidenceOf(principal)])
    return { Queue, Evidence: { Count } }
  }
  const figuresOf: StationState['figuresOf'] = (principal) => {
    const who = principal === null ? '' : `${principal.kind}:${principal.id}`
    const now = clock.monotonic()
    for (const [key, { at }] of kept) if (now - at > FIGURES_FOR) kept.delete(key)
    const known = kept.get(who)
    if (known !== undefined) return known.figures
    const figures = figuresNow(principal)
    kept.set(who, { at: now, figures })
    // A failed request is not cached.
    figures.catch(() => kept.delete(who))
    return figures
  }
  const atLarge = async (): Promise<StationAtLarge> => {
    const [disk, sync, media, verification, alarms, copies, warnings] = await Promise.all([
      deps.disk(),
      deps.clockSync(),
      deps.media(),
      deps.lastVerification(),
      deps.openAlarms(),
      deps.copies(),
      deps.warnings.standing(),
    ])
    return {
      Name: fixed.name,
      Version: fixed.version,
      TimeUtc: isoMillis(clock.now()),
      TimeZone: fixed.timeZone,
      Mode: !mode.mayRecord() ? 'failed' : mode.mayWrite() ? 'ready' : 'read-only',
      Reason: mode.reason(),
      Disk: { FreeBytes: disk.free, TotalBytes: disk.total, FloorBytes: Math.round(disk.floor) },
      Clock: { Source: sync.source, ErrorMilliseconds: sync.errorMilliseconds },
      LastVerification: verification,
      Alarms: { Open: alarms },
      Sandbox: media.sandbox !== 'none',
      MissingTools: missingTools(media.versions),
      Copies: { Backups: copies.backups, Checkpoints: copies.checkpoints },
      Forwards: await hasHeadquarters(db.read),
      // Only administrators see who waived it and why (getKeeping).
      Waived: warnings.flatMap(({ Warning, Waiver }) =>
        Waiver === null ? [] : [{ Warning, UntilUtc: Waiver.UntilUtc }],
      ),
    }
  }
  return {
    atLarge,
    figuresOf,
    // A single request reads the current state.
    of: async (principal) => ({ ...(await atLarge()), ...(await figuresNow(principal)) }),
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
