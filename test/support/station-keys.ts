/** The keys of a station that a test runs: in its folder or, on PostgreSQL, wrapped in its database. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { openWrappedKeys } from '../../server/kernel/database/postgres/wrapped-keys.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import type { KeyName, KeyStore } from '../../server/platform/secrets/key-store.ts'
import { openKeyFiles } from '../../server/platform/secrets/key-files.ts'
import { openKeys, openKeysIn } from '../../server/platform/secrets/keys.ts'
import { openWrappingKeys } from '../../server/platform/secrets/wrapping.ts'
import { addressOf, isOnPostgres, WRAPPING_KEY } from './postgres-given.ts'

interface OfStation {
  readonly data: string
  readonly file: string
}

async function withWrappedKeys<T>(file: string, work: (store: KeyStore) => T | Promise<T>): Promise<T> {
  const wrapping = await openWrappingKeys({ file: undefined, text: WRAPPING_KEY })
  const store = await openWrappedKeys(addressOf(file), wrapping)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Those that its signatures are checked with. */
export async function signingKeysOf({ data, file }: OfStation): Promise<readonly Uint8Array[]> {
  const folder = path.join(data, 'keys')
  const known = { clock: systemClock, established: true }
  if (!isOnPostgres) return (await openKeys(folder, known)).signing.publicKeys()
  return withWrappedKeys(file, async (store) =>
    (await openKeysIn(store, await openKeyFiles(folder), known)).signing.publicKeys(),
  )
}

/** The private halves included. */
export const textOfKey = async ({ data, file }: OfStation, name: KeyName): Promise<string> =>
  isOnPostgres
    ? withWrappedKeys(file, (store) => store.text(name) ?? '')
    : readFile(path.join(data, 'keys', `${name}.json`), 'utf8')
