/** The database that a station moves to: shown to be empty or this station's, filled with rows, and opened for its first entry. */
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { type Database, openDatabase } from '../../kernel/database/database.ts'
import { sizeOfPostgres } from '../../kernel/database/postgres/copy-source.ts'
import { markArrivingInPostgres, marksInPostgres } from '../../kernel/database/postgres/copy-target.ts'
import { openPostgres } from '../../kernel/database/postgres/database.ts'
import type { DatabasePlace } from '../../kernel/database/row-copy.ts'
import { marksInSqlite } from '../../kernel/database/sqlite/copy-source.ts'
import {
  fileLength,
  makeFolder,
  makeFolderIn,
  namesIn,
  removeTree,
  renameInFolder,
  syncFolder,
} from '../../platform/files/trees.ts'
import type { OpenedKernel } from '../kernel.ts'
import { arrivingOrigin, arrivingText, hashOfEntry, type MovedMark } from './home.store.ts'
import { databaseName, MoveRefused, type Place } from './places.ts'

export interface DatabaseTarget {
  /** Where rows are written to. */
  readonly place: DatabasePlace
  /** Makes room for a new copy: what an interrupted move left is thrown away. */
  prepare(): Promise<void>
  /** Opens the copy, for the entry that makes it the station's home. */
  open(): Promise<Database>
  /** Gives a finished copy its name. Safe to repeat. */
  settle(): Promise<void>
  /** `copied`: rows are there, and the station is not; `home`: the station is; `nothing`: neither. */
  state(): Promise<'nothing' | 'copied' | 'home'>
}

const WRITES = 'sallyport.db'

/** @throws MoveRefused, DatabaseUnsuitable, DatabaseNewer, DatabaseBeforeRelease, or the error of a server that cannot be reached */
export async function openDatabaseTarget(kernel: OpenedKernel, to: Place): Promise<DatabaseTarget> {
  return to.databaseUrl === null ? inDataFolder(kernel) : onServer(kernel, to.databaseUrl)
}

function onServer({ origin, settings }: OpenedKernel, url: string): DatabaseTarget {
  const found = () => marksInPostgres(url)
  return {
    place: { kind: 'postgres', url },
    prepare: async () => {
      const { origin: other, entries, arriving } = await found()
      if (arriving !== null && arrivingOrigin(arriving) === origin) return
      const name = databaseName(url)
      if (arriving !== null) throw new MoveRefused(`The database ${name} is filled by the move of another station.`)
      if (other !== null && other !== origin)
        throw new MoveRefused(`The database ${name} has the records of another station (${other}). Name an empty one.`)
      if (other !== null || entries > 0)
        throw new MoveRefused(`The database ${name} has records of this station from another time. Name an empty one.`)
      await markArrivingInPostgres(url, arrivingText({ origin, from: databaseName(settings.databaseUrl ?? null) }))
    },
    open: () => openPostgres({ url }),
    settle: async () => {},
    state: async () => {
      const { origin: other, arriving, moved } = await found()
      if (other !== origin || moved !== null) return 'nothing'
      return arriving === null ? 'home' : 'copied'
    },
  }
}

/** The copy grows in a folder of its own. An earlier home of the station in the place of the new one is set aside. */
function inDataFolder({ settings: { data }, origin, db }: OpenedKernel): DatabaseTarget {
  const folder = join(data, 'arriving')
  const copy = join(folder, WRITES)
  const final = join(data, WRITES)
  const isThere = async (path: string): Promise<boolean> => (await fileLength(path).catch(() => null)) !== null
  const earlier = async () => ((await isThere(final)) ? marksInSqlite(final) : null)
  return {
    place: { kind: 'sqlite', file: copy },
    prepare: async () => {
      const found = await earlier()
      if (found !== null) await requireEarlierHome(found, { origin, folder: data, db })
      await removeTree(folder)
      await makeFolder(folder)
    },
    open: () => openDatabase({ file: copy }),
    settle: async () => {
      if (!(await isThere(copy))) return
      if (await isThere(final)) await setAside(data)
      for (const name of (await namesIn(folder)) ?? []) await renameInFolder(join(folder, name), join(data, name))
      await syncFolder(data)
      await removeTree(folder)
    },
    state: async () => {
      if (await isThere(copy)) return marksInSqlite(copy).arriving === null ? 'home' : 'copied'
      const found = await earlier()
      return found !== null && found.origin === origin && found.moved === null ? 'home' : 'nothing'
    },
  }
}

interface Expected {
  readonly origin: string
  readonly folder: string
  readonly db: Database
}

/** @throws MoveRefused */
async function requireEarlierHome(
  found: ReturnType<typeof marksInSqlite>,
  { origin, folder, db }: Expected,
): Promise<void> {
  const name = join(folder, WRITES)
  if (found.origin === null && found.entries === 0) return
  if (found.origin !== origin)
    throw new MoveRefused(`${name} is the database of another station (${found.origin}). Move it out of the folder.`)
  const moved = found.moved === null ? null : (JSON.parse(found.moved) as MovedMark)
  // Its ledger must be the beginning of this one: then nothing that is set aside is missing here.
  if (moved === null || (await hashOfEntry(db.read, moved.entries)) !== moved.head)
    throw new MoveRefused(
      `${name} has records of this station that are not an earlier home of it. Move it out of the folder.`,
    )
}

/** With its WAL, which belongs to no other database. */
async function setAside(data: string): Promise<void> {
  const aside = join(data, `earlier-home-${randomUUID().slice(0, 8)}`)
  await makeFolderIn(aside)
  // The database last: until then the folder has one, and a move that is begun again sets it aside too.
  for (const name of [`${WRITES}-shm`, `${WRITES}-wal`, WRITES])
    if (((await namesIn(data)) ?? []).includes(name)) await renameInFolder(join(data, name), join(aside, name))
  await syncFolder(aside)
}

/** Bytes that the rows will take at least. */
export const sizeOfDatabase = async ({ settings, file }: OpenedKernel): Promise<number> =>
  settings.databaseUrl === undefined ? ((await fileLength(file)) ?? 0) : sizeOfPostgres(settings.databaseUrl)
