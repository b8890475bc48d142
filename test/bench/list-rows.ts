/** Evidence by direct SQL: as many rows as a station of some years has, without the bytes. */
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'

const TYPES = [
  'video/mp4',
  'video/mp4',
  'video/mp4',
  'audio/wav',
  'image/jpeg',
  'application/pdf',
  'text/plain',
  'application/zip',
]
const JOBS = ['derive.inspect', 'derive.playable', 'derive.poster', 'derive.strip']
const STREETS = [
  'Tanner’s Row',
  'Linden House',
  'Ferry Street',
  'Orchard Close',
  'Mill Lane',
  'Quay Road',
  'Řeznická',
  'École',
]
const OFFICER = JSON.stringify({
  KId: 'urn:user:station:okafor:12',
  Username: 'okafor',
  PrincipalId: '12',
  PrincipalType: 'user',
})
const FIRST = Date.parse('2020-01-01T00:00:00Z')
/** One recording every so many milliseconds. */
const APART = 150_000

export const wordsOf = (index: number): string => `BWC ${index % 997}, ${STREETS[index % STREETS.length]} ${index % 61}`

/** Into the file of a station that does not run and has its tenant. */
export function writeEvidences(file: string, count: number): void {
  const db = openRaw(file)
  const evidence = db.prepare(
    `INSERT INTO evidence (tenant_id, name, start_utc, start_ticks, end_utc, end_ticks, created_utc, created_ticks, created_by, concurrency_id, state)
     VALUES ('station', ?, ?, ?, ?, ?, ?, ?, ?, ?, 'UserCompleted')`,
  )
  const blob = db.prepare(`INSERT INTO blobs VALUES (?, ?, 'direct', ?)`)
  const resource = db.prepare(
    `INSERT INTO resources (evidence_id, name, mime_type, sniffed_type, role, state, parent_id, sha256, length, media, derivation, time_offset, uploaded_utc, uploaded_by, created_utc, concurrency_id)
     VALUES (?, ?, ?, ?, ?, 'UserCompleted', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const job = db.prepare(
    `INSERT INTO jobs (kind, payload, subject, dedup_key, state, message, created_utc, finished_utc) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const tag = db.prepare('INSERT INTO evidence_tags VALUES (?, 0, ?, ?)')
  const write = db.transaction((from: number, to: number) => {
    for (let index = from; index < to; index++) {
      const millis = FIRST + index * APART
      const utc = new Date(millis).toISOString()
      const until = new Date(millis + 60_000 * (1 + (index % 45))).toISOString()
      const known = index % 10 > 0
      const sha256 = index.toString(16).padStart(64, '0')
      const id = evidence.run(
        wordsOf(index),
        known ? utc : null,
        known ? BigInt(millis) * 10_000n : null,
        known ? until : null,
        known ? BigInt(Date.parse(until)) * 10_000n : null,
        utc,
        BigInt(millis) * 10_000n,
        OFFICER,
        sha256.slice(24),
      ).lastInsertRowid
      blob.run(sha256, 1000 + index, utc)
      const type = TYPES[index % TYPES.length] as string
      const media =
        '{"Width":1920,"Height":1080,"DurationSeconds":1120.5,"FrameCount":33615,"VideoCodec":"h264","Version":2}'
      const offset = index % 3 === 0 ? `PT${index % 90}S` : null
      const original = resource.run(
        id,
        `BW${index % 997}_${index}.mp4`,
        type,
        type,
        'original',
        null,
        sha256,
        1000 + ((index * 7919) % 4_000_000_007),
        media,
        null,
        offset,
        utc,
        OFFICER,
        utc,
        sha256.slice(24),
      ).lastInsertRowid
      const derivation = JSON.stringify({
        Tool: 'ffmpeg',
        Version: '7.1',
        Arguments: ['-v', 'error', '-i', '/in', '-c', 'copy', '/out/out.mp4'],
        InputSha256: sha256,
      })
      resource.run(
        id,
        `BW${index % 997}_${index}.play.mp4`,
        'video/mp4',
        'video/mp4',
        'playable',
        original,
        sha256,
        1000 + index,
        media,
        derivation,
        null,
        utc,
        OFFICER,
        utc,
        sha256.slice(24),
      )
      for (const kind of JOBS) {
        const failed = kind === 'derive.strip' && index % 500 === 0
        job.run(
          kind,
          `{"resourceId":"${original}"}`,
          `resource:${original}`,
          `${kind}:${original}`,
          failed ? 'failed' : 'done',
          failed ? 'No.' : '',
          utc,
          utc,
        )
      }
      if (index % 2 === 0) tag.run(id, `Response ${index % 40}`, `response ${index % 40}`)
    }
  })
  for (let from = 0; from < count; from += 10_000) write(from, Math.min(count, from + 10_000))
  // Its blobs were read lately: else the station would miss a hundred thousand files while it is measured.
  db.prepare('UPDATE blob_checks SET checked_at = ?, due_at = ?').run(Date.now(), Date.now() + 90 * 86_400_000)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}
