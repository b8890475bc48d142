/**
 * Judges a station against what it acknowledged: through its own HTTP, by its own `verify`, and past it, by reading the blobs with a
 * hash of our own and the database with a connection of our own (never by file calls: that would drop SQLite's locks).
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Acknowledged, type Integrator, sha256 } from '../support/integrator.ts'
import { command } from '../support/station.ts'
import type { World } from './world.ts'

/** What is wrong, in words; empty when nothing is. */
export type Faults = string[]

/** @param acknowledged what the journal held when the station died. The station must be running. */
export async function judge(
  world: World,
  integrator: Integrator,
  acknowledged: readonly Acknowledged[],
): Promise<Faults> {
  const faults: Faults = []
  faults.push(...(await lostThroughHttp(integrator, acknowledged)))
  faults.push(...(await lostOnDisk(world.blobs, acknowledged)))
  faults.push(...lostInDatabase(world, acknowledged))
  faults.push(...(await halfOperationsAtRest(world)))
  const verify = await command(['verify', '--json'], { data: world.data, env: world.env })
  if (verify.code !== 0)
    faults.push(`verify ended with ${verify.code}: ${verify.stdout.slice(0, 600)} ${verify.stderr.slice(0, 600)}`)
  if (faults.length > 0) faults.push(...refusedUploads(world))
  return faults
}

/** Why upload addresses were refused, as the ledger has it: beside other faults it says where to look. */
const refusedUploads = ({ data }: World): Faults =>
  withDatabase(data, (db) => (db.prepare('SELECT body FROM ledger').pluck().all() as Buffer[]).map(String))
    .filter((body) => body.includes('"upload.refused"'))
    .map((body) => `refused: ${body}`)

type Completed = Acknowledged & { kind: 'complete' }

/** What an integration does not find any more of what was acknowledged to it. */
export async function lostThroughHttp(integrator: Integrator, acknowledged: readonly Acknowledged[]): Promise<Faults> {
  const faults: Faults = []
  const completed = new Map<string, Completed>()
  for (const entry of acknowledged) if (entry.kind === 'complete') completed.set(entry.resourceId, entry)
  const committed = new Set(acknowledged.flatMap((entry) => (entry.kind === 'committed' ? [entry.resourceId] : [])))

  const check = async (entry: Acknowledged): Promise<void> => {
    if (entry.kind === 'evidence') {
      const { value } = await integrator.evidence(entry.evidenceId)
      if (value.Name !== entry.name)
        faults.push(`evidence ${entry.evidenceId} is called ${value.Name}, not ${entry.name}`)
    } else if (entry.kind === 'resource') {
      const { value } = await integrator.resources(entry.evidenceId)
      if (!value.some(({ ResourceId }) => ResourceId === entry.resourceId))
        faults.push(`resource ${entry.resourceId} is gone`)
    } else if (entry.kind === 'complete') {
      const { value } = await integrator.resources(entry.evidenceId)
      const record = value.find(({ ResourceId }) => ResourceId === entry.resourceId)
      if (
        record?.State !== 'UserCompleted' ||
        record.Sha256 !== entry.sha256 ||
        record.LengthInBytes !== entry.length
      ) {
        faults.push(
          `resource ${entry.resourceId} was complete with ${entry.sha256} and is now ${JSON.stringify(record)}`,
        )
      }
      const { bytes } = await integrator.content(entry.evidenceId, entry.resourceId)
      if (sha256(bytes) !== entry.sha256) faults.push(`resource ${entry.resourceId} is served with other bytes`)
    } else if (entry.kind === 'block' && !completed.has(entry.resourceId) && !committed.has(entry.resourceId)) {
      const held = await integrator.heldBlocks(entry.uploadUri)
      if (held.get(entry.blockId) !== entry.length)
        faults.push(`block ${entry.blockId} of resource ${entry.resourceId} is gone`)
    }
  }
  for (const entry of acknowledged) {
    try {
      await check(entry)
    } catch (error) {
      faults.push(`${entry.kind} ${JSON.stringify(entry)}: ${(error as Error).message}`)
    }
  }
  return faults
}

export const blobPath = (blobs: string, digest: string): string =>
  path.join(blobs, digest.slice(0, 2), digest.slice(2, 4), digest)

export async function hashOfFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function lostOnDisk(blobs: string, acknowledged: readonly Acknowledged[]): Promise<Faults> {
  const faults: Faults = []
  for (const entry of acknowledged) {
    if (entry.kind !== 'complete' && entry.kind !== 'ingested') continue
    const file = blobPath(blobs, entry.sha256)
    if (!existsSync(file)) faults.push(`blob ${entry.sha256} (${entry.kind}) is not on the disk`)
    else if ((await hashOfFile(file)) !== entry.sha256)
      faults.push(`blob ${entry.sha256} (${entry.kind}) has changed on the disk`)
  }
  return faults
}

