// @module-tag merge
import { isReadOfVisit } from '../../../shared/kernel/custody-reads.ts'
import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ACTIONS, ACTIONS_VIEWED, kindOf } from '../../../server/kernel/ledger/actions.ts'
import { createLedger } from '../../../server/kernel/ledger/ledger.ts'
import type { WithFile } from '../../../server/kernel/kernel.ts'
import { createVerifyEvidence } from '../../../server/features/integrity/verification/verify-evidence.ts'
import { dropTriggers, fileOfRows, openTestDatabase } from '../../support/rows.ts'
import { signingKeysOf } from '../../support/station-keys.ts'
import { systemClock } from '../../../server/platform/clock/clock.ts'
import { createLog } from '../../../server/platform/log/log.ts'
import { startServer } from '../../../server/index.ts'
import { type Given, givenStation, type Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'

/** The custody of one evidence, read from the ledger and recomputed (decisions 12, promises I1 and I3). */
const custodyOf = (given: Given, evidenceId: string, query = ''): Promise<Json> =>
  given.expecting(200, given.call('GET', `${given.documents}/evidence/${evidenceId}/custody?${query}`))
const verified = (given: Given, evidenceId: string): Promise<Json> =>
  given.expecting(200, given.call('POST', `${given.documents}/evidence/${evidenceId}/custody/verify`))
const sha256 = (...parts: Uint8Array[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

describe('I1 reading custody', () => {
  let given: Given
  let one: { evidenceId: string; resourceId: string }
  let other: { evidenceId: string; resourceId: string }
  beforeAll(async () => {
    given = await givenStation()
    other = await given.completed(Buffer.from('another matter'))
    one = await given.completed(Buffer.from('%PDF-1.4\n%%EOF\n'), { name: 'report.pdf' })
    await given.settled(one.evidenceId)
    await given.call('GET', `${given.documents}/evidence/${one.evidenceId}`)
    await given.call('GET', `${given.documents}/evidence/${one.evidenceId}/resource/${one.resourceId}/content`)
    await given.call('GET', `${given.documents}/evidence/${other.evidenceId}`)
    const job = given.database((db) =>
      db
        .prepare('SELECT job_id FROM jobs WHERE subject = ? ORDER BY job_id LIMIT 1')
        .pluck()
        .get(`resource:${one.resourceId}`),
    )
    await given.call('POST', `/api/v1/tenant/station/job/${String(job)}/retry`)
  })
  afterAll(() => given?.close())

  it('tells everything of this evidence and nothing of another, newest first', async () => {
    const { Entries } = await custodyOf(given, one.evidenceId)
    const mine = given
      .ledger()
      .filter(
        ({ object, seq }) =>
          seq <= Entries[0].Seq &&
          ((object.type === 'evidence' && object.id === one.evidenceId) ||
            (object.type === 'resource' && object.id === one.resourceId)),
      )
      .map(({ seq }) => seq)
      .reverse()
    expect(Entries.filter((entry: Json) => entry.Object.Type !== 'job').map((entry: Json) => entry.Seq)).toEqual(mine)
    for (const action of [
      'evidence.created',
      'resource.completed',
      'resource.downloaded',
      'upload.committed',
      'evidence.read',
    ])
      expect(Entries.map((entry: Json) => entry.Action)).toContain(action)
  })

  it('each entry carries the very bytes of which its hash was made', async () => {
    const { Entries } = await custodyOf(given, one.evidenceId)
    for (const entry of Entries) {
      expect(sha256(Buffer.from(entry.PreviousHash, 'hex'), Buffer.from(entry.Canonical, 'utf8'))).toBe(entry.Hash)
      const said = JSON.parse(entry.Canonical)
      expect([said.seq, said.action, said.timeUtc, said.actor.name, said.detail]).toEqual([
        entry.Seq,
        entry.Action,
        entry.TimeUtc,
        entry.Actor.Name,
        entry.Detail,
      ])
    }
    const hashes = given.database((db) => db.prepare('SELECT hash FROM ledger ORDER BY seq').pluck().all()) as Buffer[]
    const stored = hashes.map((hash) => hash.toString('hex'))
    for (const entry of Entries)
      expect([entry.PreviousHash, entry.Hash]).toEqual([stored[entry.Seq - 2], stored[entry.Seq - 1]])
  })

  it('to read it is an entry, which the next reading shows', async () => {
    const before = await custodyOf(given, one.evidenceId, 'count=1')
    const after = await custodyOf(given, one.evidenceId, 'count=1')
    expect(after.Counts.All).toBe(before.Counts.All + 1)
    expect(after.Counts.Views).toBe(before.Counts.Views + 1)
    expect(after.Entries[0]).toMatchObject({
      Action: 'ledger.read',
      Kind: 'view',
      Detail: { kind: 'all', count: 1, returned: 1 },
    })
  })

  it('acts are all but the reads of visits that were allowed; users among the actors come with their names', async () => {
    const page = await custodyOf(given, one.evidenceId, 'kind=acts&count=1000')
    const all = await custodyOf(given, one.evidenceId, 'count=1000')
    const acts = all.Entries.filter((entry: Json) => !isReadOfVisit(entry.Action, entry.Outcome))
    expect(page.Entries.map(({ Seq }: Json) => Seq)).toEqual(acts.map(({ Seq }: Json) => Seq))
    expect(page.Counts.Acts).toBe(acts.length)
    expect(acts.length).toBeLessThan(all.Entries.length)
    expect(page.Entries.some((entry: Json) => entry.Kind === 'change')).toBe(true)
    const users = new Set(
      all.Entries.filter(({ Actor }: Json) => Actor.Kind === 'user').map(({ Actor }: Json) => Actor.Id),
    )
    expect(all.People.map(({ Id }: Json) => Id).sort()).toEqual([...users].sort())
    for (const { FirstName, LastName } of all.People)
      expect([typeof FirstName, typeof LastName]).toEqual(['string', 'string'])
  })

  it.each(['all', 'changes', 'views'] as const)('%s, in pages, without gap or double', async (kind) => {
    const seen: Json[] = []
    let before = ''
    do {
      const page: Json = await custodyOf(given, one.evidenceId, `kind=${kind}&count=3${before}`)
      expect(page.Counts.All).toBe(page.Counts.Changes + page.Counts.Views)
      seen.push(...page.Entries)
      before = page.Cursor === null ? '' : `&before=${page.Cursor}`
    } while (before !== '')
    const seqs = seen.map((entry) => entry.Seq as number)
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => b - a))
    const whole = (await custodyOf(given, one.evidenceId, 'count=1000')).Entries.filter(
      (entry: Json) =>
        entry.Seq <= (seqs[0] as number) && (kind === 'all' || entry.Kind === (kind === 'views' ? 'view' : 'change')),
    )
    expect(seqs).toEqual(whole.map((entry: Json) => entry.Seq))
    expect(seqs.length).toBeGreaterThan(3)
  })

  it('every action the ledger knows is a change or a view, and a stranger among them no mere look', () => {
    expect(ACTIONS.filter((action) => kindOf(action) === 'view')).toEqual(ACTIONS_VIEWED)
    expect([kindOf('resource.completed'), kindOf('resource.downloaded'), kindOf('toString')]).toEqual([
      'change',
      'view',
      'change',
    ])
  })

  it('what is not there is 404', async () => {
    const reply = await given.call('GET', `${given.documents}/evidence/999999/custody`)
    expect([reply.status, reply.json.ErrorCode]).toEqual([404, 'EvidenceNotFound'])
    const verify = await given.call('POST', `${given.documents}/evidence/999999/custody/verify`)
    expect([verify.status, verify.json.ErrorCode]).toEqual([404, 'EvidenceNotFound'])
  })
})

describe('I3 verifying in front of somebody', () => {
  let given: Given
  let one: { evidenceId: string; resourceId: string }
  beforeEach(async () => {
    given = await givenStation()
    one = await given.completed(Buffer.from('what happened'))
    await given.settled(one.evidenceId)
  })
  afterEach(() => given?.close())

  const first = (): number =>
    given.ledger().find(({ object }) => object.type === 'evidence' && object.id === one.evidenceId)?.seq ?? 0
  /** Over the station's shoulder, as somebody with the disk in his hands would. */
  const tamper = async (sql: string, ...values: unknown[]): Promise<void> => {
    const { changes } = await given.meddle((db) => {
      for (const table of ['ledger', 'checkpoints']) dropTriggers(db, table)
      return db.prepare(sql).run(...values)
    })
    expect(changes).toBeGreaterThan(0)
  }

  it('an untouched ledger: the range, the head, and no checkpoint over it yet', async () => {
    const head = given.ledger().at(-1)?.seq as number
    const found = await verified(given, one.evidenceId)
    expect(found).toMatchObject({
      Intact: true,
      FirstBad: null,
      FromSeq: first(),
      ToSeq: head,
      HeadSeq: head,
      Bounded: false,
      Checkpoint: null,
    })
    expect(found.Checked).toBeGreaterThanOrEqual(head - first() + 1)
    const { Entries } = await custodyOf(given, one.evidenceId, 'count=1000')
    expect(found.Entries).toBe(Entries.filter((entry: Json) => entry.Seq <= head).length)
    expect(found.HeadHash).toBe(
      given
        .database((db) => db.prepare('SELECT hash FROM ledger WHERE seq = ?').pluck().get(head) as Buffer)
        .toString('hex'),
    )
  })

  describe('with a checkpoint over it', () => {
    beforeEach(async () => {
      // A stop and a start sign what happened.
      await given.stop()
      given = await restarted(given)
    })

    it('is intact, and the checkpoint is the station’s', async () => {
      const found = await verified(given, one.evidenceId)
      const row = given.database((db) =>
        db.prepare('SELECT size, root, created_utc FROM checkpoints ORDER BY size DESC LIMIT 1').get(),
      ) as { size: number; root: Buffer; created_utc: string }
      expect(found).toMatchObject({
        Intact: true,
        FirstBad: null,
        Checkpoint: {
          Size: row.size,
          Root: row.root.toString('hex'),
          TimeUtc: row.created_utc,
          KeyId: expect.stringMatching(/^[0-9a-f]{8}$/),
          Valid: true,
        },
      })
    })

    it('too far back: the range begins at a checkpoint, and says so', async () => {
      const db = await openTestDatabase({ file: given.file })
      try {
        const ledger = createLedger({ db, clock: systemClock, log: createLog('silent') })
        const keys = await signingKeysOf(given)
        const withFile: WithFile = async (work) => work(await fileOfRows(given.file))
        const about = { db, ledger, clock: systemClock, withFile, publicKeys: () => keys }
        const { seq } = await ledger.head()
        const sizes = given.database((raw) =>
          raw.prepare('SELECT size FROM checkpoints ORDER BY size').pluck().all(),
        ) as number[]
        const most = seq - (sizes.at(-1) as number)
        const found = await createVerifyEvidence({ ...about, most })(
          Number(one.evidenceId),
          AbortSignal.timeout(60_000),
        )
        expect(found).toMatchObject({
          bounded: true,
          intact: true,
          fromSeq: (sizes.at(-1) as number) + 1,
          toSeq: seq,
          checked: most,
        })
        const whole = await createVerifyEvidence({ ...about, most: seq })(
          Number(one.evidenceId),
          AbortSignal.timeout(60_000),
        )
        expect(whole).toMatchObject({ bounded: false, intact: true, fromSeq: first() })
        await expect(
          createVerifyEvidence({ ...about, most })(Number(one.evidenceId), AbortSignal.abort(new Error('gone'))),
        ).rejects.toThrow('gone')
      } finally {
        await db.close()
      }
    })

    it('one letter of an entry changed: the first bad one is named, and the entry of the verification says failed', async () => {
      const at = first() + 1
      const body = given.database((db) => db.prepare('SELECT body FROM ledger WHERE seq = ?').pluck().get(at)) as Buffer
      const changed = body.toString().replaceAll('"kind":"service"', '"kind":"servicf"')
      await tamper('UPDATE ledger SET body = ? WHERE seq = ?', Buffer.from(changed), at)
      const reply = await given.call('POST', `${given.documents}/evidence/${one.evidenceId}/custody/verify`)
      expect(reply.json).toMatchObject({
        Intact: false,
        FirstBad: { Seq: at, Problem: expect.stringContaining('changed') },
      })
      expect(given.ledger().find(({ correlationId }) => correlationId === reply.correlationId)).toMatchObject({
        action: 'custody.verified',
        outcome: 'failed',
        detail: { firstBad: at },
      })
    })

    it('I3+: the evidence’s row changed beneath the station: the entry that says otherwise is named', async () => {
      await tamper("UPDATE evidence SET description = 'somebody else' WHERE evidence_id = ?", Number(one.evidenceId))
      expect(await verified(given, one.evidenceId)).toMatchObject({
        Intact: false,
        FirstBad: { Problem: expect.stringContaining('the database holds something else') },
      })
    })

    it('an entry taken out is missing', async () => {
      const at = first() + 1
      await tamper('DELETE FROM ledger WHERE seq = ?', at)
      expect(await verified(given, one.evidenceId)).toMatchObject({
        Intact: false,
        FirstBad: { Seq: at, Problem: 'It is missing.' },
      })
    })

    it('everything rewritten from there on, hashes and all, is not what was signed', async () => {
      await given.meddle((db) => {
        dropTriggers(db, 'ledger')
        const rows = db.prepare('SELECT seq, body, hash FROM ledger ORDER BY seq').all() as {
          seq: number
          body: Buffer
          hash: Buffer
        }[]
        let previous: Uint8Array = rows[first() - 2]?.hash as Buffer
        for (const { seq, body } of rows.slice(first() - 1)) {
          const changed = seq === first() + 1 ? Buffer.from(body.toString().replace('uploader', 'uploadex')) : body
          const hash = createHash('sha256').update(previous).update(changed).digest()
          const leaf = createHash('sha256').update(Buffer.of(0)).update(changed).digest()
          db.prepare('UPDATE ledger SET body = ?, hash = ?, leaf = ? WHERE seq = ?').run(changed, hash, leaf, seq)
          previous = hash
        }
      })
      const found = await verified(given, one.evidenceId)
      expect(found).toMatchObject({
        Intact: false,
        Checkpoint: { Valid: false },
        FirstBad: { Problem: expect.stringContaining('not those that were signed') },
      })
      expect(found.FirstBad.Seq).toBeLessThanOrEqual(first() + 1)
    })

    it('a checkpoint that somebody else signed is not valid', async () => {
      await tamper(
        `UPDATE checkpoints SET note = replace(note, '— ', '— x') WHERE size = (SELECT max(size) FROM checkpoints)`,
      )
      expect(await verified(given, one.evidenceId)).toMatchObject({ Intact: false, Checkpoint: { Valid: false } })
    })

    it('a damaged entry is still shown, as what it is', async () => {
      const at = first() + 1
      await tamper('UPDATE ledger SET body = ? WHERE seq = ?', Buffer.from('no entry'), at)
      const { Entries } = await custodyOf(given, one.evidenceId, 'count=1000')
      expect(Entries.find((entry: Json) => entry.Seq === at)).toMatchObject({
        Action: '',
        Kind: 'change',
        Canonical: 'no entry',
        Outcome: 'failed',
      })
    })
  })
})

async function restarted(before: Given): Promise<Given> {
  const station = await startServer(before.settings)
  const token = await signIn(before.connection, station.url)
  const call: Given['call'] = (method, address, options) =>
    before.call(method, `${station.url}${address}`, { token, ...options })
  const close = async (): Promise<void> => {
    await station.close()
    await before.close()
  }
  return { ...before, url: station.url, call, close, stop: close }
}
