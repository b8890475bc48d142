/** Originals of several evidences as one ZIP file: opened with programs that are not ours, checked by its own list of hashes. */
import { execFileSync } from 'node:child_process'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Given, givenStation } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { temporaryFolder } from '../../support/station.ts'

let given: Given
let folder: Awaited<ReturnType<typeof temporaryFolder>>
const FILES = [
  ['BWC 0410.mp4', Buffer.alloc(300_000, 7)],
  ['../../x', Buffer.from('who goes there')],
  ['شاهد\u202e.txt', Buffer.from('a name that runs the other way')],
  ['empty.bin', Buffer.alloc(0)],
  ['a"b\\c%d.txt', Buffer.from('quotes')],
] as const
interface Kept {
  readonly evidenceId: string
  readonly resourceId: string
  readonly sha256: string
}
let kept: Kept[]

beforeAll(async () => {
  given = await givenStation()
  folder = await temporaryFolder('download')
  kept = []
  for (const [name, bytes] of FILES) kept.push(await given.completed(bytes, { name }))
})
afterAll(async () => {
  await given.close()
  await folder.dispose()
})

const addressOf = (ids: readonly string[]): string =>
  `${given.documents}/evidence/download?${ids.map((id) => `id=${id}`).join('&')}`
const idsOf = (all: readonly Kept[]): string[] => all.map(({ evidenceId }) => evidenceId)
const downloaded = () => given.ledger().filter(({ action }) => action === 'resource.downloaded')

it('opens with unzip, and sha256sum finds every file whole', async () => {
  const reply = await given.call('GET', addressOf(idsOf(kept)))
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('application/zip')
  expect(reply.headers.get('content-length')).toBe(String(reply.bytes.length))
  expect(reply.headers.get('cache-control')).toBe('private, no-store')
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="Evidence [0-9T-]+Z\.zip"/)
  const file = path.join(folder.dir, 'all.zip')
  writeFileSync(file, reply.bytes)
  execFileSync('unzip', ['-tq', file])
  const into = path.join(folder.dir, 'all')
  execFileSync('unzip', ['-q', file, '-d', into])
  const checked = execFileSync('sha256sum', ['-c', '--strict', 'sha256.txt'], { cwd: into, encoding: 'utf8' })
  expect(checked.trim().split('\n')).toHaveLength(FILES.length)
  const manifest = readFileSync(path.join(into, 'manifest.csv'), 'utf8')
  for (const { sha256 } of kept) expect(manifest).toContain(sha256)
  expect(manifest).toContain('BWC 0410.mp4')
  // Names in the archive are safe ones, below one folder for each evidence.
  const names = execFileSync('unzip', ['-Z1', file], { encoding: 'utf8' }).trim().split('\n')
  expect(names.slice(0, 2)).toEqual(['manifest.csv', 'sha256.txt'])
  for (const name of names.slice(2)) expect(name).toMatch(/^files\/\d+\/\d+-[A-Za-z0-9_-][A-Za-z0-9._-]*$/)
})

it('I1: each original is an entry with its hash and bytes, once for an id that is given twice', async () => {
  const before = downloaded()
  const [first] = kept as [Kept]
  const reply = await given.call('GET', addressOf([first.evidenceId, `000${first.evidenceId}`]))
  expect(reply.status).toBe(200)
  const after = downloaded()
  expect(after).toHaveLength(before.length + 1)
  expect(after.at(-1)).toMatchObject({
    object: { type: 'resource', id: first.resourceId },
    sha256: first.sha256,
    bytes: FILES[0][1].length,
    detail: { evidenceId: first.evidenceId, archive: 1 },
  })
})

