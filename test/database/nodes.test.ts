/** Two nodes on one PostgreSQL database, below HTTP: what each hears of the other, and who is refused. */
// @module-tag merge
import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import pg from 'pg'
import { createRightsCache } from '../../server/kernel/access/rights-cache.ts'
import type { Tx } from '../../server/kernel/database/database.ts'
import { openPostgres, type PostgresDatabase } from '../../server/kernel/database/postgres/database.ts'
import {
  type CheckpointReason,
  type Checkpoints,
  createCheckpoints,
  signerOf,
} from '../../server/features/integrity/verification/checkpoints.ts'
import { createIdempotency } from '../../server/http/idempotency.ts'
import { createLedger, type Ledger } from '../../server/kernel/ledger/ledger.ts'
import { CLOCK_BACKWARDS, storedEntry } from '../../server/kernel/ledger/format.ts'
import { MOST_CLOCK_OFFSET, type Nodes, openNodes } from '../../server/kernel/node/nodes.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import { INTERNAL } from '../../shared/kernel/principal.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'

const missing = await postgresMissing()
const BUCKET = 's3://evidence/'
const IDS = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'] as const
const UNITS = new URL('../../server/app/units.ts', import.meta.url)

interface Node {
  readonly db: PostgresDatabase
  readonly ledger: Ledger
  /** Milliseconds by which its clock is wrong. */
  shift: number
}

let server: PostgresServer
let url: string
let nodes: readonly [Node, Node]

async function open(): Promise<Node> {
  const node = { shift: 0 }
  const clock = { ...systemClock, now: () => systemClock.now() + node.shift }
  const db = await openPostgres({ url, units: UNITS })
  return Object.assign(node, { db, ledger: createLedger({ db, clock, log: createLog('silent') }) })
}

const join = (
  node: Node,
  id: string,
  { blobs = BUCKET, onLost = () => {} }: { blobs?: string | null; onLost?: (reason: string) => void } = {},
): Promise<Nodes> =>
  openNodes(node.db, {
    node: { id, name: `node-${id.at(-1)}` },
    version: '1.0.0',
    blobs,
    clock: { ...systemClock, now: () => systemClock.now() + node.shift },
    onLost,
  })

const call = { actor: INTERNAL, source: 'station', correlationId: 'test' }
const asked = async (text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  if (missing !== null) return
  server = await startPostgres()
  url = await server.create('nodes')
  nodes = [await open(), await open()]
  await nodes[0].db.transaction(async (tx) => {
    await sql`INSERT INTO tenants (tenant_id, name_key, created_utc) VALUES ('s', 's', '')`.execute(tx)
    await sql`INSERT INTO principals (tenant_id, kind, name, name_key, k_id, created_utc, created_by) VALUES ('s', 'user', 'a', 'a', 'k', '', '')`.execute(
      tx,
    )
  })
}, 240_000)
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
afterAll(async () => {
  for (const { db } of nodes ?? []) await db.close()
  await server?.stop()
})

const isEnabled = async (from: Tx): Promise<boolean> =>
  (await from.selectFrom('principals').select('enabled').executeTakeFirstOrThrow()).enabled === 1
const setEnabled = (tx: Tx, enabled: boolean): Promise<unknown> =>
  tx
    .updateTable('principals')
    .set({ enabled: enabled ? 1 : 0 })
    .execute()