/** The station's database beside the running station, read-only. */
export function withDatabase<T>(data: string, read: (db: Sqlite.Database) => T): T {
  const name = readdirSync(data).find((file) => /\.(db|sqlite|sqlite3)$/.test(file))
  if (name === undefined) throw new Error(`There is no database in ${data}: ${readdirSync(data).join(', ')}`)
  const db = new Sqlite(path.join(data, name), { readonly: true, fileMustExist: true })
  try {
    return read(db)
  } finally {
    db.close()
  }
}

function lostInDatabase(world: World, acknowledged: readonly Acknowledged[]): Faults {
  return withDatabase(world.data, (db) => {
    const faults: Faults = []
    const bodies = db.prepare('SELECT body FROM ledger').pluck().all() as Buffer[]
    const noted = new Set(
      bodies.map((body) => (JSON.parse(body.toString('utf8')) as { correlationId?: string }).correlationId),
    )
    const originals = new Set(
      db
        .prepare("SELECT sha256 FROM resources WHERE state = 'UserCompleted' AND parent_id IS NULL")
        .pluck()
        .all() as string[],
    )
    for (const entry of acknowledged) {
      if (entry.correlationId !== undefined && !noted.has(entry.correlationId)) {
        faults.push(`the ledger has no entry for the acknowledged ${entry.kind} ${entry.correlationId}`)
      }
      if (entry.kind === 'ingested' && !originals.has(entry.sha256))
        faults.push(`ingested ${entry.path} (${entry.sha256}) has no resource`)
    }
    return faults
  })
}

/** So many looks, 250 ms apart: a busy disk takes seconds for a file. */
const MOST_LOOKS = 120

/** Jobs at work have temporaries and blobs without a row for a moment, one file after the other: what every look finds is a fault. */
async function halfOperationsAtRest(world: World): Promise<Faults> {
  let lasting = halfOperations(world)
  for (let look = 1; lasting.length > 0 && lasting.every(mayPass) && look < MOST_LOOKS; look++) {
    await new Promise((resolve) => setTimeout(resolve, 250))
    const now = new Set(halfOperations(world).map(withoutSize))
    lasting = lasting.filter((fault) => now.has(withoutSize(fault)))
  }
  return lasting
}

const mayPass = (fault: string): boolean => /^(blob without a row|an intent was|a temporary was)/.test(fault)
/** A temporary may grow. */
const withoutSize = (fault: string): string => fault.replace(/ \(\d+ bytes\)$/, '')

/** Nothing is half done: rows and blobs agree both ways, nothing lies about, every record has its entry. */
export function halfOperations(world: World): Faults {
  const onDisk = new Set(filesBelow(world.blobs, 2).map((file) => path.basename(file)))
  return withDatabase(world.data, (db) => {
    const faults: Faults = []
    const list = (sql: string): string[] => (db.prepare(sql).pluck().all() as (string | number | bigint)[]).map(String)
    for (const digest of list('SELECT sha256 FROM blobs'))
      if (!onDisk.delete(digest)) faults.push(`row without a blob: ${digest}`)
    for (const digest of onDisk) faults.push(`blob without a row: ${digest}`)
    for (const id of list("SELECT resource_id FROM resources WHERE state = 'UserCompleted' AND sha256 IS NULL"))
      faults.push(`completed without bytes: resource ${id}`)
    for (const table of ['evidence', 'resource'] as const) {
      const entity = table === 'evidence' ? 'evidence' : 'resources'
      const missing = list(
        `SELECT ${table}_id FROM ${entity} WHERE CAST(${table}_id AS TEXT) NOT IN (SELECT object_id FROM ledger WHERE object_type = '${table}')`,
      )
      for (const id of missing) faults.push(`no ledger entry names ${table} ${id}`)
    }
    for (const name of namesIn(path.join(world.blobs, '.intents'))) faults.push(`an intent was left behind: ${name}`)
    const live = new Set(
      list(
        "SELECT '/' || resource_id || '/' || file FROM upload_blocks JOIN resources USING (resource_id) WHERE state = 'None'",
      ),
    )
    for (const file of filesBelow(path.join(world.blobs, '.staging'), 4)) {
      if (![...live].some((name) => file.endsWith(name)))
        faults.push(`a temporary was left behind: ${path.relative(world.blobs, file)} (${statSync(file).size} bytes)`)
    }
    const check = db.pragma('quick_check', { simple: true })
    if (check !== 'ok') faults.push(`the database is damaged: ${String(check)}`)
    return faults
  })
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** Files under `folder`; of `blobs` itself only those below two-digit folders. */
function filesBelow(folder: string, depth: number): string[] {
  if (!existsSync(folder)) return []
  const hidden = path.basename(folder) !== '.staging'
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      const parts = path.relative(folder, file).split(path.sep)
      return hidden ? parts.length === depth + 1 && !parts[0]?.startsWith('.') : true
    })
}

/** For messages: the first few, and how many there are. */
export const told = (faults: Faults): string => `${faults.length} faults\n${faults.slice(0, 8).join('\n')}`