it('is refused as a whole where one of them may not be downloaded, and nothing of it is given out', async () => {
  const connection = await given.integration('reader', [])
  const token = await signIn(connection, given.url)
  const [own, theirs] = kept as [Kept, Kept]
  const { EvidenceId } = await given.expecting(
    201,
    given.call('POST', `${given.documents}/evidence`, { token, body: { Name: 'Their own' } }),
  )
  const place = `${given.documents}/evidence/${EvidenceId}/resource`
  const open = await given.expecting(201, given.call('POST', place, { token, body: { Name: 'own.txt' } }))
  await given.put(open.UploadUri, Buffer.from('their own'))
  await given.expecting(200, given.call('POST', `${place}/${open.ResourceId}/complete`, { token, body: {} }))
  const before = downloaded().length
  for (const ids of [
    [EvidenceId, theirs.evidenceId],
    [own.evidenceId, EvidenceId],
  ]) {
    const reply = await given.call('GET', addressOf(ids), { token })
    expect([reply.status, reply.json.ErrorCode]).toEqual([404, 'EvidenceNotFound'])
  }
  expect(downloaded()).toHaveLength(before)
  expect((await given.call('GET', addressOf([EvidenceId]), { token })).status).toBe(200)
})

it('needs Download on each, not View alone', async () => {
  const connection = await given.integration('viewer', [])
  const token = await signIn(connection, given.url)
  const [{ evidenceId }] = kept as [Kept]
  const place = `${given.documents}/evidence/${evidenceId}`
  const { ConcurrencyId, AccessPolicies } = await given.expecting(200, given.call('GET', place))
  const view = {
    Permissions: 'View',
    PrincipalId: connection.ServicePrincipalId,
    KId: connection.ServicePrincipalKey.kid,
    PrincipalType: 'service',
  }
  const body = { ConcurrencyId, AccessPolicies: [...AccessPolicies, view] }
  await given.expecting(200, given.call('PATCH', place, { body }))
  expect((await given.call('GET', place, { token })).status).toBe(200)
  const before = downloaded().length
  const reply = await given.call('GET', addressOf([evidenceId]), { token })
  expect([reply.status, reply.json.ErrorCode]).toEqual([403, 'Forbidden'])
  expect(downloaded()).toHaveLength(before)
})

it('has originals that are here and whole, and nothing that was made of them', async () => {
  const [{ evidenceId, resourceId, sha256 }] = kept as [Kept]
  const { EvidenceId } = await given.evidence()
  const picture = path.join(folder.dir, 'photo.jpg')
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=s=640x360:d=1', '-frames:v', '1', picture])
  const photo = await given.completed(readFileSync(picture), { name: 'photo.jpg', evidenceId: EvidenceId })
  await given.resource(EvidenceId, { Name: 'open.bin' })
  expect((await given.settled(EvidenceId)).filter(({ Parent }) => Parent !== null)).not.toEqual([])
  const reply = await given.call('GET', addressOf([EvidenceId]))
  const file = path.join(folder.dir, 'one.zip')
  writeFileSync(file, reply.bytes)
  const names = execFileSync('unzip', ['-Z1', file], { encoding: 'utf8' }).trim().split('\n')
  expect(names).toEqual(['manifest.csv', 'sha256.txt', `files/${EvidenceId}/${photo.resourceId}-photo.jpg`])
  // As after its bytes went to headquarters.
  await given.meddle((db) => {
    db.prepare(
      "INSERT INTO forwarding_receipts (resource_id, evidence_id, sha256, length, address, remote_tenant, remote_evidence_id, remote_resource_id, confirmed_utc) VALUES (?, ?, ?, 1, 'https://hq.example', 'hq', '1', '1', '2026-11-20T00:00:00Z')",
    ).run(Number(resourceId), Number(evidenceId), sha256)
    db.prepare(
      "INSERT INTO forwarded_blobs (sha256, length, resource_id, cleared_utc, removed) VALUES (?, 1, ?, '2026-11-20T00:00:00Z', 1)",
    ).run(sha256, Number(resourceId))
  })
  const away = await given.call('GET', addressOf([EvidenceId, evidenceId]))
  expect(away.json.ErrorCode).toBe('OriginalForwarded')
  await given.meddle((db) => {
    db.prepare('DELETE FROM forwarded_blobs WHERE sha256 = ?').run(sha256)
    db.prepare('DELETE FROM forwarding_receipts WHERE resource_id = ?').run(Number(resourceId))
  })
})

it.each([
  ['no id', ''],
  ['an id that is none', 'id=x'],
  ['501 ids', Array.from({ length: 501 }, (_, at) => `id=${at + 1}`).join('&')],
])('%s is 400', async (_name, query) => {
  const reply = await given.call('GET', `${given.documents}/evidence/download?${query}`)
  expect([reply.status, reply.json.ErrorCode]).toEqual([400, 'InvalidModel'])
})

