import { pause } from '../../../platform/clock/pause.ts'
import { clearRuleText } from '../../../../shared/docking/docking.ts'
import { looksLikeCard } from '../../../platform/volumes/card-folders.ts'
import type { VolumeChange, Volumes, Volume } from '../../../platform/volumes/volumes.ts'
import {
  bayOf,
  clearRuleOf,
  type Context,
  dockCall,
  type DockParts,
  hubOf,
  Pulled,
  sessionObject,
  type UnderWay,
  volumeKey,
} from '../session/context.ts'
import { isDueNow } from '../steps/clear.ts'
import { advance, runSession } from './run-session.ts'
import { isSafe, next } from '../session/machine.ts'
import {
  insertSession,
  openSessions,
  removeSession,
  sessionById,
  type SessionRow,
  updateSession,
  useBay,
  waitingSession,
} from '../session/sessions.store.ts'

/** The bays: which volume belongs to which session, and what moves when one comes or goes. */
export interface Bays {
  /** Puts the sessions of an earlier run in order, then takes every volume that is connected. */
  start(): Promise<void>
  /** Resolves when nothing is under way any more. Sessions stay as they are and go on at the next start. */
  stop(): Promise<void>
  /** Files of a session that are being copied now, which its rows do not say, and the USB hub that they come through. */
  underWay(sessionId: number): { readonly hub: string; readonly files: readonly UnderWay[] }
  /** Sessions whose camera stands in a bay now, in the order of the bays. */
  docked(): readonly number[]
  /** Volumes that are connected, can be written to, and are neither cameras nor cards of cameras. */
  drives(): Promise<readonly Volume[]>
}

interface Bay {
  readonly volume: Volume
  readonly away: AbortController
  readonly pluggedAt: number | null
  sessionId: number | null
  context: Context | null
  work: Promise<void>
}

const AGAIN_MS = 15_000
const BACK_MS = 250
/** Clearing falls due after days, so that seconds do not matter. */
const DUE_MS = 20_000

