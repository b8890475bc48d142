/** A station with something in it, folders beside it, and a restore as the command line does it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  type RestoreOptions,
  type RestoreReport,
  restoreStation,
} from '../../server/features/integrity/backup/restore.ts'
import { cliActor } from '../../server/commands.ts'
import type { Roots } from '../../server/features/integrity/backup/trust.ts'
import { publicKeysIn } from '../../server/platform/secrets/keys.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { type Given, givenStation, type Json } from '../support/given.ts'

export interface BackupWorld {
  readonly given: Given
  /** SHA-256 of what was taken in, in order. */
  readonly blobs: string[]
  folder(name: string): string
  take(bytes: Uint8Array): Promise<string>
  backup(to: string, passphrase?: string | null): Promise<Json>
  restore(from: string, data: string, more?: Partial<RestoreOptions>): Promise<RestoreReport>
}

export async function backupWorld(): Promise<BackupWorld> {
  const given = await givenStation()
  const blobs: string[] = []
  const take = async (bytes: Uint8Array): Promise<string> => {
    const { sha256 } = await given.completed(bytes)
    blobs.push(sha256)
    return sha256
  }
  for (let at = 0; at < 6; at++) await take(Buffer.from(`interview ${at} `.repeat(500 + 100 * Math.min(at, 4))))
  return {
    given,
    blobs,
    take,
    folder: (name) => {
      const folder = path.join(given.dir, name)
      mkdirSync(folder, { recursive: true })
      return folder
    },
    backup: (to, passphrase = null) => given.command('backup', { to, passphrase }),
    restore: async (from, data, more = {}) => restore(from, data, { roots: rootOf(given.data), ...more }),
  }
}

/** The public key of a station, as somebody wrote it down at its set-up. */
export function rootOf(data: string): Roots {
  const texts = { 'signing.json': readFileSync(path.join(data, 'keys/signing.json'), 'utf8') }
  return { signedBy: Buffer.from(publicKeysIn(texts)[0] as Uint8Array).toString('base64'), checkpoints: null }
}

export const restore = (from: string, data: string, more: Partial<RestoreOptions> = {}): Promise<RestoreReport> =>
  restoreStation({
    from,
    data,
    blobsDir: path.join(data, 'blobs'),
    snapshot: null,
    passphrase: null,
    roots: { signedBy: null, checkpoints: null },
    trustOnSight: false,
    keepGoing: false,
    actor: cliActor('tester'),
    clock: systemClock,
    log: createLog('silent'),
    ...more,
  })

/** Changes one bit in the middle of a file. */
export function flip(file: string): void {
  const bytes = readFileSync(file)
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] as number) ^ 1
  writeFileSync(file, bytes)
}

export const blobIn = (folder: string, sha256: string): string =>
  path.join(folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)

/** Whole ones: what is being made or removed begins with a dot. */
export const snapshotsOf = (folder: string): string[] =>
  readdirSync(path.join(folder, 'snapshots'))
    .filter((name) => !name.startsWith('.'))
    .sort()

export const fileOf = (folder: string, name: string): string =>
  path.join(folder, 'snapshots', snapshotsOf(folder).at(-1) as string, name)
