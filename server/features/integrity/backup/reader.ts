import { isAbsolute, join } from 'node:path'
import { fault } from '../../../../shared/kernel/errors.ts'
import type { DatabaseCopy } from '../../../kernel/database/sqlite/copy.ts'
import { copyFileDurably, fileLength, readText, sumOf } from '../../../platform/files/trees.ts'
import { type BackupFolder, backupFolder, listedBlobs, ownerOf, snapshotsIn } from './folder.ts'
import { DATABASE, KEYS, LIST, MANIFEST, type Manifest, openManifest, SIGNATURE } from './manifest.ts'

/** A snapshot with a valid manifest. Its other files are compared with the manifest when they are read. */
export interface FoundSnapshot {
  readonly folder: BackupFolder
  readonly name: string
  readonly manifest: Manifest
  /** Raw Ed25519 key in base64. */
  readonly signedBy: string
  path(name: string): string
}

/**
 * @param name of a snapshot; the newest when not given
 * @throws Fault TargetUnusable without snapshots; BadManifest when the manifest does not match its signature
 */
export async function findSnapshot(path: string, name: string | null): Promise<FoundSnapshot> {
  if (!isAbsolute(path)) throw fault('TargetUnusable', 'Name the folder by its whole path.')
  const folder = backupFolder(path)
  const names = (await ownerOf(path)) === null ? [] : await snapshotsIn(folder)
  const chosen = name ?? names.at(-1) ?? ''
  if (!names.includes(chosen))
    throw fault(
      'TargetUnusable',
      `There is no ${name === null ? 'whole snapshot' : `snapshot ${name}`} in this folder.`,
    )
  const at = (file: string): string => join(folder.snapshots, chosen, file)
  const { manifest, signedBy } = openManifest(await readText(at(MANIFEST)), await readText(at(SIGNATURE)))
  if (manifest.snapshot !== chosen)
    throw fault('TargetUnusable', `The snapshot in the folder ${chosen} is ${manifest.snapshot}: it was renamed.`)
  return { folder, name: chosen, manifest, signedBy, path: at }
}

/**
 * A snapshot that was made while the clock was wrong can have a name far in the future, and would be taken for the newest for years. So what
 * is the newest by its name must hold the most entries of the ledger. @throws Fault TargetUnusable when another one holds more
 */
export async function requireNewest({ folder, name, manifest }: FoundSnapshot): Promise<void> {
  for (const other of await snapshotsIn(folder)) {
    // One that cannot be read is never chosen.
    const found = other === name ? null : await findSnapshot(folder.path, other).catch(() => null)
    if (found === null || found.manifest.ledger.entries <= manifest.ledger.entries) continue
    throw fault(
      'TargetUnusable',
      `The snapshot ${name} is the newest by its time, and ${other} has more entries of the ledger (${manifest.ledger.entries} and ` +
        `${found.manifest.ledger.entries}): the clock was wrong, or the station was restored from an older one. Name the snapshot that is meant.`,
    )
  }
}

/** Copies the database and compares it with the manifest. @returns a sentence when it differs, else null */
export async function takeDatabase(found: FoundSnapshot, target: string): Promise<string | null> {
  const { sha256, length } = await copyFileDurably(found.path(DATABASE), target)
  const recorded = found.manifest.database
  return sha256 === recorded.sha256 && length === recorded.length
    ? null
    : `${DATABASE} was changed: its SHA-256 is ${sha256}, not ${recorded.sha256}.`
}

/** The wrapped keys. @throws Error when they were changed */
export async function wrappedKeys(found: FoundSnapshot): Promise<string | null> {
  if (found.manifest.keys === null) return null
  if ((await sumOf(found.path(KEYS))).sha256 !== found.manifest.keys.sha256) throw new Error(`${KEYS} was changed.`)
  return readText(found.path(KEYS))
}

/** Compares the list of blobs, the rows of the database and the manifest. @returns sentences, none when all agree */
export async function compareList(found: FoundSnapshot, copy: DatabaseCopy): Promise<string[]> {
  const { blobs, ledger, counts, database, origin } = found.manifest
  const problems: string[] = []
  const sum = await sumOf(found.path(LIST))
  if (sum.sha256 !== blobs.list.sha256)
    return [`${LIST} was changed: its SHA-256 is ${sum.sha256}, not ${blobs.list.sha256}.`]
  const facts = await copy.facts()
  if (facts.head !== ledger.head || facts.entries !== ledger.entries)
    problems.push(
      `The ledger ends with entry ${facts.entries}, ${facts.head}; ${ledger.entries}, ${ledger.head} was signed.`,
    )
  if (facts.origin !== origin || facts.schema !== database.schema) problems.push('The database is another station’s.')
  for (const [name, count] of Object.entries(counts))
    if (facts.counts[name] !== count) problems.push(`There are ${facts.counts[name]} rows of ${name}, not ${count}.`)
  const listed = listedBlobs(found.path(LIST))
  let next = await listed.next()
  let seen = 0
  const damaged = new Set(blobs.damaged)
  for await (const row of copy.blobs()) {
    if (next.done !== true && next.value.sha256 === row.sha256 && next.value.length === row.length) {
      seen += 1
      next = await listed.next()
    } else if (!damaged.has(row.sha256)) problems.push(`Blob ${row.sha256} is in the database and not in ${LIST}.`)
    if (problems.length > MOST_PROBLEMS) break
  }
  if (seen !== blobs.count) problems.push(`${seen} blobs are listed, and ${blobs.count} were signed.`)
  return problems
}

/** The most problems that are reported. */
export const MOST_PROBLEMS = 1000

/** Checks that a blob of the backup exists with its length. @returns a sentence, or null */
export async function checkBlobLength(
  path: string,
  { sha256, length }: { sha256: string; length: number },
): Promise<string | null> {
  const found = await fileLength(path)
  if (found === null) return `Blob ${sha256} is missing in the backup.`
  return found === length ? null : `Blob ${sha256} has ${found} bytes in the backup, not ${length}.`
}