export function createBays(parts: DockParts, volumes: Volumes, againMs = AGAIN_MS): Bays {
  const { db, log } = parts
  const bays = new Map<string, Bay>()
  const leaving = new Set<Promise<void>>()
  const stopping = new AbortController()
  let watching: Promise<void> = Promise.resolve()

  const isPresent = async (volume: Volume): Promise<boolean> =>
    bays.get(volume.id)?.away.signal.aborted === false &&
    (await volumes.list().catch(() => [volume])).some(({ id }) => id === volume.id)

  const contextFor = (bay: Bay, id: number): Context => ({
    parts,
    id,
    volume: bay.volume,
    pluggedAt: bay.pluggedAt,
    signal: AbortSignal.any([bay.away.signal, stopping.signal]),
    isPresent,
    contents: null,
    underWay: new Map(),
  })

  /** A camera that lost its contact for a moment is back before the volumes are listed again, and no change is reported. */
  const comesBack = async (bay: Bay): Promise<'was there' | 'came' | 'never'> => {
    const away = AbortSignal.any([bay.away.signal, stopping.signal])
    for (let looks = 0; !away.aborted; looks++) {
      if (await isPresent(bay.volume)) return looks === 0 ? 'was there' : 'came'
      await pause(BACK_MS, away)
    }
    return 'never'
  }

  /** A camera that stays in its bay is cleared when its time comes, by a session of its own: nothing of the old one is believed. */
  const comesDue = async (bay: Bay, row: SessionRow): Promise<boolean> => {
    const { clearRule: rule } = parts
    const away = AbortSignal.any([bay.away.signal, stopping.signal])
    while (rule.kind === 'after' && isBay(bay.volume) && !away.aborted) {
      if (parts.mayWrite() && (await isDueNow(parts, row, rule.days))) return isPresent(bay.volume)
      await pause(DUE_MS, away)
    }
    return false
  }

  /** Runs one session as far as it goes. A failed one is tried again while the camera is there. */
  const work = async (bay: Bay, first: number): Promise<void> => {
    let id = first
    for (;;) {
      bay.sessionId = id
      const context = contextFor(bay, id)
      bay.context = context
      const driven = await runSession(context)
      bay.context = null
      if (driven.kind === 'belongsTo') {
        id = await resumeWaiting(parts, { fresh: id, waiting: driven.sessionId, volume: bay.volume })
        continue
      }
      if (driven.kind === 'rests') {
        const row = await sessionById(db.read, id)
        if (row?.state === 'released') {
          if (!(await comesDue(bay, row))) return
          id = await begin(parts, bay.volume)
          continue
        }
        if (row?.state !== 'pulled') return
        const back = await comesBack(bay)
        if (back === 'never') return
        // Another camera in the place of the one that was pulled begins a session of its own.
        id = back === 'was there' ? await begin(parts, bay.volume) : await openOrBegin(parts, bay.volume)
        continue
      }
      if (stopping.signal.aborted) return
      await pause(driven.afterMs ?? againMs, context.signal)
      const row = await sessionById(db.read, id)
      if (row === undefined || stopping.signal.aborted) return
      if (row.state === 'failed')
        await advance({ parts, id }, row, bay.away.signal.aborted ? PULLED : { event: 'tryAgain' })
    }
  }

  const take = (volume: Volume, sessionId: number | null, sawItCome: boolean): void => {
    const bay: Bay = {
      volume,
      away: new AbortController(),
      pluggedAt: sawItCome ? parts.clock.now() : null,
      sessionId,
      context: null,
      work: Promise.resolve(),
    }
    bays.set(volume.id, bay)
    const run = async (): Promise<void> => {
      while (!parts.mayWrite()) {
        if (bay.away.signal.aborted || stopping.signal.aborted) return
        await pause(againMs, AbortSignal.any([bay.away.signal, stopping.signal]))
      }
      await work(bay, sessionId ?? (await openOrBegin(parts, volume)))
    }
    bay.work = run().catch((error: unknown) =>
      log.error({ err: error, bay: bayOf(volume) }, 'a bay of the dock stopped'),
    )
  }

  const leave = (volume: Volume): void => {
    const bay = bays.get(volume.id)
    if (bay === undefined) return
    bay.away.abort(new Pulled('The camera was taken out.'))
    bays.delete(volume.id)
    const gone = bay.work.finally(() => leaving.delete(gone))
    leaving.add(gone)
  }

  let first = true
  const onChange = ({ added, removed }: VolumeChange): void => {
    if (stopping.signal.aborted) return
    const sawThemCome = !first
    // Folders that are watched are told by themselves, before or after the cameras that were there already.
    if ([...added, ...removed].every(isBay)) first = false
    for (const volume of removed) leave(volume)
    for (const volume of added) if (!bays.has(volume.id)) take(volume, null, sawThemCome)
  }

  return {
    start: async () => {
      const open = await openSessions(db.read, parts.nodeId)
      // A list of the machine's disks is a process: asked for only where a session was left open.
      const there = open.length === 0 ? [] : await volumes.list().catch(() => [])
      await parts.store.discardPartialCopies((key) => open.some(({ session_id: id }) => key.startsWith(`${id}-`)))
      for (const row of open) {
        await restart(parts, row)
        if (!isSafe(row.state)) continue
        const volume = there.find(({ id }) => id === row.volume_id)
        if (volume !== undefined && !bays.has(volume.id)) take(volume, row.session_id, false)
        else leaving.add(withoutCamera(parts, row.session_id, stopping.signal))
      }
      watching = volumes.watch(onChange, stopping.signal)
    },
    stop: async () => {
      stopping.abort(new Error('The station stops.'))
      await watching
      await Promise.all([...bays.values()].map(({ work }) => work))
      await Promise.all(leaving)
    },
    underWay: (sessionId) => {
      const bay = [...bays.values()].find((one) => one.sessionId === sessionId)
      return {
        hub: bay === undefined ? '' : hubOf(bay.volume),
        files: [...(bay?.context?.underWay.values() ?? [])],
      }
    },
    docked: () =>
      [...bays.values()].flatMap(({ sessionId, volume }) => (sessionId === null || !isBay(volume) ? [] : [sessionId])),
    drives: async () => {
      const found: Volume[] = []
      for (const { sessionId, volume } of bays.values()) {
        // Its path for people is where it is opened: one that cannot be written as text is no drive for anybody.
        const isWritable = !volume.readOnly && isBay(volume) && Buffer.from(volume.root).equals(volume.location)
        if (sessionId === null || !isWritable) continue
        if ((await sessionById(db.read, sessionId))?.state !== 'refused') continue
        if (!(await looksLikeCard(volume.root))) found.push(volume)
      }
      return found
    },
  }
}

