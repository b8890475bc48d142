import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { faultOf, type StorageFault } from './faults.ts'
import { intentNames, removeIntent } from './intents.ts'
import { isSha256, PARTIAL_COPIES, STAGING } from './layout.ts'
import type { Quarantined, RecoveryReport } from './types.ts'

interface Parts {
  /** The folder of staging and intents. */
  readonly root: string
  readonly isInPlace: (sha256: string) => Promise<boolean>
  /** Moves a blob to quarantine. */
  readonly quarantine: (sha256: string, reason: string) => Promise<Quarantined>
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
  isKnown: (sha256: string) => Promise<boolean>,
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
      if (known) {
        intentsSettled++
        if (!isInPlace) missing.push(name)
      } else if (isInPlace) {
        quarantined.push(await parts.quarantine(name, 'It was put into place and no record of it was committed.'))
      }
    }
    // Last, so that the next start repeats these steps after an interruption.
    await removeIntent(parts.root, name, parts.onProblem)
  }
  return { ...temporaries, intentsSettled, quarantined, missing }
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
