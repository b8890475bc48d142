/** What rows say is found at once. What the station has still to read, places, devices and Exif in files, is found once it was read. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../server/kernel/database/database.ts'
import { openTestDatabase, openTestRows } from '../../support/rows.ts'
import { hasWords, wordsRow } from '../../../server/kernel/database/expressions.ts'
import { createSearchCatchUp } from '../../../server/features/search/index-catch-up.ts'
import { openBlobStore } from '../../../server/storage/folder/store.ts'
import type { BlobStore } from '../../../server/storage/store.ts'
import { matchOf, parseSearch } from '../../../shared/search/search-query.ts'

let folder: string
let store: BlobStore
let db: Database
let sha256: string
const file = () => path.join(folder, 'a.db')
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sallyport-catch-up-'))
  mkdirSync(path.join(folder, 'blobs'))
  store = await openBlobStore({ root: path.join(folder, 'blobs'), now: Date.now })
  const exif = path.join(folder, 'exif.json')
  writeFileSync(
    exif,
    JSON.stringify({ 'IFD0:Make': 'Nikonette', 'ExifIFD:FNumber': 2.8, 'IFD0:Artist': ['Åsa', 'Öberg'] }),
  )
  const placed = await store.place(await store.copyIn(exif))
  await store.confirm(placed)
  sha256 = placed.sha256

  await (await openTestDatabase({ file: file() })).close()
  const old = openTestRows(file())
  const times = `'2026-01-01T00:00:00Z', 1`
  old.exec(`
    INSERT INTO tenants VALUES ('station', 'station', '');
    INSERT INTO principals (tenant_id, kind, name, name_key, k_id, last_name, badge, created_utc, created_by)
      VALUES ('station', 'user', 'okafor', 'okafor', '', 'Okafor', 'B77', '2025-01-01T00:00:00Z', 'x');
    INSERT INTO cases (tenant_id, ordinal_year, ordinal_number, title, state, lifecycle_state, external_reference_1, location_wkt, tags,
      custom_fields, source_type, concurrency_id, created_utc, created_ticks, created_by, modified_utc, modified_by)
      VALUES ('station', 2026, 7, 'Old burglary', 'Open', 'Normal', 'RN 5', 'LINESTRING (1 2, 3 -4)', '["entry"]', '{"Weather":"hail"}',
      'Manual', '', ${times}, '{}', '', '{}');
    INSERT INTO case_personnel VALUES (1, 0, 1, 'Assigned');
    INSERT INTO evidence (tenant_id, name, created_utc, created_ticks, created_by, concurrency_id, device, location_wkt)
      VALUES ('station', 'Old clip', ${times}, '{}', '', '{"DeviceType":null,"Manufacturer":"Axon","SerialNumber":"X","Model":null}', 'POINT (5 6)');
    INSERT INTO evidence_tags VALUES (1, 0, 'Night', 'night');
    INSERT INTO blobs VALUES ('${sha256}', 1, 'cache', '');
    INSERT INTO blobs VALUES ('${'0'.repeat(64)}', 1, 'cache', '');
    INSERT INTO resources (evidence_id, name, mime_type, role, sha256, uploaded_by, created_utc, concurrency_id) VALUES
      (1, 'photo_9.jpg', 'image/jpeg', 'original', NULL, '{}', '', ''),
      (1, 'photo_9.jpg.exif.json', 'sallyport/json-exif', 'metadata', '${sha256}', '{}', '', ''),
      (1, 'gone.exif.json', 'sallyport/json-exif', 'metadata', '${'0'.repeat(64)}', '{}', '', '');
    INSERT INTO search_pending (what, object_id) VALUES ('case', 1), ('evidence', 1), ('exif', 2), ('exif', 3);`)
  old.close()
  db = await openTestDatabase({ file: file() })
})
afterAll(async () => {
  await db?.close()
  await store?.close()
  rmSync(folder, { recursive: true })
})

const found = async (typed: string): Promise<number[]> => {
  const words = matchOf(parseSearch(typed)).all as string
  const { rows } = await sql<{ kind: number }>`
    SELECT s.kind AS kind FROM search_words w JOIN search_list s ON s.search_id = ${wordsRow('w')}
    WHERE ${hasWords('w.search_words', words)} ORDER BY 1`.execute(db.read)
  return rows.map(({ kind }) => kind)
}
const places = () =>
  db.read
    .selectFrom('search_list')
    .select(['west', 'south', 'east', 'north'])
    .where('kind', '<', 2)
    .orderBy('kind')
    .execute()

it('finds at once what stands in rows, and what lies in files once it was read', async () => {
  expect(await found('old')).toEqual([0, 1])
  for (const words of ['rn 5', '2026-000007', 'hail', 'tag:entry', 'officer:b77'])
    expect([words, (await found(words))[0]]).toEqual([words, 0])
  for (const words of ['photo_9', 'tag:night', 'device:axon']) expect([words, await found(words)]).toEqual([words, [1]])
  expect(await found('okafor')).toEqual([0, 2])
  expect(await found('nikonette')).toEqual([])
  expect(await places()).toEqual([
    { west: null, south: null, east: null, north: null },
    { west: null, south: null, east: null, north: null },
  ])
  const catchUp = createSearchCatchUp({ db, store })
  // A file that is gone is passed over.
  expect([await catchUp.run(), await catchUp.run()]).toEqual([4, 0])
  expect(await found('nikonette oberg')).toEqual([1])
  expect(await found('2.8')).toEqual([])
  expect(await places()).toEqual([
    { west: 1, south: -4, east: 3, north: 2 },
    { west: 5, south: 6, east: 5, north: 6 },
  ])
  const device = await db.read
    .selectFrom('search_list')
    .select('device_id')
    .where('kind', '=', 1)
    .executeTakeFirstOrThrow()
  expect(device.device_id).toMatch(/^[0-9a-f]{32}$/)
  // A row whose words change keeps what was read for it.
  await db.transaction((tx) =>
    tx.updateTable('evidence').set({ name: 'New clip' }).where('evidence_id', '=', 1).execute(),
  )
  expect([await found('old'), await found('new nikonette')]).toEqual([[0], [1]])
})
