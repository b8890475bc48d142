import { copyFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { createLedger } from '../../server/custody/ledger.ts'
import { recordRows } from '../../server/custody/row-baseline.ts'
import { verifyDatabase } from '../../server/custody/verify.ts'
import { openDatabase } from '../../server/db/database.ts'
import { manualClock } from '../../server/platform/clock/manual-clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { temporaryFolder } from '../support/station.ts'
import { officer } from './world.ts'

const GOLDEN = fileURLToPath(new URL('../fixtures/golden/', import.meta.url))
const RELEASED = readdirSync(GOLDEN).filter((name) => /^schema-([6-9]|10)\.db$/.test(name))

it.each(RELEASED)(
  'I3+: %s is brought up to date without a false alarm, and its rows are covered from then on',
  async (name) => {
    const { dir, dispose } = await temporaryFolder('baseline')
    onTestFinished(dispose)
    const file = path.join(dir, 'a.db')
    copyFileSync(path.join(GOLDEN, name), file)
    const db = await openDatabase({ file })
    const before = await verifyDatabase(file, true)
    expect(before).toMatchObject({ problems: [], rows: 0, coveredSince: null })
    expect(before.notCovered).toContainEqual({
      what: 'evidence',
      why: expect.stringContaining('not in the ledger yet'),
    })
    const ledger = createLedger({ db, clock: manualClock(), log: createLog('silent') })
    await recordRows(db, ledger, officer())
    await db.transaction((tx) => tx.updateTable('station').set({ value: 'x' }).where('name', '=', 'origin').execute())
    await ledger.stop()
    await db.close()
    const after = await verifyDatabase(file, true)
    expect(after).toMatchObject({ problems: [], coveredSince: expect.stringMatching(/^\d{4}-/) })
    expect(after.rows).toBeGreaterThan(5)
    expect(after.notCovered.map(({ why }) => why)).not.toContainEqual(expect.stringContaining('not in the ledger yet'))
  },
)