it('evidence without a file has nothing to download', async () => {
  const { EvidenceId } = await given.evidence()
  const reply = await given.call('GET', addressOf([EvidenceId]))
  expect(reply.json.ErrorCode).toBe('ResourceNotCompleted')
})

it('HEAD tells that it may be had, and gives no bytes; each original is an entry of looking (I1)', async () => {
  const reply = await given.call('HEAD', addressOf(idsOf(kept)))
  expect([reply.status, reply.bytes.length, reply.headers.get('content-type')]).toEqual([200, 0, 'application/zip'])
  const entries = given.ledger().filter(({ correlationId }) => correlationId === reply.correlationId)
  expect(entries).toEqual(
    kept.map(({ evidenceId, resourceId, sha256 }) =>
      expect.objectContaining({
        action: 'resource.read',
        actor: { kind: 'service', id: given.principalId, name: 'uploader', role: null },
        object: expect.objectContaining({ type: 'resource', id: resourceId }),
        outcome: 'ok',
        sha256,
        bytes: null,
        detail: { evidenceId, range: null, archive: FILES.length },
      }),
    ),
  )
})

it.each([
  ['other bytes', (file: string) => writeFileSync(file, Buffer.alloc(90_000, 2))],
  ['fewer bytes', (file: string) => truncateSync(file, 10)],
])('a blob with %s ends the answer before it is whole', async (_name, damage) => {
  const bytes = Buffer.concat([Buffer.alloc(89_999, 1), Buffer.from(String(Math.random()).slice(2, 3))])
  const { evidenceId, sha256 } = await given.completed(bytes, { name: 'changed.bin' })
  const file = path.join(given.settings.data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  damage(file)
  const whole = given.call('GET', addressOf([evidenceId]))
  await expect(whole).rejects.toThrow()
})

it('S8: who goes away frees the file that was read', async () => {
  const { evidenceId } = await given.completed(Buffer.alloc(30_000_000, 9), { name: 'long.bin' })
  const open = async (): Promise<number> => {
    const links = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    )
    return links.filter((link) => link.includes(`${path.sep}blobs${path.sep}`)).length
  }
  const before = await open()
  for (let round = 0; round < 5; round++) {
    const stop = new AbortController()
    const reply = await fetch(`${given.url}${addressOf([evidenceId])}`, {
      headers: { authorization: `Bearer ${given.token}` },
      signal: stop.signal,
    })
    await reply.body?.getReader().read()
    stop.abort()
  }
  await expect.poll(open).toBe(before)
})

it('S4: a right that goes during the download ends it before the next file', async () => {
  const connection = await given.integration('leaver', [])
  const token = await signIn(connection, given.url)
  const long = await given.completed(Buffer.alloc(30_000_000, 9), { name: 'first.bin' })
  const secret = await given.completed(Buffer.from('what may not be known any more'), { name: 'second.txt' })
  const set = async (evidenceId: string, Permissions: string | null): Promise<void> => {
    const place = `${given.documents}/evidence/${evidenceId}`
    const { ConcurrencyId, AccessPolicies } = await given.expecting(200, given.call('GET', place))
    const own = { PrincipalId: connection.ServicePrincipalId, KId: connection.ServicePrincipalKey.kid }
    const others = AccessPolicies.filter(({ PrincipalId }: { PrincipalId: string }) => PrincipalId !== own.PrincipalId)
    const policies = Permissions === null ? [] : [{ ...own, Permissions, PrincipalType: 'service' }]
    const body = { ConcurrencyId, AccessPolicies: [...others, ...policies] }
    await given.expecting(200, given.call('PATCH', place, { body }))
  }
  for (const { evidenceId } of [long, secret]) await set(evidenceId, 'Download')
  const reply = await fetch(`${given.url}${addressOf([long.evidenceId, secret.evidenceId])}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(reply.status).toBe(200)
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader()
  const parts = [(await reader.read()).value as Uint8Array]
  await set(secret.evidenceId, null)
  const rest = async (): Promise<void> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value)
  }
  await expect(rest()).rejects.toThrow()
  expect(Buffer.concat(parts).includes('what may not be known any more')).toBe(false)
})
