/** Snapshots as somebody forges them who has one in hand, knows the format, and has no key of the station. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { signManifest } from '../../server/features/integrity/backup/manifest.ts'
import { canonicalJson } from '../../server/kernel/ledger/canonical.ts'
import { chainHash, leafHash, NO_HASH, type StoredEntry } from '../../server/kernel/ledger/format.ts'
import { compactRange, frontierBytes } from '../../server/kernel/ledger/merkle.ts'
import { type Signer, signCheckpoint } from '../../server/kernel/ledger/signed-note.ts'
import type { Json } from '../support/given.ts'
import { fileOf } from './world.ts'

export function strangersKey(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url'))
  return { publicKey: raw, sign: (bytes) => sign(null, bytes, privateKey) }
}
export const base64 = (key: Uint8Array): string => Buffer.from(key).toString('base64')

/** Writes into the snapshot's database with every guard taken away. */
export function intoDatabase(folder: string, work: (db: Sqlite.Database) => void): void {
  const db = new Sqlite(fileOf(folder, 'database.db'))
  try {
    db.unsafeMode(true)
    db.pragma('foreign_keys = 0')
    work(db)
  } finally {
    db.close()
  }
}

/** The guards of the ledger are put back as they were: the forger leaves no trace in the schema. */
export function withoutGuards(db: Sqlite.Database, work: () => void): void {
  const guards = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN ('ledger', 'checkpoints')")
    .all() as { name: string; sql: string }[]
  for (const { name } of guards) db.exec(`DROP TRIGGER ${name}`)
  work()
  for (const { sql } of guards) db.exec(sql)
}

/** Chains the whole ledger anew and signs every checkpoint with another key, so that nothing in it contradicts itself. */
export function rewriteLedger(db: Sqlite.Database, signer: Signer, change: (entry: StoredEntry) => StoredEntry): void {
  const origin = db.prepare("SELECT value FROM station WHERE name = 'origin'").pluck().get() as string
  const sizes = new Set(db.prepare('SELECT size FROM checkpoints').pluck().all() as number[])
  const roots = new Map<string, string>()
  withoutGuards(db, () => {
    const range = compactRange()
    let previous: Uint8Array = NO_HASH
    for (const row of db.prepare('SELECT seq, body FROM ledger ORDER BY seq').all() as {
      seq: number
      body: Buffer
    }[]) {
      let entry = change(JSON.parse(row.body.toString()) as StoredEntry)
      const root = roots.get(entry.object.id)
      if (entry.action === 'checkpoint.signed' && root !== undefined)
        entry = { ...entry, detail: { ...(entry.detail as object), root } }
      const body = Buffer.from(canonicalJson(entry))
      previous = chainHash(previous, body)
      const leaf = leafHash(body)
      range.append(leaf)
      db.prepare('UPDATE ledger SET body = ?, hash = ?, leaf = ? WHERE seq = ?').run(body, previous, leaf, row.seq)
      if (!sizes.has(row.seq)) continue
      const signed = range.root()
      roots.set(String(row.seq), base64(signed))
      db.prepare('UPDATE checkpoints SET root = ?, head = ?, frontier = ?, note = ? WHERE size = ?').run(
        signed,
        previous,
        frontierBytes(range),
        signCheckpoint({ origin, size: row.seq, root: signed }, signer),
        row.seq,
      )
    }
  })
}

const sumOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Makes the manifest say what lies beside it now, and signs it. */
export function signAnew(folder: string, signer: Signer, change: (manifest: Json) => void = () => {}): void {
  const manifest = JSON.parse(readFileSync(fileOf(folder, 'manifest.json'), 'utf8'))
  const file = fileOf(folder, 'database.db')
  const db = new Sqlite(file, { readonly: true })
  const head = db.prepare('SELECT seq, lower(hex(hash)) AS head FROM ledger ORDER BY seq DESC LIMIT 1').get() as {
    seq: number
    head: string
  }
  db.close()
  manifest.database = { ...manifest.database, sha256: sumOf(file), length: readFileSync(file).length }
  manifest.ledger = { entries: head.seq, head: head.head }
  manifest.blobs.list.sha256 = sumOf(fileOf(folder, 'blobs.txt'))
  manifest.blobs.list.length = readFileSync(fileOf(folder, 'blobs.txt')).length
  manifest.publicKeys = [base64(signer.publicKey)]
  change(manifest)
  const { text, signature } = signManifest(manifest, signer)
  writeFileSync(fileOf(folder, 'manifest.json'), text)
  writeFileSync(fileOf(folder, 'manifest.sig'), signature)
}
