/** The keys of a headquarters, wrapped in its database: the table `wrapped_keys` (docs/decisions/0028). */
import pg from 'pg'
import {
  KEY_NAMES,
  KEY_PURPOSES,
  type KeyName,
  type KeyStore,
  REQUIRED_KEYS,
} from '../../../platform/secrets/key-store.ts'
import { KeysUnusable, type WrappingKey, type WrappingKeys } from '../../../platform/secrets/wrapping.ts'
import { configOf, failureOf, runOn } from './connections.ts'

interface Row {
  readonly name: KeyName
  readonly version: number
  readonly wrapped_by: string
  readonly wrapped: string
}

interface Known {
  readonly text: string
  readonly version: number
}

/** Keys are changed a few times a year. One lock for all of them keeps the order of changes simple. */
const LOCK_KEYS = 'LOCK TABLE wrapped_keys IN SHARE ROW EXCLUSIVE MODE'
const SELECT_ROWS = 'SELECT name, version, wrapped_by, wrapped FROM wrapped_keys ORDER BY name'

type Client = Pick<pg.Client, 'query'>

async function rowsOf(client: Client): Promise<Row[]> {
  const { rows } = await runOn(client, SELECT_ROWS, [])
  // Another program's name is not ours to judge, but under no name of ours may it be passed over.
  return (rows as Row[]).filter(({ name }) => KEY_NAMES.includes(name))
}

/** @throws KeysUnusable, which names the row and the reason, and never quotes a text */
async function opened({ name, version, wrapped_by: by, wrapped }: Row, wrapping: WrappingKeys): Promise<OpenedRow> {
  const key = await wrapping.find(by)
  if (key === null)
    throw new KeysUnusable(
      `The keys in the database are wrapped by the wrapping key ${by}, and this node has ${wrapping.newest().id}. ` +
        'Give every node of this headquarters the same wrapping key (docs/operate/headquarters.md).',
    )
  const text = key.unwrap(wrapped, { name, version })
  if (text === null)
    throw new KeysUnusable(
      `The key "${name}" in the database (${KEY_PURPOSES[name]}) cannot be unwrapped: its row was changed, cut off or exchanged. ` +
        'Nothing was written. Put the row of the table wrapped_keys back from a backup.',
    )
  return { text, version, key }
}

interface OpenedRow extends Known {
  readonly key: WrappingKey
}

/** The names of the keys in a database; empty for a database without the table. Writes nothing. @throws KeysUnusable, SqlFailure */
export async function checkWrappedKeys(url: string, wrapping: WrappingKeys): Promise<KeyName[]> {
  return withClient(url, async (client) => {
    const [{ there = 0 } = {}] = (await runOn(client, "SELECT to_regclass('wrapped_keys') IS NOT NULL AS there", []))
      .rows as { there: number }[]
    if (there === 0) return []
    const rows = await rowsOf(client)
    for (const row of rows) await opened(row, wrapping)
    return rows.map(({ name }) => name)
  })
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(configOf(url))
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw failureOf(error)
  })
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Runs `work` in a transaction under the lock of all keys. */
async function underLock<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await runOn(client, 'BEGIN', [])
  try {
    await runOn(client, LOCK_KEYS, [])
    const result = await work()
    await runOn(client, 'COMMIT', [])
    return result
  } catch (error) {
    await runOn(client, 'ROLLBACK', []).catch(() => {})
    throw error
  }
}

const insertRow = (client: Client, name: KeyName, text: string, key: WrappingKey): Promise<unknown> =>
  runOn(
    client,
    'INSERT INTO wrapped_keys (name, version, wrapped_by, wrapped, changed_at) VALUES ($1, 1, $2, $3, $4)',
    [name, key.id, key.wrap(text, { name, version: 1 }), Date.now()],
  )

const updateRow = (client: Client, name: KeyName, { text, version }: Known, key: WrappingKey): Promise<unknown> =>
  runOn(
    client,
    'UPDATE wrapped_keys SET version = $2, wrapped_by = $3, wrapped = $4, changed_at = $5 WHERE name = $1',
    [name, version, key.id, key.wrap(text, { name, version }), Date.now()],
  )

const MISSING =
  'Put the rows of the table wrapped_keys back from a backup; new keys would not continue the signatures of this ledger. ' +
  'If the keys still lie in the folder keys/ of a node, `sallyport key import` takes them up.'

/** For a database with a ledger. @param there names that it has @throws KeysUnusable */
export function requireKeys(there: readonly KeyName[]): void {
  const missing = REQUIRED_KEYS.filter((name) => !there.includes(name))
  if (missing.length > 0)
    throw new KeysUnusable(
      `The keys of this headquarters are gone: the database lacks ${missing.join(', ')}, although its ledger has entries. ${MISSING}`,
    )
}

