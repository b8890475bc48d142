/** A2: files that an earlier version docked as fine although the camera's list contradicted them are named after the update. */
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../server/kernel/database/database.ts'
import { openRaw, type RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import { temporaryFolder } from '../support/station.ts'

/** Before a file that differs had a state of its own. Its one original is verified. */
const BEFORE = fileURLToPath(new URL('../fixtures/golden/schema-10.db', import.meta.url))
const OTHER = 'a'.repeat(64)

interface Docked {
  readonly claimed: 'other' | 'own' | 'none'
  readonly outcome: 'taken' | 'here'
}

/** Dockings of the original one after the other, as the earlier version wrote them down. */
function dock(db: RawDatabase, files: readonly Docked[]): void {
  const sha256 = db.prepare('SELECT sha256 FROM resources WHERE resource_id = 1').pluck().get() as string
  const tenant = db.prepare('SELECT tenant_id FROM tenants').pluck().get()
  files.forEach(({ claimed, outcome }, at) => {
    const session = db
      .prepare(
        `INSERT INTO dock_sessions (tenant_id, volume_id, camera_key, bay, label, state, clear_rule, detected_at)
         VALUES (?, 'v', 'c', 'bay 1', 'L2', 'released', 'at-once', ?)`,
      )
      .run(tenant, at).lastInsertRowid
    db.prepare(
      `INSERT INTO dock_files (session_id, path_key, path, location, length, modified_ns, may_be_cleared, round, outcome, resource_id,
         sha256, claimed_sha256, ledger_seq, clearing)
       VALUES (?, 'k', 'media/R1_1.mp4', x'00', 1, '1', 1, 1, ?, 1, ?, ?, 1, 'kept')`,
    ).run(session, outcome, sha256, { other: OTHER, own: sha256, none: null }[claimed])
  })
}

async function updated(files: readonly Docked[]) {
  const { dir, dispose } = await temporaryFolder('upgrade-differs')
  onTestFinished(dispose)
  const file = path.join(dir, 'a.db')
  copyFileSync(BEFORE, file)
  const before = openRaw(file)
  dock(before, files)
  before.close()
  await (await openDatabase({ file })).close()
  const db = openRaw(file, { readOnly: true })
  try {
    const columns = (sql: string): unknown[] => db.prepare(sql).pluck().all()
    return {
      differsFrom: columns('SELECT differs_from FROM dock_files ORDER BY file_id'),
      mayBeCleared: columns('SELECT may_be_cleared FROM dock_files ORDER BY file_id'),
      cameraSha256: columns('SELECT camera_sha256 FROM resources'),
      status: columns('SELECT status FROM evidence_list'),
    }
  } finally {
    db.close()
  }
}

it('A2, I6: a file that its list contradicted is named, in its docking and as evidence, and no rule clears it', async () => {
  expect(await updated([{ claimed: 'other', outcome: 'taken' }])).toEqual({
    differsFrom: [OTHER],
    mayBeCleared: [0],
    cameraSha256: [OTHER],
    status: ['differs'],
  })
})

it('A2, I6: contradicted once, it is named in every docking', async () => {
  const found = await updated([
    { claimed: 'own', outcome: 'taken' },
    { claimed: 'other', outcome: 'here' },
    { claimed: 'none', outcome: 'here' },
  ])
  expect(found).toEqual({
    differsFrom: [OTHER, OTHER, OTHER],
    mayBeCleared: [0, 0, 0],
    cameraSha256: [OTHER],
    status: ['differs'],
  })
})

it('a file that is as its list says, or of which no list says anything, stays as it was', async () => {
  const found = await updated([
    { claimed: 'own', outcome: 'taken' },
    { claimed: 'none', outcome: 'here' },
  ])
  expect(found).toEqual({ differsFrom: [null, null], mayBeCleared: [1, 1], cameraSha256: [null], status: ['verified'] })
})
