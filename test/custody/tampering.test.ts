import { copyFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LedgerReport, verifyLedger } from '../../server/custody/verify.ts'
import { openRaw, type RawDatabase } from '../../server/db/raw.ts'
import { KINDS } from './tampering.kinds.ts'
import { intrude, officer, openWorld, ORIGIN, read } from './world.ts'

let template: {
  file: string
  publicKeys: readonly Uint8Array[]
  outside: string[]
  yesterday: string
  dispose: () => void
}
let count = 0

beforeAll(async () => {
  let dispose = (): void => {}
  const hold = new Promise<void>((resolve) => {
    dispose = resolve
  })
  const world = await makeTemplate()
  template = { ...world, dispose }
  void hold.then(world.remove)
})
afterAll(() => template.dispose())

async function makeTemplate() {
  const { temporaryFolder } = await import('../support/station.ts')
  const { openDatabase } = await import('../../server/db/database.ts')
  const { createLedger } = await import('../../server/custody/ledger.ts')
  const { createCheckpoints } = await import('../../server/custody/checkpoints.ts')
  const { createLog } = await import('../../server/platform/log/log.ts')
  const { manualClock } = await import('../../server/platform/clock/manual-clock.ts')
  const { openKeys } = await import('../../server/platform/secrets/keys.ts')
  const { dir, dispose } = await temporaryFolder('tampering')
  const clock = manualClock()
  const log = createLog('silent')
  const file = path.join(dir, 'template.db')
  const db = await openDatabase({ file })
  const keys = await openKeys(path.join(dir, 'keys'), { clock, established: false })
  const ledger = createLedger({ db, clock, log })
  const outside: string[] = []
  const checkpoints = createCheckpoints({
    db,
    ledger,
    clock,
    log,
    key: keys.signing,
    origin: () => ORIGIN,
    keepOutside: async (_, note) => void outside.push(note),
  })
  let seq = 0
  const writeUpTo = async (last: number): Promise<void> => {
    while (seq < last) {
      clock.advance(1000)
      seq = (await ledger.record(officer(), read(seq + 1))).seq
    }
  }
  await writeUpTo(40)
  await checkpoints.take('hour')
  await writeUpTo(80)
  const yesterday = path.join(dir, 'yesterday.db')
  await checkpoints.take('hour')
  const raw = openRaw(file)
  raw.exec(`VACUUM INTO '${yesterday}'`)
  raw.close()
  openRaw(yesterday).close()
  await writeUpTo(99)
  await checkpoints.take('hour')
  await ledger.stop()
  await db.close()
  return { file, publicKeys: keys.signing.publicKeys(), outside, yesterday, remove: dispose }
}

async function tamper(work: (db: RawDatabase) => void, outside: readonly string[] = []): Promise<LedgerReport> {
  const file = path.join(path.dirname(template.file), `copy-${++count}.db`)
  copyFileSync(template.file, file)
  intrude(file, work)
  try {
    return await verifyLedger({ file, publicKeys: template.publicKeys, outside })
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  }
}

describe(`I3 tampering with the ledger is found, ${KINDS.length} kinds`, () => {
  it('an untouched ledger has no problem', async () => {
    const report = await tamper(() => {}, template.outside)
    expect(report).toMatchObject({ entries: 100, checkpoints: 3, problems: [], firstBad: null })
  })

  it.each(KINDS)('$name', async ({ tamper: work, bad, exact, kind, outside }) => {
    const { problems, firstBad } = await tamper(work, outside === true ? template.outside : [])
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
    const { problems } = await verifyLedger({
      file: template.yesterday,
      publicKeys: template.publicKeys,
      outside: template.outside,
    })
    expect(problems.map(({ kind }) => kind)).toEqual(['ledger.rewritten'])
  })

  it('a station with another key does not accept these checkpoints', async () => {
    const other = await openWorld()
    const { problems } = await verifyLedger({ file: template.file, publicKeys: other.keys.signing.publicKeys() })
    expect(problems.filter(({ kind }) => kind === 'ledger.checkpoint')).toHaveLength(3)
  })

  it('a ledger rewritten from end to end does not fill the memory', async () => {
    const { problems, leftOut } = await tamper((db) => db.exec("UPDATE ledger SET object_id = 'x'"))
    expect(problems.length + leftOut).toBeGreaterThanOrEqual(100)
  })
})
