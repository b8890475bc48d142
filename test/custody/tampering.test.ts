import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LedgerReport, verifyLedger } from '../../server/features/integrity/verification/verify.ts'
import { openRaw, type RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import { KINDS } from './tampering.kinds.ts'
import { intrude, makeWorld, officer, read, type World } from './world.ts'

let world: World
let yesterday: string
let outside: string[]
let copies = 0

beforeAll(async () => {
  world = await makeWorld()
  const { clock, ledger, checkpoints, file, dir } = world
  const writeUpTo = async (last: number): Promise<void> => {
    for (let { seq } = await ledger.head(); seq < last; seq++) {
      clock.advance(1000)
      await ledger.record(officer(), read(seq + 1))
    }
    await checkpoints.take('hour')
  }
  await writeUpTo(40)
  await writeUpTo(80)
  yesterday = path.join(dir, 'yesterday.db')
  const raw = openRaw(file)
  raw.exec(`VACUUM INTO '${yesterday}'`)
  raw.close()
  openRaw(yesterday).close()
  await writeUpTo(99)
  outside = [...world.kept.values()]
  await world.close()
})
afterAll(() => world.remove())

async function tamper(work: (db: RawDatabase) => void, notes: readonly string[] = []): Promise<LedgerReport> {
  const file = path.join(world.dir, `copy-${++copies}.db`)
  copyFileSync(world.file, file)
  intrude(file, work)
  try {
    return await verifyLedger({ file, publicKeys: world.keys.signing.publicKeys(), outside: notes })
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  }
}

describe(`I3 tampering with the ledger is found, ${KINDS.length} kinds`, () => {
  it('an untouched ledger has no problem', async () => {
    const report = await tamper(() => {}, outside)
    expect(report).toMatchObject({ entries: 100, checkpoints: 3, problems: [], firstBad: null })
  })

  it.each(KINDS)('$name', async ({ tamper: work, bad, exact, kind, outside: needsNotes }) => {
    const { problems, firstBad } = await tamper(work, needsNotes === true ? outside : [])
    expect(problems.map((problem) => problem.kind)).toContain(kind)
    if (bad === null) return
    if (exact) expect(firstBad).toEqual({ from: bad, to: bad })
    else {
      expect(firstBad?.from).toBeLessThanOrEqual(bad)
      expect(firstBad?.to).toBeGreaterThanOrEqual(bad)
      // Nothing that a checkpoint proves good is blamed, and the range is one between two of them at most.
      expect((firstBad?.to ?? 0) - (firstBad?.from ?? 0)).toBeLessThan(40)
      expect(firstBad?.from).toBeGreaterThan(bad > 80 ? 80 : bad > 40 ? 40 : 0)
    }
  })

  it('an older copy of the database is found by a checkpoint kept outside', async () => {
    const { problems } = await verifyLedger({ file: yesterday, publicKeys: world.keys.signing.publicKeys(), outside })
    expect(problems.map(({ kind }) => kind)).toEqual(['ledger.rewritten'])
  })

  it('a station with another key does not accept these checkpoints', async () => {
    const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x as string
    const { problems } = await verifyLedger({ file: world.file, publicKeys: [Buffer.from(other, 'base64url')] })
    expect(problems.filter(({ kind }) => kind === 'ledger.checkpoint')).toHaveLength(3)
  })

  it('a ledger rewritten from end to end does not fill the memory', async () => {
    const { problems, leftOut } = await tamper((db) => db.exec("UPDATE ledger SET object_id = 'x'"))
    expect(problems.length + leftOut).toBeGreaterThanOrEqual(100)
  })
})
