import { describe, expect, it } from 'vitest'
import { createKeyStore } from '../../server/features/identity/keystore/keystore.service.ts'
import { openKeys } from '../../server/platform/secrets/keys.ts'
import type { StoredEntry } from '../../server/kernel/ledger/format.ts'
import { storedEntry } from '../../server/kernel/ledger/format.ts'
import { openTestRows } from '../support/rows.ts'
import { officer, openWorld, type World } from './world.ts'

const DAY = 86_400_000

/** Every key for encrypted uploads that was ever given out is in the ledger, and so is its end (decisions 6 and 12, promise I1). */
describe('the keys of encrypted uploads in the ledger', () => {
  const told = ({ file }: World): string[] =>
    entriesOf(file)
      .filter(({ object }) => object.type === 'key' && object.name === 'tenant')
      .map(({ action, object, detail }) => `${action} ${object.id} ${detail?.['replaced'] ?? ''}`.trim())

  it('made, replaced and destroyed', async () => {
    const world = await openWorld()
    const { db, ledger, keys, clock } = world
    const named = new Set<string>()
    const keyStore = createKeyStore({ db, ledger, keys: keys.tenant, keysInUse: async () => named })
    const one = await keyStore.current()
    await keyStore.current()
    const { keyId: two, replaced } = await keyStore.rotate(officer())
    expect(replaced).toBe(one.kid)
    named.add(one.kid)
    clock.advance(8 * DAY)
    expect(await keyStore.forget()).toBe(0)
    named.clear()
    expect(await keyStore.forget()).toBe(1)
    expect(await keyStore.forget()).toBe(0)
    expect(told(world)).toEqual([
      `tenantKey.created ${one.kid}`,
      `tenantKey.rotated ${two} ${one.kid}`,
      `tenantKey.forgotten ${one.kid}`,
    ])
  })

  it('one that was made just before the end of the station is recorded at its first use', async () => {
    const world = await openWorld()
    const { db, ledger, keys, clock, dir } = world
    const lost = await keys.tenant.ensure()
    const again = await openKeys(`${dir}/keys`, { clock, established: true })
    const keyStore = createKeyStore({ db, ledger, keys: again.tenant, keysInUse: async () => new Set() })
    expect(told(world)).toEqual([])
    expect((await keyStore.current()).kid).toBe(lost.kid)
    expect(told(world)).toEqual([`tenantKey.created ${lost.kid}`])
  })
})

function entriesOf(file: string): StoredEntry[] {
  const db = openTestRows(file, { readOnly: true })
  try {
    const bodies = db.prepare('SELECT body FROM ledger ORDER BY seq').pluck().all() as Uint8Array[]
    return bodies.map((body) => storedEntry(body))
  } finally {
    db.close()
  }
}
