import { dockReason } from '../../../../shared/messages/dock-reasons.ts'
import { type ClearRule, readClearRule } from '../../../../shared/docking/docking.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import type { FoundFile } from '../../../platform/files/walk.ts'
import { VolumeFault } from '../../../platform/volumes/volume-reader.ts'
import type { Volume } from '../../../platform/volumes/volumes.ts'
import { type Context, dockCall, type DockParts, rowOf, type StepResult, TAKEN } from '../session/context.ts'
import { isPassedOver, readCamera } from './camera-contents.ts'
import {
  entryAt,
  type FileRow,
  filesTaken,
  hasKeptBefore,
  hasPassedOver,
  keptAll,
  keptFor,
  type SessionRow,
  updateFile,
} from '../session/sessions.store.ts'

/**
 * Takes from the camera what the station has, by the rule that stood when it came (promise I6). A file goes only when all of this holds at
 * this moment: its resource is complete, its entry stands in the ledger with its hash, its blob was read back from the disk, past the cache,
 * and is what it was, and the file on the camera is the one that was read. Everything else is kept, and the receipt says why.
 */
export async function clear(context: Context): Promise<StepResult> {
  const { parts, id } = context
  const row = await rowOf(context)
  const files = (await filesTaken(parts.db.read, id)).filter(
    ({ clearing }) => clearing === 'no' || clearing === 'begun',
  )
  const rule = readClearRule(row.clear_rule) ?? { kind: 'never' }
  const kept = async (file: FileRow, why: string): Promise<void> => {
    await parts.db.transaction((tx) => updateFile(tx, file.file_id, { clearing: 'kept', clearing_reason: why }))
  }
  const present = rule.kind === 'never' ? NEVER : await presentNow(context)
  if (typeof present === 'string') {
    await parts.db.transaction(async (tx) => {
      for (const file of files)
        if (file.clearing === 'begun') await updateFile(tx, file.file_id, { clearing_reason: PERHAPS_GONE })
      await keptAll(tx, id, present)
    })
    return { event: 'done', detail: { rule: row.clear_rule, cleared: 0, kept: files.length } }
  }
  let cleared = 0
  for (const file of files) {
    const one: OnCard = { volume: present.volume, found: present.byKey.get(file.path_key) }
    const why = context.signal.aborted ? TAKEN_OUT : await whyKept(context, row, file, { rule, ...one })
    if (why !== null) await kept(file, why)
    else if (await clearOne(context, row, file, one)) cleared++
  }
  return { event: 'done', detail: { rule: row.clear_rule, cleared, kept: files.length - cleared } }
}

const NEVER = dockReason('neverCleared')
const DIFFERS = dockReason('neverByRule')
const TAKEN_OUT = dockReason('takenOut')
const NOT_WHOLE = dockReason('notWhole')

/** The station ended between this file and its entry, and the camera is not there to be asked. */
const PERHAPS_GONE = dockReason('perhapsGone')

/** One file as it is on the card now; not found where it is not there any more. */
interface OnCard {
  readonly volume: Volume
  readonly found: FoundFile | undefined
}

/** The card and its files now; or the reason why nothing on it is cleared. */
async function presentNow(
  context: Context,
): Promise<{ readonly volume: Volume; readonly byKey: ReadonlyMap<string, FoundFile> } | string> {
  const { parts, id, volume } = context
  if (volume === null) return TAKEN_OUT
  try {
    const contents = context.contents ?? (await readCamera(context))
    if (typeof contents === 'string') return TAKEN_OUT
    // People take an emptied camera for completely read, so that a camera with unread entries is not cleared. A watched folder is not taken away.
    const isWhole = !contents.skipped.some(isPassedOver) && !(await hasPassedOver(parts.db.read, id))
    return isWhole || volume.watched !== undefined ? { volume, byKey: contents.byKey } : NOT_WHOLE
  } catch {
    return TAKEN_OUT
  }
}

const DAY_MS = 86_400_000
/** Why a file is kept whose time has not come. Stored reasons that begin so are looked at again (`isDueNow`). */
export const STAYS = 'It stays until '
const CLOCK_JUMPED = dockReason('staysForClock')

/**
 * Whether the time of a file has come that a session kept for that reason alone.
 * @param row of a session that is over
 * @param days after which files are cleared
 */
export const isDueNow = async (
  { db, clock, clockIsSteady }: DockParts,
  row: SessionRow,
  days: number,
): Promise<boolean> =>
  clockIsSteady() &&
  (await hasKeptBefore(db.read, row.session_id, { why: STAYS, takenUtc: isoMillis(clock.now() - days * DAY_MS) }))

