/** Where a station lies, and where it is to move: databases and stores as the settings and the command line name them. */
import { BlobUrl } from '../../config/blob-url.ts'
import type { Kernel } from '../../kernel/kernel.ts'

export interface Place {
  /** Null: SQLite in the data folder. */
  readonly databaseUrl: string | null
  /** Null: the folder of the blobs. */
  readonly blobUrl: BlobUrl | null
}

export interface Asked {
  /** `sqlite`, `postgres://…`, or null: as it is. */
  readonly database: string | null
  /** `folder`, `s3://…`, or null: as it is. */
  readonly blobs: string | null
}

export const placeOf = (settings: Pick<Kernel['settings'], 'databaseUrl' | 'blobUrl'>): Place => ({
  databaseUrl: settings.databaseUrl ?? null,
  blobUrl: settings.blobUrl ?? null,
})

/** The move was asked for in a way that makes no sense, or the new place cannot take it. Nothing was changed. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused'
  readonly code = 'MoveRefused'
}

/** @throws MoveRefused */
export function newPlace(now: Place, asked: Asked): Place {
  const databaseUrl = asked.database === null ? now.databaseUrl : readDatabase(asked.database)
  const blobUrl = asked.blobs === null ? now.blobUrl : readBlobs(asked.blobs)
  return { databaseUrl, blobUrl }
}

function readDatabase(text: string): string | null {
  if (text === 'sqlite') return null
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return text
  throw new MoveRefused('--database is sqlite, or an address such as postgres://user@host/database.')
}

function readBlobs(text: string): BlobUrl | null {
  if (text === 'folder') return null
  const read = BlobUrl.safeParse(text)
  if (read.success) return read.data
  throw new MoveRefused(`--blobs is folder, or an address of a bucket that ${read.error.issues[0]?.message ?? ''}.`)
}

/** Without user, password and parameters. */
export function databaseName(url: string | null): string {
  if (url === null) return 'sqlite'
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}

export const blobsName = (url: BlobUrl | null): string => (url === null ? 'folder' : `s3://${url.bucket}/${url.prefix}`)

export const movesDatabase = (from: Place, to: Place): boolean =>
  databaseName(from.databaseUrl) !== databaseName(to.databaseUrl)
export const movesBlobs = (from: Place, to: Place): boolean => blobsName(from.blobUrl) !== blobsName(to.blobUrl)

/** As a person starts the station there. */
export const settingsFor = (to: Place): string =>
  `${to.databaseUrl === null ? 'without SALLYPORT_DATABASE_URL' : `with SALLYPORT_DATABASE_URL for ${databaseName(to.databaseUrl)}`} and ` +
  (to.blobUrl === null ? 'without SALLYPORT_BLOB_URL' : `with SALLYPORT_BLOB_URL for ${blobsName(to.blobUrl)}`)
