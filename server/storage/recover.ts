import { quarantineReason } from '../../shared/messages/quarantine-reasons.ts'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { faultOf, type StorageFault } from './faults.ts'
import { intentNames, removeIntent } from './intents.ts'
import { isSha256, PARTIAL_COPIES, STAGING } from './layout.ts'
import type { IsKnown, Quarantined, RecoveryReport } from './types.ts'

/** Null: it cannot be settled now. */
type IsKnownAtStart = (...asked: Parameters<IsKnown>) => Promise<boolean | null>

interface Parts {
  /** The folder of staging and intents. */
  readonly root: string
  readonly isInPlace: (sha256: string) => Promise<boolean>
  /** Moves a blob to quarantine. @returns null when it has to stay */
  readonly quarantine: (sha256: string, reason: string, isKnown: IsKnown) => Promise<Quarantined | null>
  readonly onProblem: (fault: StorageFault) => void
  /** Called before each removal and each move to quarantine. Throws when the folder belongs to another station by now. */
  readonly requireOwn?: (() => Promise<void>) | undefined
}

/**
 * Cleans up after an interrupted run (docs/guarantees.md, Durability). Temporary files go first, since the next steps may need their room on a
 * full disk. An intent names a blob that was placed, and whose transaction may not have been committed. The database decides.
 */
export async function recoverStore(
  parts: Parts,
  isKnown: IsKnownAtStart,
  live: ReadonlySet<string>,
): Promise<RecoveryReport> {
  const temporaries = await clearStaging(parts, live)
  const quarantined: Quarantined[] = []
  const missing: string[] = []
  let intentsSettled = 0
  for (const name of await intentNames(parts.root)) {
    if (isSha256(name)) {
      const isInPlace = await parts.isInPlace(name)
      const known = await isKnown(name)
      await parts.requireOwn?.()
      if (known === null) continue
      if (known) {
        intentsSettled++
        if (!isInPlace) missing.push(name)
      } else if (isInPlace) {
        const put = await putAside(parts, name, isKnown)
        if (put === null) continue
        quarantined.push(put)
      }
    }
    // Last, so that the next start repeats these steps after an interruption.
    await removeIntent(parts.root, name, parts.onProblem)
  }
  return { ...temporaries, intentsSettled, quarantined, missing }
}

/** @returns null when it stays, with its intent: a row names it by now, or another node is removing it. The next start looks again. */
function putAside(parts: Parts, sha256: string, isKnown: IsKnownAtStart): Promise<Quarantined | null> {
  const reason = quarantineReason('notRecorded')
  return parts.quarantine(sha256, reason, async (...asked) => (await isKnown(...asked)) !== false)
}

async function clearStaging(
  { root, onProblem, requireOwn }: Parts,
  live: ReadonlySet<string>,
): Promise<Pick<RecoveryReport, 'temporariesRemoved' | 'uploadsKept'>> {
  let temporariesRemoved = 0
  let uploadsKept = 0
  for (const entry of await readdir(join(root, STAGING), { withFileTypes: true })) {
    // `discardPartialCopies` removes these.
    if (entry.isDirectory() && entry.name === PARTIAL_COPIES) continue
    if (entry.isDirectory() && live.has(entry.name)) {
      uploadsKept++
      continue
    }
    const path = join(root, STAGING, entry.name)
    await requireOwn?.()
    try {
      await rm(path, { recursive: true, force: true })
      temporariesRemoved++
    } catch (error) {
      onProblem(faultOf(error, 'unlink', path))
    }
  }
  return { temporariesRemoved, uploadsKept }
}
