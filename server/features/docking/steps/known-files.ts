import { readClearRule } from '../../../../shared/docking/docking.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import type { FoundFile } from '../../../platform/files/walk.ts'
import { type Context, dockCall, type DockParts } from '../session/context.ts'
import { contradicting, differing, noteDifference } from '../session/camera-list.ts'
import { isDurable } from '../session/durable.ts'
import {
  entryAt,
  type FileRow,
  knownFile,
  type KnownFile,
  type SessionRow,
  updateFile,
} from '../session/sessions.store.ts'
import { dueAt } from './clear.ts'
import { nameOf } from './create-evidence.ts'

/** Files that the station has of this camera from an earlier session: a second custody event, and no second copy. */

/** As the station has it now; null where it does not. */
export async function earlierOf(from: Tx, row: SessionRow, file: FileRow): Promise<KnownFile | null> {
  const earlier = await knownFile(from, {
    tenant: row.tenant_id,
    cameraKey: row.camera_key,
    pathKey: file.path_key,
    length: file.length,
    before: row.session_id,
  })
  return earlier !== undefined && (await isDurable(from, earlier)) ? earlier : null
}

/** Files that are looked up in one transaction: each has an entry of its own. */
const AT_ONCE = 200

/**
 * Tells those apart whose name, size and time are those of a file that was taken from this camera: where the station is set so, they count
 * as here without being read. Not those that may be cleared now: they are read, and what they are is known before anything is removed.
 * @returns what has to be read
 */
export async function notRecognised(
  context: Context,
  row: SessionRow,
  files: readonly FileRow[],
  found: ReadonlyMap<string, FoundFile>,
): Promise<FileRow[]> {
  const { parts, signal } = context
  // A camera that does not say who it is may be any other with such a card.
  if (parts.rehash === 'always' || row.device_id === null) return [...files]
  const left: FileRow[] = []
  for (let at = 0; at < files.length; at += AT_ONCE) {
    signal.throwIfAborted()
    const some = await parts.db.transaction(async (tx) => {
      const unknown: FileRow[] = []
      for (const file of files.slice(at, at + AT_ONCE)) {
        const there = found.get(file.path_key)
        const earlier = there === undefined ? null : await earlierOf(tx, row, file)
        if (
          there === undefined ||
          earlier === null ||
          !(await mayBeRecognised(parts, tx, row, { file, earlier, there }))
        )
          unknown.push(file)
        else await rememberHere(parts, tx, { row, file, earlier, by: 'name' })
      }
      return unknown
    })
    left.push(...some)
  }
  return left
}

async function mayBeRecognised(
  { clock }: DockParts,
  tx: Tx,
  row: SessionRow,
  { file, earlier, there }: { file: FileRow; earlier: KnownFile; there: FoundFile },
): Promise<boolean> {
  if (earlier.modified_ns !== file.modified_ns || String(there.modifiedNs) !== file.modified_ns) return false
  if (there.length !== file.length) return false
  // The camera now states another hash than the station has.
  if (file.claimed_sha256 !== null && file.claimed_sha256 !== earlier.sha256) return false
  if (file.may_be_cleared === 0) return true
  const rule = readClearRule(row.clear_rule)
  const entry = await entryAt(tx, earlier.ledger_seq as number)
  const due = rule === null || entry === null ? null : dueAt(rule, entry.timeUtc)
  return due === null || clock.now() < due
}

export async function rememberHere(
  parts: DockParts,
  tx: Tx,
  { row, file, earlier, by }: { row: SessionRow; file: FileRow; earlier: KnownFile; by: 'hash' | 'name' },
): Promise<void> {
  const contradicted = contradicting(file.claimed_sha256, earlier.sha256)
  // A file that an earlier list contradicted stays marked, whatever today's list says.
  const listed = contradicted ?? earlier.differs_from
  const hasSecond = parts.secondCopy !== null && earlier.second_copy === parts.secondCopy.folder
  await updateFile(tx, file.file_id, {
    outcome: 'here',
    known_by: by,
    round: row.round,
    resource_id: earlier.resource_id,
    sha256: earlier.sha256,
    read_back: earlier.read_back,
    ledger_seq: earlier.ledger_seq,
    ...(listed === null ? {} : differing(listed)),
    ...(hasSecond ? { second_at: earlier.second_at, second_read_back: earlier.second_read_back } : {}),
  })
  await parts.ledger.append(tx, dockCall(row.session_id), {
    action: 'dock.fileHere',
    object: { type: 'resource', id: String(earlier.resource_id), name: nameOf(file) },
    bytes: file.length,
    sha256: earlier.sha256 as string,
    detail: {
      dockSessionId: String(row.session_id),
      path: file.path,
      knownBy: by === 'hash' ? 'its bytes' : 'its name, size and time',
      ...(listed === null ? {} : { differsFrom: listed }),
    },
  })
  if (contradicted !== null)
    await noteDifference(parts, tx, row, { ...file, resource_id: earlier.resource_id }, contradicted)
}