/** The schema must be up to date. @throws KeysUnusable, SqlFailure */
export async function openWrappedKeys(url: string, wrapping: WrappingKeys): Promise<KeyStore> {
  const pool = new pg.Pool({ ...configOf(url), max: 2, allowExitOnIdle: true })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const known = new Map<KeyName, Known>()
  const using = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw failureOf(error)
    })
    let failed = true
    try {
      const result = await work(client)
      failed = false
      return result
    } finally {
      client.release(failed)
    }
  }
  const remember = (name: KeyName, { text, version }: Known): void => {
    const before = known.get(name)
    // An answer that was read before a later change came back must not undo it.
    if (before === undefined || before.version < version) known.set(name, { text, version })
  }
  const store: KeyStore = {
    place: 'the database',
    whenMissing: MISSING,
    tightened: [],
    label: (name) => name,
    text: (name) => known.get(name)?.text ?? null,
    make: (makers) =>
      using((client) =>
        underLock(client, async () => {
          const there = await rowsOf(client)
          for (const row of there) remember(row.name, await opened(row, wrapping))
          const made: KeyName[] = []
          for (const [name, maker] of makers) {
            if (there.some((row) => row.name === name)) continue
            const text = await maker()
            await insertRow(client, name, text, await keyOfSet(there, wrapping))
            made.push(name)
            remember(name, { text, version: 1 })
          }
          return made
        }).catch((error: unknown) => {
          known.clear()
          throw error
        }),
      ),
    change: async (name, to) => {
      const changed = await using((client) =>
        underLock(client, async (): Promise<Known | null> => {
          const rows = await rowsOf(client)
          const row = rows.find((one) => one.name === name)
          const before = row === undefined ? null : await opened(row, wrapping)
          const text = await to(before?.text ?? null)
          if (text === null) return before
          if (before === null) {
            await insertRow(client, name, text, await keyOfSet(rows, wrapping))
            return { text, version: 1 }
          }
          const after = { text, version: before.version + 1 }
          // Under the same wrapping key: nodes that do not have the newest one yet must be able to read it.
          await updateRow(client, name, after, before.key)
          return after
        }),
      )
      if (changed !== null) remember(name, changed)
      return changed?.text ?? null
    },
    refresh: shared(async () => {
      for (const row of await using(rowsOf)) {
        if (known.get(row.name)?.version !== row.version) remember(row.name, await opened(row, wrapping))
      }
    }),
    close: () => pool.end(),
  }
  await store.refresh().catch(async (error: unknown) => {
    await pool.end()
    throw error
  })
  return store
}

/**
 * Calls that come while one runs share the next one: a read that began earlier may not see what the caller looks for. So strangers who name
 * unknown keys cause at most one read at a time.
 */
function shared(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const begin = (): Promise<void> => {
    next = null
    running = work().finally(() => {
      running = null
    })
    return running
  }
  return () => {
    if (running === null) return begin()
    next ??= running.then(begin, begin)
    return next
  }
}

/** All rows of a database are wrapped by one key; a new row too. */
async function keyOfSet(rows: readonly Row[], wrapping: WrappingKeys): Promise<WrappingKey> {
  const [first] = rows
  return (first === undefined ? null : await wrapping.find(first.wrapped_by)) ?? wrapping.newest()
}

/** Wraps all keys by the newest wrapping key, in one transaction. The keys stay the same. @returns ids of the old and the new wrapping key */
export async function rewrapKeys(
  url: string,
  wrapping: WrappingKeys,
): Promise<{ readonly keys: readonly KeyName[]; readonly before: readonly string[]; readonly now: string }> {
  const now = wrapping.newest()
  return withClient(url, (client) =>
    underLock(client, async () => {
      const rows = await rowsOf(client)
      for (const row of rows) {
        const { text, version } = await opened(row, wrapping)
        await updateRow(client, row.name, { text, version: version + 1 }, now)
      }
      const before = [...new Set(rows.map((row) => row.wrapped_by))]
      return { keys: rows.map(({ name }) => name), before, now: now.id }
    }),
  )
}

/** Puts keys into a database without any, in one transaction. @throws KeysUnusable when it has keys */
export async function importKeys(
  url: string,
  wrapping: WrappingKeys,
  texts: ReadonlyMap<KeyName, string>,
): Promise<void> {
  await withClient(url, (client) =>
    underLock(client, async () => {
      if ((await rowsOf(client)).length > 0)
        throw new KeysUnusable('The database has keys already, and they stay as they are.')
      for (const [name, text] of texts) await insertRow(client, name, text, wrapping.newest())
    }),
  )
}
