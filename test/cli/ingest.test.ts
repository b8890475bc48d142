// @module-tag merge
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IngestReport } from '../../server/features/uploads/ingest/folder.ts'
import { readConnectionFile, sha256, signIn } from '../support/integrator.ts'
import { patience, scale } from '../support/scale.ts'
import type { Station } from '../support/station.ts'
import { ledger, leftovers, makePlace, type Place, rows, running, say, sayJson, start } from './world.ts'

/** As root a file of one's own without any permission can be read all the same: then the right to do so is given away. */
const UNPRIVILEGED =
  process.getuid?.() === 0 ? ['setpriv', '--inh-caps=-all', '--bounding-set=-dac_override,-dac_read_search'] : []

const evidence = (data: string) =>
  rows<{ name: string; sha256: string; length: number }>(
    data,
    "SELECT name, sha256, length FROM resources WHERE role = 'original' AND state = 'UserCompleted' ORDER BY resource_id",
  )

const RUNNING = 'while a station runs'

// Without a station each command opens one of its own, and takes as long.
for (const { how, tags } of [
  { how: RUNNING, tags: [] },
  { how: 'while none runs', tags: ['merge' as const] },
])
  describe(`ingest ${how}`, { tags }, () => {
    let place: Place
    let station: Station | null = null
    beforeAll(async () => {
      place = makePlace('ingest')
      if (how === RUNNING) station = await running(place.data)
    })
    afterAll(async () => {
      await station?.stop()
      place.remove()
    })
    // What does not depend on where a command is done is tried once.
    const once = (title: string, test: () => Promise<void>): void => {
      if (how === RUNNING) it(title, test)
    }
    const ingest = (...words: string[]) => say(['ingest', ...words], { data: place.data })
    const report = (...words: string[]) => sayJson<IngestReport>(['ingest', ...words], { data: place.data })

    it('takes folders and files in once, and what changed as new evidence', async () => {
      const media = place.folder('media')
      writeFileSync(join(place.folder('media/deep/deeper'), 'a.bin'), 'a')
      writeFileSync(join(media, 'empty'), '')
      const single = place.path('single.bin')
      writeFileSync(single, 'single')

      const first = await ingest(media, single)
      expect(first.code).toBe(0)
      expect(first.stdout.trim().split('\n')).toHaveLength(3)
      for (const [text, path] of [
        ['', `${media}/empty`],
        ['single', single],
        ['a', `${media}/deep/deeper/a.bin`],
      ] as const)
        expect(first.stdout).toMatch(new RegExp(`^evidence \\d+ {2}${sha256(Buffer.from(text))} {2}${path}$`, 'm'))
      expect(first.stderr).toMatch(/^3 taken in \(7\sB\), 0 here already, 0 skipped, 0 failed\.$/m)
      expect(evidence(place.data)).toHaveLength(3)
      const user = userInfo().username
      for (const action of ['evidence.created', 'resource.completed'])
        expect(ledger(place.data).findLast((entry) => entry.action === action)).toMatchObject({
          actor: { kind: 'cli', id: user, name: `cli:${user}` },
          source: 'cli',
        })

      const again = await report(media, single)
      expect(again).toMatchObject({ ingested: [], skipped: [], failed: [] })
      expect(again.alreadyHere).toHaveLength(3)

      // As long as before and other bytes.
      writeFileSync(single, 'elgnis')
      const changed = await report(media, single)
      expect(changed.alreadyHere).toHaveLength(2)
      expect(changed.ingested).toMatchObject([{ path: single, sha256: sha256(Buffer.from('elgnis')) }])
      expect(
        evidence(place.data)
          .map(({ sha256: hash }) => hash)
          .toSorted(),
      ).toEqual(['', 'a', 'single', 'elgnis'].map((text) => sha256(Buffer.from(text))).toSorted())
    })

    it('skips entries that are no files, and takes every name as it is', async () => {
      const odd = place.folder('odd')
      writeFileSync(join(odd, 'one\nevidence 99  made up'), '1')
      writeFileSync(Buffer.concat([Buffer.from(`${odd}/caf`), Buffer.from([0xe9])]), '2')
      writeFileSync(join(odd, ' "quoted" \u202e'), '3')
      symlinkSync('/etc/passwd', join(odd, 'link'))
      symlinkSync('/etc', join(odd, 'folder-link'))
      execFileSync('mkfifo', [join(odd, 'pipe')])
      const socket = createServer().listen(join(odd, 'socket'))
      await new Promise((resolve) => socket.once('listening', resolve))
      const { code, stdout, stderr } = await ingest(odd)
      socket.close()
      expect(code).toBe(0)
      expect(stdout).toMatch(/^evidence \d+ {2}\w{64} {2}.*\/one\\nevidence 99 {2}made up$/m)
      expect(stdout).toMatch(/\/caf\\xe9$/m)
      expect(stdout).toMatch(/\\u202e$/m)
      expect(stdout.trim().split('\n')).toHaveLength(3)
      for (const [name, reason] of [
        ['link', 'link'],
        ['folder-link', 'link'],
        ['pipe', 'pipe'],
        ['socket', 'socket'],
      ])
        expect(stderr).toMatch(new RegExp(`^skipped {2}${odd}/${name}: It is a ${reason}`, 'm'))
      expect(evidence(place.data).map(({ name }) => name)).toEqual(
        expect.arrayContaining(['one\nevidence 99  made up', 'caf\\xe9', ' "quoted" \u202e']),
      )
      expect((await report(odd)).alreadyHere).toHaveLength(3)
    })

    once('exits 1 when something that was named was not taken in, and takes the rest', async () => {
      const some = place.folder('some')
      writeFileSync(join(some, 'good'), randomBytes(8))
      const { code, stdout, stderr } = await ingest(some, place.path('not-there'))
      expect(code).toBe(1)
      expect(stdout).toMatch(/some\/good$/m)
      expect(stderr).toMatch(/not-there: It is not there\./)
    })

    once('--case with a case that is not there takes nothing in', async () => {
      const before = evidence(place.data).length
      const file = place.path('for-a-case')
      writeFileSync(file, randomBytes(8))
      const { code, stdout, stderr } = await ingest(file, '--case', '17')
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/no case 17/)
      expect(evidence(place.data)).toHaveLength(before)
    })

    once('--case puts what it takes in, and what is here already, into the case', async () => {
      const connection = place.path('config.json')
      const { url } = station as Station
      await say(
        ['integration', 'create', 'cases', '--policies', 'CreateCases', '--base-url', url, '--out', connection],
        {
          data: place.data,
        },
      )
      const token = await signIn(readConnectionFile(connection), url)
      const call = async (method: string, path: string, body?: unknown) =>
        (
          await fetch(`${url}/api/v1/case/station${path}`, {
            method,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          })
        ).json() as Promise<{ CaseId: string; EvidenceIds: string[] }>
      const { CaseId } = await call('POST', '', { Title: 'From a card' })
      const folder = place.folder('card')
      for (const name of ['one', 'two']) writeFileSync(join(folder, name), randomBytes(64))
      const first = await report(join(folder, 'one'))
      const both = await report(folder, '--case', CaseId)
      const ids = [...first.ingested, ...both.ingested].map(({ evidenceId }) => evidenceId)
      expect([both.alreadyHere.length, ids.length]).toEqual([1, 2])
      expect((await call('GET', `/${CaseId}`)).EvidenceIds.sort()).toEqual(ids.sort())
      await call('POST', `/${CaseId}/close`)
      const late = await ingest(folder, '--case', CaseId)
      expect([late.code, late.stdout]).toEqual([1, ''])
      expect(late.stderr).toMatch(/closed/)
    })

    it('stopped by Ctrl-C in the middle it loses nothing and leaves nothing lying about', {
      timeout: patience(60_000),
    }, async () => {
      const count = scale(60, 1500)
      const many = place.folder('many')
      const hashes = new Map<string, string>()
      for (let at = 0; at < count; at += 1) {
        const bytes = randomBytes(at % 10 === 0 ? 2 ** 20 : 4096)
        hashes.set(sha256(bytes), join(many, `${at}`))
        writeFileSync(join(many, `${at}`), bytes)
      }
      const mine = () => evidence(place.data).filter(({ sha256: hash }) => hashes.has(hash))
      const stopped = start(['ingest', many], { data: place.data, env: { SALLYPORT_INGEST_LANES: '2' } })
      await stopped.says(/\d+ taken in, 0 here already/)
      stopped.child.kill('SIGINT')
      const { code, stdout, stderr } = await stopped.ended
      expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
      expect(stderr).toMatch(/Stopped\. What was taken in is kept/)
      // A running station hears of it a moment later.
      const deadline = Date.now() + 10_000
      while (leftovers(place.data).length > 0 && Date.now() < deadline)
        await new Promise((done) => setTimeout(done, 50))
      expect(leftovers(place.data)).toEqual([])
      const kept = mine()
      expect(kept.length).toBeLessThan(count)
      for (const { sha256: hash, length } of kept) {
        const file = join(place.data, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash)
        expect(existsSync(file) && readFileSync(file).length === length).toBe(true)
      }

      const rest = await report(many)
      expect(rest.alreadyHere).toHaveLength(kept.length)
      expect(rest.ingested).toHaveLength(count - kept.length)
      expect(new Set(mine().map(({ sha256: hash }) => hash)).size).toBe(count)
      expect(await say(['verify', '--fast'], { data: place.data })).toMatchObject({ code: 0 })
    })
  })

it('a file that may not be read is a failure, reported for each, and the others are taken in', async () => {
  const place = makePlace('unreadable')
  try {
    const folder = place.folder('mixed')
    writeFileSync(join(folder, 'open'), 'open')
    writeFileSync(join(folder, 'closed'), 'closed')
    chmodSync(join(folder, 'closed'), 0)
    chmodSync(place.folder('mixed/locked'), 0)
    const { code, stdout, stderr } = await say(['ingest', folder], { data: place.data, under: UNPRIVILEGED })
    chmodSync(place.path('mixed/locked'), 0o700)
    expect(code).toBe(1)
    expect(stdout).toMatch(/mixed\/open$/m)
    expect(stderr).toMatch(/^FAILED {2}.*mixed\/closed: /m)
    expect(stderr).toMatch(/^skipped {2}.*mixed\/locked: .*may not read it\.$/m)
    expect(stderr).not.toMatch(/ at .*\.ts/)
    expect(leftovers(place.data)).toEqual([])
  } finally {
    place.remove()
  }
})