/** From when on a file may be cleared, by when it was taken in; null: never. Milliseconds since 1970. */
export function dueAt(rule: ClearRule, takenUtc: string): number | null {
  if (rule.kind === 'never') return null
  return rule.kind === 'at-once' || rule.kind === 'move' ? 0 : Date.parse(takenUtc) + rule.days * DAY_MS
}

/** @returns why it stays, for a person; null where everything holds */
async function whyKept(
  context: Context,
  row: SessionRow,
  file: FileRow,
  { rule, volume, found }: OnCard & { readonly rule: ClearRule },
): Promise<string | null> {
  const { parts, signal } = context
  // Whether this docking's list says so or an earlier one's: of such a file the camera may hold the better copy.
  if (file.differs_from !== null) return DIFFERS
  if (file.may_be_cleared === 0) return dockReason('profileKeeps')
  const entry = file.ledger_seq === null ? null : await entryAt(parts.db.read, file.ledger_seq)
  if (entry === null || entry.action !== 'resource.completed' || entry.sha256 !== file.sha256)
    return dockReason('noEntry')
  const due = dueAt(rule, entry.timeUtc)
  if (due === null || parts.clock.now() < due) {
    return due === null ? NEVER : dockReason('staysUntil', { time: isoMillis(due) })
  }
  if (rule.kind === 'after' && !parts.clockIsSteady()) return CLOCK_JUMPED
  if (row.second_copy !== null && file.second_at === null) return dockReason('noSecondCopy')
  const kept = await keptFor(parts.db.read, file.resource_id as number)
  if (kept === undefined || kept.state !== 'UserCompleted' || kept.sha256 !== file.sha256)
    return dockReason('notComplete')
  if (kept.cameraSha256 !== null) return DIFFERS
  // A file that went between `begun` and its entry is told from one that somebody else removed by that state.
  if (found === undefined) return file.clearing === 'begun' ? null : dockReason('notFound')
  if (found.length !== file.length || String(found.modifiedNs) !== file.modified_ns) return dockReason('notThatFile')
  try {
    const verified = await parts.store.verifyBlob(file.sha256 as string, { signal })
    if (verified.result !== 'ok') return dockReason('notGivenBack')
    if (verified.readBack !== 'direct') return dockReason('throughCache')
    return readInOneGo(file, row) ? null : await sameStill(context, file, volume, found)
  } catch (error) {
    return signal.aborted ? TAKEN_OUT : (error as Error).message
  }
}

/** Only these very bytes were read from the camera as it stands in its bay now; anything else is read once more before it goes. */
const readInOneGo = (file: FileRow, row: SessionRow): boolean =>
  file.round === row.round && file.resumed_from === null && file.known_by !== 'name'

/** It was read in an earlier docking: it may be another one by now that looks like it. */
async function sameStill(
  { parts, signal }: Context,
  file: FileRow,
  volume: Volume,
  found: FoundFile,
): Promise<string | null> {
  const opened = await parts.reading.open(volume, found)
  try {
    const { sha256 } = await parts.store.hashFile(opened.path, { signal })
    return sha256 === file.sha256 ? null : dockReason('notThatFile')
  } finally {
    await opened.close()
  }
}

/** First the row that says that it is about to go, then the file, then the entry that it went. */
async function clearOne(context: Context, row: SessionRow, file: FileRow, { volume, found }: OnCard): Promise<boolean> {
  const { parts } = context
  await parts.db.transaction((tx) => updateFile(tx, file.file_id, { clearing: 'begun' }))
  let aside: string | null = null
  try {
    if (found !== undefined && row.clear_rule === 'move') aside = await parts.reading.moveAside(volume, found, TAKEN)
    else if (found !== undefined) await parts.reading.remove(volume, found)
  } catch (error) {
    if (!(error instanceof VolumeFault)) throw error
    const why = error.message.toWellFormed()
    await parts.db.transaction((tx) => updateFile(tx, file.file_id, { clearing: 'kept', clearing_reason: why }))
    return false
  }
  await parts.db.transaction(async (tx) => {
    await updateFile(tx, file.file_id, { clearing: 'cleared', clearing_reason: null })
    await parts.ledger.append(tx, dockCall(row.session_id), {
      action: 'dock.fileCleared',
      object: { type: 'resource', id: String(file.resource_id), name: file.path.slice(file.path.lastIndexOf('/') + 1) },
      bytes: file.length,
      sha256: file.sha256 as string,
      detail: {
        dockSessionId: String(row.session_id),
        path: file.path,
        completedBy: file.ledger_seq as number,
        ...(aside === null ? {} : { movedTo: aside.toWellFormed() }),
      },
    })
  })
  return true
}
