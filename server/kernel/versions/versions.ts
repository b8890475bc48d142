import { hash } from 'node:crypto'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Database, Tx } from '../database/database.ts'
import type { VersionsTable } from '../database/tables.ts'
import { canonicalJson } from '../ledger/canonical.ts'
import {
  insertVersions,
  latestVersion,
  latestVersions,
  type VersionPosition,
  versionRow,
  versionRows,
} from './versions.store.ts'

/** Entities with versions (decisions 4). */
export type VersionedEntity =
  | 'case'
  | 'evidence'
  | 'resource'
  | 'department'
  | 'category'
  | 'sourcePolicy'
  | 'bookmark'
  | 'note'
  | 'task'

/** The parent of the oldest version. */
export const GENESIS = '0'.repeat(40)

export interface NewVersion {
  readonly entity: VersionedEntity
  readonly entityId: number
  /** The whole stored state as plain JSON, without members that depend on the caller. */
  readonly state: Readonly<Record<string, unknown>>
  readonly action: string
  readonly author: Principal
  readonly dateUtc: string
  /** The newest version, or null for none, where it was read already in this transaction. */
  readonly parent?: VersionPosition | null
}

export interface Version {
  /** From 1. */
  readonly number: number
  readonly concurrencyId: string
  readonly parentId: string
  readonly state: Readonly<Record<string, unknown>>
  readonly action: string
  /** The author as named at that time. */
  readonly author: Principal
  readonly dateUtc: string
}

/** Versions of stored state (decisions 4). */
export interface Versions {
  /** Adds a version after the newest one. @returns its concurrency id @throws NotCanonical */
  add(tx: Tx, version: NewVersion): Promise<string>
  /**
   * As `add`, for up to a hundred different entities of one kind with a few statements. @returns their concurrency ids, in the same order
   * @throws NotCanonical
   */
  addAll(tx: Tx, entity: VersionedEntity, versions: readonly Omit<NewVersion, 'entity'>[]): Promise<string[]>
  /** @param from the open transaction, if its changes matter; default is the committed state */
  find(entity: VersionedEntity, entityId: number, concurrencyId: string, from?: Tx): Promise<Version | null>
  /**
   * Newest first. `startingConcurrencyId` names the first to return; forty zeros give none; one that names no version gives null.
   * @param page.count default 100
   */
  history(
    entity: VersionedEntity,
    entityId: number,
    page?: { startingConcurrencyId?: string; count?: number },
  ): Promise<Version[] | null>
}

/** Adds versions in a given transaction. */
export const versionWriter: Pick<Versions, 'add' | 'addAll'> = {
  add: async (tx, version) => {
    const { parent = await latestVersion(tx, version.entity, version.entityId) } = version
    const row = rowAfter(parent ?? undefined, version)
    await insertVersions(tx, [row])
    return row.concurrency_id
  },
  addAll: async (tx, entity, versions) => {
    if (versions.length === 0) return []
    const ids = versions.map(({ entityId }) => entityId)
    const latest = new Map((await latestVersions(tx, entity, ids)).map((row) => [row.entity_id, row]))
    const made = versions.map((version) => rowAfter(latest.get(version.entityId), { ...version, entity }))
    await insertVersions(tx, made)
    return made.map((row) => row.concurrency_id)
  },
}

export async function findVersion(
  from: Tx,
  entity: VersionedEntity,
  entityId: number,
  concurrencyId: string,
): Promise<Version | null> {
  const row = await versionRow(from, entity, entityId, concurrencyId)
  return row === undefined ? null : versionOf(row)
}

export function createVersions({ db }: { db: Database }): Versions {
  return {
    ...versionWriter,
    find: (entity, entityId, concurrencyId, from = db.read) => findVersion(from, entity, entityId, concurrencyId),
    history: async (entity, entityId, { startingConcurrencyId, count = 100 } = {}) => {
      if (startingConcurrencyId === GENESIS) return []
      let from = Number.MAX_SAFE_INTEGER
      if (startingConcurrencyId !== undefined) {
        const start = await versionRow(db.read, entity, entityId, startingConcurrencyId)
        if (start === undefined) return null
        from = start.number
      }
      return (await versionRows(db.read, entity, entityId, { from, count })).map(versionOf)
    },
  }
}

function rowAfter(
  parent: VersionPosition | undefined,
  { entity, entityId, state, action, author, dateUtc }: NewVersion,
): VersionsTable {
  const parentId = parent?.concurrency_id ?? GENESIS
  const text = canonicalJson(state)
  return {
    entity,
    entity_id: entityId,
    number: (parent?.number ?? 0) + 1,
    concurrency_id: concurrencyIdOf(parentId, text),
    parent_id: parentId,
    state: text,
    action,
    author: canonicalJson({ kind: author.kind, id: author.id, name: author.name, kId: author.kId }),
    date_utc: dateUtc,
  }
}

/** First 40 hexadecimal digits of SHA-256(parent's id ‖ canonical JSON of the state), both as UTF-8. */
export const concurrencyIdOf = (parentId: string, canonicalState: string): string =>
  hash('sha256', parentId + canonicalState).slice(0, 40)

const versionOf = (row: VersionsTable): Version => ({
  number: row.number,
  concurrencyId: row.concurrency_id,
  parentId: row.parent_id,
  state: JSON.parse(row.state) as Record<string, unknown>,
  action: row.action,
  author: JSON.parse(row.author) as Principal,
  dateUtc: row.date_utc,
})
