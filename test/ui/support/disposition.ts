/** A station where much is due: cases that were closed long ago, at every step of the queue. */
import { unlinkSync } from 'node:fs'
import path from 'node:path'
import { generateKeyPairSync, sign } from 'node:crypto'
import { createLedger } from '../../../server/kernel/ledger/ledger.ts'
import { openDatabase, type Tx } from '../../../server/kernel/database/database.ts'
import { createDisposition } from '../../../server/features/retention/disposition/disposition.ts'
import { manualClock } from '../../../server/platform/clock/manual-clock.ts'
import { createLog } from '../../../server/platform/log/log.ts'
import type { Given, Json } from '../../support/given.ts'
import { makeDue } from '../../api/disposition/queue.ts'
import { ageAccounts } from '../../support/accounts.ts'
import { CASES, type CasesStation, casesStation, type Person } from './cases.ts'

const DISPOSITION = '/api/v1/tenant/station/disposition'
const POLICIES = '/userservice/api/v1/tenant/station/policies'
const GB = 1_000_000_000
const HOUR = 3_600_000

export interface DispositionStation extends CasesStation {
  /** By the title of their case, the items that they are in. */
  readonly items: Readonly<Record<string, string>>
  approve(who: Person, title: string): Promise<void>
}

export async function inDatabase<T>(given: Given, work: (tx: Tx) => Promise<T>): Promise<T> {
  const db = await openDatabase({ file: given.file })
  try {
    return await db.transaction(work)
  } finally {
    await db.close()
  }
}

export async function dispositionStation(): Promise<DispositionStation> {
  const station = await casesStation()
  const { given, sergeant, okafor, lindqvist } = station
  await sergeant.send('PUT', `${POLICIES}/ApproveDisposition`, {
    Members: [{ PrincipalId: okafor.id }, { PrincipalId: lindqvist.id }],
  })
  await ageAccounts(given.file)
  const items: Record<string, string> = {}
  const category = async (Name: string, years: number): Promise<string> =>
    (await sergeant.send('POST', '/api/v1/category/station', { Name, RetentionDays: years * 365 })).CategoryId
  const categories = {
    theft: await category('Theft', 7),
    order: await category('Public order', 6),
    traffic: await category('Traffic', 1),
    assault: await category('Assault', 6),
  }
  await sergeant.send('POST', '/api/v1/tenant/station/retention/source', {
    Name: 'Training cameras',
    SourceId: 'training',
    RetentionDays: 365,
  })

  /** A case with evidence of so many gigabytes each, closed on a day. */
  const closed = async (Title: string, CategoryId: string, day: string, sizes: readonly number[]) => {
    const made: Json = await station.made({ Title, CategoryId })
    const ids: string[] = []
    for (const [at, size] of sizes.entries())
      ids.push(await sized(await station.evidence(`${Title}, part ${at + 1}`, {}, made.CaseId), size))
    await sergeant.send('POST', `${CASES}/${made.CaseId}/close`)
    await inDatabase(given, (tx) =>
      tx
        .updateTable('cases')
        .set({ closed_on: `${day}T09:00:00.000Z` })
        .where('case_id', '=', Number(made.CaseId))
        .execute(),
    )
    const [item] = await makeDue(given, ids)
    items[Title] = item ?? ''
    return { caseId: made.CaseId as string, ids }
  }
  const sized = async (id: string, size: number): Promise<string> => {
    await inDatabase(given, (tx) =>
      tx
        .updateTable('evidence_list')
        .set({ length: Math.round(size * GB) })
        .where('evidence_id', '=', Number(id))
        .execute(),
    )
    return id
  }
  const withdraw = (evidenceId: string, caseId: string) =>
    inDatabase(given, (tx) =>
      tx
        .insertInto('withdrawn_links')
        .values({
          case_id: Number(caseId),
          evidence_id: Number(evidenceId),
          rule: 'overlap',
          reason: 'The incident was moved',
          withdrawn_utc: '2026-11-03T10:00:00.000Z',
          withdrawn_by: '{}',
          settled_utc: null,
          settled_by: null,
          settled_reason: null,
        })
        .execute(),
    )
  const approve = async (who: Person, title: string): Promise<void> => {
    const Items = [items[title]]
    const { PreviewId } = await who.send('POST', `${DISPOSITION}/preview`, { Items })
    await who.send('POST', `${DISPOSITION}/approve`, { Items, Reason: 'Retention reached', PreviewId })
  }

  const assault = await closed('Assault, Corn Market', categories.assault, '2020-10-28', [9.4, 9.4])
  await inDatabase(given, (tx) =>
    tx
      .updateTable('cases')
      .set({ lifecycle_state: 'Protected' })
      .where('case_id', '=', Number(assault.caseId))
      .execute(),
  )
  await makeDue(given, assault.ids)
  const training = await sized(await station.evidence('Training, first run', { SourceId: 'training' }), 40.4)
  await withdraw(training, assault.caseId)
  items['In no case'] = (await makeDue(given, [training]))[0] ?? ''
  await closed('Noise complaint, Linden House', categories.order, '2020-11-06', [12.9])
  await closed('Traffic stop, Quay Road', categories.traffic, '2025-11-07', [2.5, 2.6])
  await closed('Shop theft, Ferry Street', categories.theft, '2019-11-10', [5.6, 6])
  const affray = await closed('Affray, Corn Market', categories.order, '2020-11-12', [22.1, 38.9, 0.4])
  const open = await station.made({ Title: 'Robbery, still open', CategoryId: categories.theft })
  await sergeant.send('POST', `${CASES}/${open.CaseId}/link-evidences`, { Evidences: [{ EvidenceId: affray.ids[1] }] })
  await withdraw(affray.ids[2] as string, assault.caseId)
  await makeDue(given, affray.ids)
  await closed('Theft from vehicle, Mill Lane', categories.theft, '2019-11-14', [6.2, 8])
  await approve(okafor, 'Theft from vehicle, Mill Lane')
  for (const title of ['Traffic stop, Quay Road', 'Noise complaint, Linden House'])
    for (const who of [okafor, lindqvist]) await approve(who, title)
  await inDatabase(given, (tx) =>
    tx
      .updateTable('disposition_items')
      .set({ stage: 'bin', next_at: Date.now() + 5 * 24 * HOUR - HOUR })
      .where('item_id', '=', Number(items['Noise complaint, Linden House']))
      .execute(),
  )
  await destroyed(given, async () => {
    await closed('Burglary, Orchard Close', categories.theft, '2019-10-30', [33.7])
    for (const who of [okafor, lindqvist]) await approve(who, 'Burglary, Orchard Close')
    return items['Burglary, Orchard Close'] ?? ''
  })
  return { ...station, items, approve }
}