describe('rights that a node remembers', () => {
  it('S1, U7: no question asked after the commit of another node gets an older answer', async () => {
    const [a, b] = nodes
    const cache = createRightsCache<boolean>(b.db.rightsVersion)
    let reads = 0
    const ask = (from: Tx = b.db.read): Promise<boolean> =>
      cache(
        'a',
        () => {
          reads += 1
          return isEnabled(from)
        },
        from,
      )
    let over = false
    // Others ask all the time, so that questions share reads of the version.
    const asking = Array.from({ length: 4 }, async () => {
      while (!over) {
        await ask()
        // A remembered answer waits for nothing.
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    for (let round = 0; round < 40; round++) {
      const enabled = round % 2 === 1
      await a.db.transaction((tx) => setEnabled(tx, enabled))
      expect([round, await ask()]).toEqual([round, enabled])
      expect([round, await b.db.transaction(ask)]).toEqual([round, enabled])
    }
    over = true
    await Promise.all(asking)
    const before = reads
    for (let times = 0; times < 20; times++) await ask()
    // They are remembered at all.
    expect(reads).toBe(before)
  })

  it('do not count in a transaction that changed a right itself', async () => {
    const { db } = nodes[0]
    const cache = createRightsCache<boolean>(db.rightsVersion)
    const failing = db.transaction(async (tx) => {
      const ask = (): Promise<boolean> => cache('a', () => isEnabled(tx), tx)
      expect(await ask()).toBe(true)
      await setEnabled(tx, false)
      expect(await ask()).toBe(false)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await cache('a', () => isEnabled(db.read))).toBe(true)
  })

  it('are kept when somebody only signs in', async () => {
    const { db } = nodes[0]
    const before = await db.rightsVersion()
    await db.transaction((tx) => tx.updateTable('principals').set({ last_sign_in_at: 7 }).execute())
    expect(await db.rightsVersion()).toBe(before)
  })
})

describe('the ledger of two nodes', () => {
  it('is one chain in the order of commits, with times that never go back, however wrong a clock is', async () => {
    nodes[1].shift = 3000
    try {
      const entry = (n: number) =>
        ({ action: 'station.started', object: { type: 'station', id: String(n), name: '' } }) as const
      const made = nodes.flatMap(({ db, ledger }, node) =>
        Array.from({ length: 40 }, (_, n) =>
          n % 2 === 0
            ? ledger.record(call, entry(node * 1000 + n))
            : db.transaction((tx) => ledger.append(tx, call, entry(node * 1000 + n))),
        ),
      )
      const seqs = (await Promise.all(made)).map(({ seq }) => seq)
      expect(new Set(seqs).size).toBe(80)
      const rows = await asked('SELECT seq, body FROM ledger ORDER BY seq')
      expect(rows.map(({ seq }) => Number(seq))).toEqual(rows.map((_, at) => at + 1))
      const entries = rows.map(({ body }) => storedEntry(body as Uint8Array))
      const times = entries.map(({ timeUtc }) => timeUtc)
      expect(times).toEqual(times.toSorted())
      expect(JSON.stringify(entries)).not.toContain(CLOCK_BACKWARDS)
    } finally {
      nodes[1].shift = 0
    }
  })
})

describe('checkpoints of two nodes', () => {
  it('I4 one an hour, however many look at once, and each names its signer', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const signer = {
      publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url'),
      sign: (bytes: Uint8Array) => sign(null, bytes, privateKey),
    }
    const later = { by: 0 }
    const [east, west] = nodes.map(({ db, ledger }, at) =>
      createCheckpoints({
        db,
        ledger,
        clock: { ...systemClock, now: () => systemClock.now() + later.by },
        log: createLog('silent'),
        key: {
          current: () => signer,
          next: () => null,
          prepareNext: () => Promise.reject(new Error('no rotation')),
          promoteNext: async () => {},
        },
        origin: () => 'hq.example/nodes',
        node: { id: IDS[at] as string, name: at === 0 ? 'east' : 'west' },
      }),
    ) as [Checkpoints, Checkpoints]
    const both = async (reason: CheckpointReason): Promise<number> => {
      await nodes[0].ledger.record(call, { action: 'station.started', object: { type: 'station', id: '1', name: '' } })
      return (await Promise.all([east.take(reason), west.take(reason)])).filter((taken) => taken !== null).length
    }
    // Nothing but the signing happened since the other's: one is enough here too.
    for (let round = 0; round < 5; round++) expect(await both('command')).toBe(1)
    expect(await both('hour')).toBe(0)
    later.by = 3_600_000
    expect(await both('hour')).toBe(1)
    const rows = await asked(`SELECT size FROM checkpoints ORDER BY size`)
    const signers = await Promise.all(rows.map(({ size }) => signerOf(nodes[0].ledger, Number(size))))
    expect(signers.every((one) => one !== null && ['east', 'west'].includes(one.name))).toBe(true)
  })
})

describe('an Idempotency-Key that comes to both nodes at once', () => {
  it('D4 the work is done once, and both give its answer', async () => {
    const route = { id: 'createTenant', idempotent: true } as unknown as RouteDefinition
    const principal = { kind: 'user', id: '1', name: 'a', kId: 'k' } as const
    const gates = nodes.map(({ db }) => createIdempotency(db, systemClock))
    for (let round = 0; round < 5; round++) {
      const key = `key-${round}`
      const given = { route, principal, key, hash: 'h', status: 201 }
      const answers = await Promise.all(
        gates.map((gate, at) =>
          gate.run(
            given,
            ({ rememberAnswer }) =>
              nodes[at as 0 | 1].db.transaction(async (tx) => {
                await sql`INSERT INTO tenants (tenant_id, name_key, created_utc) VALUES (${key}, ${key}, ${String(at)})`.execute(
                  tx,
                )
                return rememberAnswer(tx, at)
              }),
            async ({ body }) => body as number,
          ),
        ),
      )
      const [made] = await asked(`SELECT created_utc FROM tenants WHERE tenant_id = '${key}'`)
      expect(answers).toEqual([Number(made?.['created_utc']), Number(made?.['created_utc'])])
    }
    const failing = gates[0]?.run(
      { route, principal, key: 'other', hash: 'h', status: 201 },
      () => Promise.reject(new Error('no')),
      async () => 0,
    )
    await expect(failing).rejects.toThrow('no')
  })
})

describe('the list of nodes', () => {
  it('has both, with their clocks, and says why one is not ready', async () => {
    const [a, b] = nodes
    b.shift = MOST_CLOCK_OFFSET + 2000
    const first = await join(a, IDS[0])
    const second = await join(b, IDS[1])
    expect(first.whyNotReady()).toBeNull()
    expect(second.whyNotReady()).toMatch(/clock of this node is [67]\.\d s ahead of the database’s, and at most 5 s/)
    first.listensAt('one:7460')
    await expect
      .poll(async () => (await first.list()).map(({ name, state, address }) => [name, state, address]), {
        timeout: 10_000,
      })
      .toEqual([
        ['node-a', 'running', 'one:7460'],
        ['node-b', 'wrong-clock', ''],
      ])
    b.shift = -MOST_CLOCK_OFFSET - 2000
    await expect.poll(() => second.whyNotReady(), { timeout: 10_000 }).toMatch(/[67]\.\d s behind/)
    b.shift = 0
    await expect.poll(() => second.whyNotReady(), { timeout: 10_000 }).toBeNull()
  })

  it('a commit of another node that changed rows is heard, and one of this node counts once', async () => {
    const [a, b] = nodes
    const heard: string[] = []
    a.db.onRowsChanged(() => heard.push('a'))
    b.db.onRowsChanged(() => heard.push('b'))
    await a.db.transaction((tx) => setEnabled(tx, true))
    await expect.poll(() => heard.toSorted().join(''), { timeout: 10_000 }).toBe('ab')
  })

  it('what was committed while the connection was lost is noticed afterwards', async () => {
    const [a, b] = nodes
    let heard = 0
    b.db.onRowsChanged(() => (heard += 1))
    // The connections that listen; a notification that comes meanwhile reaches nobody.
    await asked(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%UPDATE nodes%' AND pid <> pg_backend_pid()",
    )
    await a.db.transaction((tx) => setEnabled(tx, true))
    await expect.poll(() => heard, { timeout: 15_000 }).toBeGreaterThan(0)
  })

  it('a second process with the same identity is refused, and the first goes on', async () => {
    const third = await open()
    try {
      await expect(join(third, IDS[0])).rejects.toThrow(/Another process runs with the identity of this node/)
    } finally {
      await third.db.close()
    }
    expect(await asked(`SELECT count(*)::int AS n FROM nodes WHERE stopped_at IS NULL`)).toEqual([{ n: 2 }])
  })

  it('a node with other blobs is refused, and so is one with a folder', async () => {
    const third = await open()
    try {
      const id = '00000000-0000-4000-8000-00000000000c'
      await expect(join(third, id, { blobs: null })).rejects.toThrow(
        /node-[ab] uses this database, and this node keeps its blobs in a folder/,
      )
      await expect(join(third, id, { blobs: 's3://other/' })).rejects.toThrow(
        /keeps its blobs in s3:\/\/evidence\/, and this node in/,
      )
    } finally {
      await third.db.close()
    }
  })

  it('a process whose row another one took ends', async () => {
    const third = await open()
    try {
      const lost: string[] = []
      await join(third, '00000000-0000-4000-8000-00000000000d', { onLost: (reason) => lost.push(reason) })
      await asked(`UPDATE nodes SET run_id = 'another' WHERE node_id = '00000000-0000-4000-8000-00000000000d'`)
      await expect.poll(() => lost.join(), { timeout: 10_000 }).toMatch(/took the place of the node node-d/)
    } finally {
      await third.db.close()
    }
  })

  it('a node that ends says so, and may come again at once', async () => {
    await nodes[1].db.close()
    expect(await asked(`SELECT stopped_at IS NOT NULL AS stopped FROM nodes WHERE node_id = '${IDS[1]}'`)).toEqual([
      { stopped: true },
    ])
    nodes = [nodes[0], await open()]
    await join(nodes[1], IDS[1])
  })
})
