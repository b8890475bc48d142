/** Where keys lie: one suite for the folder of a station and for the database of a headquarters, and what only the database promises. */
// @module-tag merge
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { migratePostgres } from '../../server/kernel/database/postgres/migrate.ts'
import { openWrappedKeys, rewrapKeys } from '../../server/kernel/database/postgres/wrapped-keys.ts'
import { manualClock } from '../../server/platform/clock/manual-clock.ts'
import { openKeyFiles } from '../../server/platform/secrets/key-files.ts'
import { KEY_NAMES, type KeyName, type KeyStore, openFolderKeyStore } from '../../server/platform/secrets/key-store.ts'
import { KeysMissing, openKeysIn, type StationKeys } from '../../server/platform/secrets/keys.ts'
import { newWrappingKey, openWrappingKeys } from '../../server/platform/secrets/wrapping.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'

const missing = await postgresMissing()
const DAY = 86_400_000
const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-key-stores-'))
const clock = manualClock()
const closing: (() => Promise<void>)[] = []
let server: PostgresServer
let url: string
let count = 0

beforeAll(async () => {
  if (missing !== null) return
  server = await startPostgres()
  url = await server.create('keys')
  await migratePostgres(url, { readOnly: false })
}, 240_000)
afterAll(async () => {
  for (const close of closing) await close()
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const kept = <T extends { close(): Promise<void> }>(one: T): T => {
  closing.push(() => one.close())
  return one
}
/** A database without keys. Stores of earlier tests are used no more. */
const database = async (): Promise<string> => {
  await asked(url, 'DELETE FROM wrapped_keys')
  return url
}
const wrappedBy = (text: string): ReturnType<typeof openWrappingKeys> => openWrappingKeys({ file: undefined, text })
const newFolder = (): string => path.join(folder, `keys-${++count}`)
async function asked(at: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: at })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

interface Place {
  open(): Promise<KeyStore>
  /** Cuts the end off a stored key. */
  cut(name: KeyName): Promise<void>
}
const PLACES: Record<string, () => Promise<Place>> = {
  folder: async () => {
    const dir = newFolder()
    return {
      open: () => openFolderKeyStore(dir),
      cut: async (name) => {
        const file = path.join(dir, `${name}.json`)
        writeFileSync(file, readFileSync(file, 'utf8').slice(0, -20))
      },
    }
  },
  database: async () => {
    const at = await database()
    const wrapping = await wrappedBy(newWrappingKey())
    return {
      open: async () => kept(await openWrappedKeys(at, wrapping)),
      cut: async (name) =>
        void (await asked(at, 'UPDATE wrapped_keys SET wrapped = left(wrapped, -20) WHERE name = $1', [name])),
    }
  },
}

describe.each(Object.entries(PLACES))('keys in a %s', (kind, place) => {
  let at: Place
  beforeEach(async ({ skip }) => {
    skip(kind === 'database' && missing !== null, missing ?? '')
    at = await place()
  })
  const openKeys = async (established: boolean): Promise<StationKeys> =>
    openKeysIn(await at.open(), await openKeyFiles(newFolder()), { clock, established })

  it('are made once: what is there is never made again, and every later start has the same', async () => {
    const keys = await openKeys(false)
    expect(keys.created).toHaveLength(4)
    for (const again of [await openKeys(false), await openKeys(true)]) {
      expect(again.created).toEqual([])
      expect(again.signing.current().publicKey).toEqual(keys.signing.current().publicKey)
      expect(again.tokens.current().kid).toBe(keys.tokens.current().kid)
      expect([again.secretsKey, again.uploadSecret]).toEqual([keys.secretsKey, keys.uploadSecret])
    }
  })

  it('are not made where the ledger has entries: that is refused, and nothing is written', async () => {
    await expect(openKeys(true)).rejects.toThrow(KeysMissing)
    const store = await at.open()
    expect(KEY_NAMES.map((name) => store.text(name))).toEqual(KEY_NAMES.map(() => null))
  })

  it('one of several that is missing is not made anew where the ledger has entries', async () => {
    const store = await at.open()
    await store.make(new Map([['token', async () => '{"some":"text"}']]))
    await expect(openKeys(true)).rejects.toThrow(/lacks signing/)
    expect((await at.open()).text('signing')).toBeNull()
  })

  it('changes come one after the other, and none is lost', async () => {
    const store = await at.open()
    await store.make(new Map([['token', async () => '0']]))
    const added = Array.from({ length: 10 }, () => store.change('token', async (text) => String(Number(text) + 1)))
    await Promise.all(added)
    expect([store.text('token'), (await at.open()).text('token')]).toEqual(['10', '10'])
    expect(await store.change('token', async () => null)).toBe('10')
    expect(await store.change('tenant', async (text) => `${text}!`)).toBe('null!')
    expect((await at.open()).text('tenant')).toBe('null!')
  })

  it('a change that fails leaves the key as it was', async () => {
    const store = await at.open()
    await store.make(new Map([['token', async () => 'before']]))
    await expect(store.change('token', () => Promise.reject(new Error('no room')))).rejects.toThrow('no room')
    expect([store.text('token'), (await at.open()).text('token')]).toEqual(['before', 'before'])
  })

  it('rotate as a station needs it: token keys stay published for a day, the signing key is prepared before its use', async () => {
    const keys = await openKeys(false)
    const first = keys.tokens.current().kid
    expect(await keys.tokens.rotateWhenDue()).toBe(false)
    clock.advance(90 * DAY)
    expect(await keys.tokens.rotateWhenDue()).toBe(true)
    const old = keys.signing.current().publicKey
    const next = await keys.signing.prepareNext()
    expect((await keys.signing.prepareNext()).publicKey).toEqual(next.publicKey)
    await keys.signing.promoteNext()
    await expect(keys.signing.promoteNext()).rejects.toThrow(/No next signing key/)
    const again = await openKeys(true)
    expect(again.tokens.all().map(({ kid }) => kid)).toEqual([keys.tokens.current().kid, first])
    expect(again.signing.publicKeys()).toEqual([old, next.publicKey])
    const one = await keys.tenant.ensure()
    const two = await keys.tenant.rotate()
    expect((await openKeys(true)).tenant.current()).toEqual(two)
    expect((await keys.tenant.privateKey(one.kid))?.asymmetricKeyType).toBe('rsa')
  })

  it('a key that was cut off is refused by its name, without its text', async () => {
    await openKeys(false)
    const text = (await at.open()).text('secrets') as string
    await at.cut('secrets')
    const error = await openKeys(true).catch((caught: Error) => caught)
    expect((error as Error).message).toMatch(/secrets(\.json is damaged|" in the database .* cannot be unwrapped)/)
    expect((error as Error).message).not.toContain((JSON.parse(text) as { key: string }).key.slice(0, 10))
  })
})

describe('keys in the database of a headquarters', () => {
  beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
  const node = async (text: string, established = true): Promise<StationKeys> => {
    const store = kept(await openWrappedKeys(url, await wrappedBy(text)))
    return openKeysIn(store, await openKeyFiles(newFolder()), { clock, established })
  }
  const rows = (): Promise<Record<string, unknown>[]> => asked(url, 'SELECT * FROM wrapped_keys ORDER BY name')

  it('two nodes that start at once agree on one set', async () => {
    await database()
    const text = newWrappingKey()
    const nodes = await Promise.all([node(text, false), node(text, false), node(text, false)])
    expect(nodes.map(({ created }) => created.length).toSorted()).toEqual([0, 0, 4])
    expect(new Set(nodes.map(({ tokens }) => tokens.current().kid)).size).toBe(1)
    expect(new Set(nodes.map(({ secretsKey }) => Buffer.from(secretsKey).toString('hex'))).size).toBe(1)
  })

  it('no key can be read there, and each row is bound to its name, purpose and version', async () => {
    await database()
    const text = newWrappingKey()
    const keys = await node(text, false)
    const stored = JSON.stringify(await rows())
    expect(stored).not.toContain(Buffer.from(keys.secretsKey).toString('base64url'))
    expect(stored).not.toMatch(/"kty"|"d"|PRIVATE/)
    // The rows of two secrets of the same form, exchanged.
    await asked(
      url,
      `UPDATE wrapped_keys a SET wrapped = b.wrapped FROM wrapped_keys b
       WHERE (a.name, b.name) IN (('upload', 'secrets'), ('secrets', 'upload'))`,
    )
    const before = await rows()
    await expect(node(text)).rejects.toThrow(/"secrets" .* cannot be unwrapped: .*exchanged/)
    await asked(url, "UPDATE wrapped_keys SET name = 'x' WHERE name = 'upload'")
    await asked(url, "UPDATE wrapped_keys SET name = 'upload' WHERE name = 'secrets'")
    await asked(url, "UPDATE wrapped_keys SET name = 'secrets' WHERE name = 'x'")
    // The names follow their texts again: now the rows are as they were.
    expect((await node(text)).secretsKey).toEqual(keys.secretsKey)
    await asked(url, "UPDATE wrapped_keys SET version = 7 WHERE name = 'token'")
    await expect(node(text)).rejects.toThrow(/"token" .* cannot be unwrapped/)
    expect(before).toHaveLength(4)
  })

  it('another wrapping key opens nothing: the ids say why, and nothing is written', async () => {
    await database()
    await node(newWrappingKey(), false)
    const before = await rows()
    await expect(node(newWrappingKey())).rejects.toThrow(/wrapped by the wrapping key \w{16}, and this node has \w{16}/)
    await expect(node(newWrappingKey(), false)).rejects.toThrow(/wrapped by the wrapping key/)
    expect(await rows()).toEqual(before)
  })

  it('a node takes up what another one changed, and rotations at once make one new key', async () => {
    await database()
    const text = newWrappingKey()
    const [a, b] = [await node(text, false), await node(text)]
    clock.advance(91 * DAY)
    const done = await Promise.all([a.tokens.rotateWhenDue(), b.tokens.rotateWhenDue()])
    expect(done.toSorted()).toEqual([false, true])
    await Promise.all([a.refresh(), b.refresh()])
    expect(b.tokens.all()).toEqual(a.tokens.all())
    expect(b.tokens.all()).toHaveLength(2)
    const next = await a.signing.prepareNext()
    await b.refresh()
    await Promise.all([a.signing.promoteNext(), b.signing.promoteNext()])
    expect([a.signing.current().publicKey, b.signing.current().publicKey]).toEqual([next.publicKey, next.publicKey])
    const { kid } = await a.tenant.ensure()
    // Without a refresh: an unknown key is looked up.
    expect((await b.tenant.privateKey(kid))?.asymmetricKeyType).toBe('rsa')
  })

  it('an answer that was read before a change never undoes it', async () => {
    await database()
    const text = newWrappingKey()
    const [a, b] = [await node(text, false), await node(text)]
    for (let turn = 0; turn < 3; turn++) {
      clock.advance(DAY)
      await Promise.all([a.refresh(), a.tokens.rotate(), a.refresh(), a.refresh()])
      const { kid } = a.tokens.current()
      await Promise.all([a.refresh(), b.refresh()])
      expect([a.tokens.current().kid, b.tokens.current().kid]).toEqual([kid, kid])
    }
  })

  it('a wrapping key is replaced while nodes run: its file has both for a time', async () => {
    await database()
    const [old, fresh] = [newWrappingKey(), newWrappingKey()]
    const file = path.join(folder, 'wrapping.key')
    writeFileSync(file, `${old}\n`, { mode: 0o600 })
    const store = kept(await openWrappedKeys(url, await openWrappingKeys({ file, text: undefined })))
    const keys = await openKeysIn(store, await openKeyFiles(newFolder()), { clock, established: false })
    const ids = async (): Promise<unknown[]> => [...new Set((await rows()).map((row) => row['wrapped_by']))]
    const [before] = await ids()
    writeFileSync(file, `${old}\n${fresh}\n`)
    const both = await openWrappingKeys({ file, text: undefined })
    // A node that has both does not yet wrap by the new one: another node may not have it.
    const other = await openKeysIn(kept(await openWrappedKeys(url, both)), await openKeyFiles(newFolder()), {
      clock,
      established: true,
    })
    await other.tokens.rotate()
    await other.tenant.ensure()
    expect(await ids()).toEqual([before])
    const done = await rewrapKeys(url, both)
    expect(done).toMatchObject({ before: [before], now: both.newest().id })
    expect(await ids()).toEqual([both.newest().id])
    // The running node reads its file again.
    await keys.refresh()
    expect(keys.tokens.current().kid).toBe(other.tokens.current().kid)
    expect((await node(fresh)).secretsKey).toEqual(keys.secretsKey)
    await expect(node(old)).rejects.toThrow(/wrapped by the wrapping key/)
  })

  it('a wrapping key is 32 bytes in one of two ways, and an unusable one is not quoted', async () => {
    await expect(openWrappingKeys({ file: undefined, text: undefined })).rejects.toThrow(/SALLYPORT_WRAPPING_KEY_FILE/)
    await expect(openWrappingKeys({ file: 'x', text: newWrappingKey() })).rejects.toThrow(/not both/)
    await expect(openWrappingKeys({ file: path.join(folder, 'none'), text: undefined })).rejects.toThrow(
      /cannot be read/,
    )
    await expect(wrappedBy('a guess')).rejects.toThrow(/SALLYPORT_WRAPPING_KEY holds no wrapping key/)
    await expect(wrappedBy('a guess')).rejects.not.toThrow(/a guess/)
    const readable = path.join(folder, 'readable.key')
    writeFileSync(readable, Buffer.alloc(32, 1).toString('base64'))
    // The mode of a new file is cut by the umask; this one is not.
    chmodSync(readable, 0o644)
    expect((await openWrappingKeys({ file: readable, text: undefined })).warning).toMatch(/Every account/)
  })

  it('the command line makes a wrapping key, imports the keys of a folder, and wraps anew', async () => {
    await database()
    const data = path.join(folder, 'imported')
    const file = path.join(folder, 'made.key')
    const made = await openFolderKeyStore(path.join(data, 'keys'))
    const keys = await openKeysIn(made, made.files, { clock, established: false })
    const run = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
      promisify(execFile)(process.execPath, ['server/bin/sallyport.ts', ...args], {
        env: { PATH: process.env['PATH'], SALLYPORT_DATABASE_URL: url, SALLYPORT_WRAPPING_KEY_FILE: file },
      })
    const { id } = JSON.parse((await run('key', 'make-wrapping', '--out', file, '--json')).stdout) as { id: string }
    await expect(run('key', 'make-wrapping', '--out', file)).rejects.toThrow(/never replaced/)
    expect((await run('key', 'import', '--data', data)).stdout).toContain(`wrapped by ${id}`)
    await expect(run('key', 'import', '--data', data)).rejects.toThrow(/has keys already/)
    const text = readFileSync(file, 'utf8').trim()
    expect((await node(text)).secretsKey).toEqual(keys.secretsKey)
    const fresh = newWrappingKey()
    writeFileSync(file, `${text}\n${fresh}\n`)
    expect((await run('key', 'rewrap')).stdout).toMatch(new RegExp(`4 keys .*before by ${id}`))
    expect((await node(fresh)).secretsKey).toEqual(keys.secretsKey)
    expect(readdirSync(path.join(data, 'keys')).toSorted()).toContain('secrets.json')
  })
})