/** What takes days: the last step, by the station's own parts and a clock that is ahead. */
async function destroyed(given: Given, make: () => Promise<string>): Promise<void> {
  const item = await make()
  await inDatabase(given, (tx) =>
    tx.updateTable('disposition_items').set({ stage: 'bin', next_at: 1 }).where('item_id', '=', Number(item)).execute(),
  )
  const db = await openDatabase({ file: given.file })
  const clock = manualClock(Date.now() - 2 * HOUR)
  const log = createLog('silent')
  const key = generateKeyPairSync('ed25519')
  const publicKey = new Uint8Array(Buffer.from(key.publicKey.export({ format: 'jwk' }).x as string, 'base64url'))
  const disposition = createDisposition({
    db,
    ledger: createLedger({ db, clock, log }),
    store: {
      removalsEndAfter: null,
      remove: async (sha256) => {
        unlinkSync(path.join(given.data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256))
        return 'removed'
      },
      removeQuarantined: async () => {},
    },
    clock,
    log,
    times: { coolingMs: 1, binDays: 7, settleDays: 14 },
    signer: () => ({ publicKey, sign: (bytes) => sign(null, bytes, key.privateKey) }),
    origin: 'sallyport.local/test',
    mayWrite: () => true,
    clockIsSteady: () => true,
    clockIsRight: () => true,
  })
  await db.transaction((tx) =>
    tx
      .insertInto('backup_targets')
      .values({
        folder: path.join(given.dir, 'snapshots'),
        every_hours: 24,
        created_utc: '2026-11-01T09:00:00.000Z',
        created_by: '{}',
        removed_utc: null,
        // Not while anything here runs.
        next_at: Date.parse('2100-01-01T00:00:00Z'),
      })
      .execute(),
  )
  await disposition.step()
  clock.advance(2 * HOUR)
  const done = await disposition.step()
  await db.close()
  if (done === 0) throw new Error('nothing was destroyed')
}
