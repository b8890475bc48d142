/** The keys of a station that a test runs: in its folder or, on PostgreSQL, wrapped in its database. */
import path from 'node:path'
import { openWrappedKeys } from '../../server/kernel/database/postgres/wrapped-keys.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { openKeyFiles } from '../../server/platform/secrets/key-files.ts'
import { openKeys, openKeysIn } from '../../server/platform/secrets/keys.ts'
import { openWrappingKeys } from '../../server/platform/secrets/wrapping.ts'
import { addressOf, isOnPostgres, WRAPPING_KEY } from './postgres-given.ts'

/** Those that its signatures are checked with. */
export async function signingKeysOf({ data, file }: { data: string; file: string }): Promise<readonly Uint8Array[]> {
  const folder = path.join(data, 'keys')
  const known = { clock: systemClock, established: true }
  if (!isOnPostgres) return (await openKeys(folder, known)).signing.publicKeys()
  const wrapping = await openWrappingKeys({ file: undefined, text: WRAPPING_KEY })
  const store = await openWrappedKeys(addressOf(file), wrapping)
  try {
    return (await openKeysIn(store, await openKeyFiles(folder), known)).signing.publicKeys()
  } finally {
    await store.close()
  }
}