const PULLED = { event: 'pulled', reason: 'The camera was taken out.' } as const

/** An earlier run left it in this state. One that is safe goes on to its receipt; for the others the camera is awaited. */
async function restart(parts: DockParts, row: SessionRow): Promise<void> {
  if (next(row.state, 'restarted') === null) return
  await advance({ parts, id: row.session_id }, row, {
    event: 'restarted',
    reason: 'The station was started again.',
    // Files that the earlier run read are read once more before they are cleared.
    ...(isSafe(row.state) ? { set: { round: row.round + 1 } } : {}),
  })
}

async function withoutCamera(parts: DockParts, id: number, stopping: AbortSignal): Promise<void> {
  const context: Context = {
    parts,
    id,
    volume: null,
    pluggedAt: null,
    signal: stopping,
    isPresent: async () => false,
    contents: null,
    underWay: new Map(),
  }
  await runSession(context).catch((error: unknown) =>
    parts.log.error({ err: error, session: id }, 'a session without its camera stopped'),
  )
}

/** For a volume that was connected: resumes the session that waits for it, or begins one. */
async function openOrBegin(parts: DockParts, volume: Volume): Promise<number> {
  const waiting = await waitingSession(parts.db.read, parts.nodeId, parts.tenant, volumeKey(volume))
  if (waiting === undefined) return begin(parts, volume)
  await resumeSession(parts, waiting, volume)
  return waiting.session_id
}

async function begin(parts: DockParts, volume: Volume): Promise<number> {
  return parts.db.transaction(async (tx) => {
    const bay = bayOf(volume).toWellFormed()
    if (isBay(volume)) await useBay(tx, parts.tenant, bay, parts.clock.now())
    const id = await insertSession(tx, {
      tenant_id: parts.tenant,
      node_id: parts.nodeId,
      volume_id: volume.id,
      camera_key: volumeKey(volume),
      bay,
      label: (volume.label ?? '').toWellFormed(),
      state: 'detected',
      before: null,
      reason: null,
      device_id: null,
      device: null,
      profile: null,
      notes: null,
      clock: null,
      configuration: null,
      clear_rule: clearRuleText(clearRuleOf(volume, parts.clearRule)),
      detected_at: parts.clock.now(),
      first_byte_at: null,
      last_byte_at: null,
      committed_at: null,
      released_at: null,
      receipt: null,
      receipt_sha256: null,
      receipt_signature: null,
      receipt_key: null,
    })
    await parts.ledger.append(tx, dockCall(id), {
      action: 'dock.detected',
      object: sessionObject({ session_id: id, bay }),
      detail: { filesystem: volume.filesystem, readOnly: volume.readOnly, bytes: volume.bytes?.total ?? null },
    })
    return id
  })
}

/** Resumes the session that waits for this camera, and removes the one that was begun when it was plugged in. */
async function resumeWaiting(
  parts: DockParts,
  of: { fresh: number; waiting: number; volume: Volume },
): Promise<number> {
  const waiting = await sessionById(parts.db.read, of.waiting)
  if (waiting?.state !== 'pulled') return of.fresh
  await resumeSession(parts, waiting, of.volume, of.fresh)
  return of.waiting
}

async function resumeSession(parts: DockParts, row: SessionRow, volume: Volume, instead?: number): Promise<void> {
  const id = row.session_id
  const bay = bayOf(volume).toWellFormed()
  await advance({ parts, id }, row, {
    event: 'reinserted',
    set: { volume_id: volume.id, bay, round: row.round + 1 },
    detail: { bay, ...(instead === undefined ? {} : { insteadOf: String(instead) }) },
    within: async (tx) => {
      if (instead !== undefined) await removeSession(tx, instead)
      await updateSession(tx, id, { volume_id: volume.id })
      if (isBay(volume)) await useBay(tx, parts.tenant, bay, parts.clock.now())
    },
  })
}

/** A watched folder has no place on the dock wall. */
const isBay = ({ watched }: Volume): boolean => watched === undefined
