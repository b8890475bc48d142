/**
 * The parts of disposition over a real database, store, ledger and key, with a clock that tests move. People and cases are rows; bytes
 * come in as they do everywhere.
 */
import { clockBelief } from '../../server/platform/clock/clock-trust.ts'
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Action } from '../../server/kernel/ledger/actions.ts'
import type { StoredEntry } from '../../server/kernel/ledger/format.ts'
import { storedEntry } from '../../server/kernel/ledger/format.ts'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { verifyBlobs } from '../../server/features/integrity/verification/verify.ts'
import { createVersions } from '../../server/kernel/versions/versions.ts'
import type { Tx } from '../../server/kernel/database/database.ts'
import { openTestDatabase } from '../support/rows.ts'
import { createDisposition } from '../../server/features/retention/disposition/disposition.ts'
import { placeAndCommit } from '../../server/kernel/evidence/place-and-commit.ts'
import { createRecords } from '../../server/kernel/evidence/records.ts'
import { openBlobStore } from '../../server/storage/folder/store.ts'
import type { BlobStore } from '../../server/storage/store.ts'
import { createDispositionService } from '../../server/features/retention/disposition.service.ts'
import { createQuarantineService, type QuarantineService } from '../../server/features/retention/quarantine.service.ts'
import type { HttpCall } from '../../server/http/handlers.ts'
import { createJobQueue } from '../../server/kernel/jobs/queue.ts'
import { isoMillis } from '../../server/platform/clock/clock.ts'
import { manualClock } from '../../server/platform/clock/manual-clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { INTERNAL, type Principal } from '../../shared/kernel/principal.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
const TENANT = 'station'
export type World = Awaited<ReturnType<typeof makeWorld>>

const signing = generateKeyPairSync('ed25519')
const publicKey = new Uint8Array(Buffer.from(signing.publicKey.export({ format: 'jwk' }).x as string, 'base64url'))
export const signer = { publicKey, sign: (bytes: Uint8Array) => sign(null, bytes, signing.privateKey) }

const BY = JSON.stringify({
  KId: 'urn:user:station:clerk:1',
  Username: 'clerk',
  PrincipalId: '1',
  PrincipalType: 'user',
})

export async function makeWorld({ coolingMs = 72 * HOUR, binDays = 7, settleDays = 14 } = {}) {
  const dir = mkdtempSync(path.join(tmpdir(), 'sallyport-disposition-'))
  const clock = manualClock()
  const log = createLog('silent')
  mkdirSync(path.join(dir, 'blobs'))
  const db = await openTestDatabase({ file: path.join(dir, 'a.db') })
  const ledger = createLedger({ db, clock, log })
  const store = await openBlobStore({ root: path.join(dir, 'blobs'), now: clock.now })
  const jobs = createJobQueue({
    db,
    clock,
    log,
    handlers: () => ({ 'derive.inspect': async () => {} }),
    concurrency: 1,
  })
  const records = createRecords({ ledger, versions: createVersions({ db }), jobs, clock })
  const times = { coolingMs, binDays, settleDays }
  /** Whether the clock of this node is that of the others. */
  const nodes = { clockIsRight: true }
  /** Another run of the station: what it knew only in memory is gone. */
  const disposed = (over: Partial<Pick<BlobStore, 'remove' | 'removeQuarantined'>> = {}, key = () => signer) =>
    createDisposition({
      db,
      ledger,
      store: { ...store, ...over },
      clock,
      log,
      times,
      signer: key,
      origin: 'test',
      mayWrite: () => true,
      clockIsSteady: clockBelief(clock, 0),
      clockIsRight: () => nodes.clockIsRight,
    })
  const disposition = disposed()
  const service = createDispositionService({ db, ledger, clock, disposition })
  const quarantine: QuarantineService = createQuarantineService({
    db,
    ledger,
    clock,
    quarantine: disposition.quarantine,
    approvers: { clock, coolingMs, clockIsSteady: disposition.clockIsSteady },
  })
  await db.transaction((tx) =>
    tx.insertInto('tenants').values({ tenant_id: TENANT, name_key: TENANT, created_utc: '' }).execute(),
  )
  // From here on the clock is believed.
  clock.advance(2 * HOUR)
  await disposition.step()

  const change = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction(work)
  const now = (): string => isoMillis(clock.now())
  let counter = 0

  /** Of the ledger: what a person or the station did to an account. */
  const act = (actor: Principal, action: Action, account: Principal, detail: Record<string, unknown> = {}) =>
    change((tx) =>
      ledger.append(
        tx,
        { actor, source: '127.0.0.1', correlationId: randomUUID() },
        { action, object: { type: account.kind, id: account.id, name: account.name }, detail },
      ),
    )
  /**
   * Somebody who has been in ApproveDisposition for years. Whom the command line created is their own by now; whom others created is
   * controlled by them.
   */
  const person = async (
    createdBy = 'cli:tester',
    kind: 'user' | 'service' = 'user',
    { settled = createdBy.startsWith('cli:') } = {},
  ): Promise<HttpCall> => {
    const name = `person ${++counter}`
    const { principal_id: id } = await change((tx) =>
      tx
        .insertInto('principals')
        .values({
          tenant_id: TENANT,
          kind,
          name,
          name_key: name,
          k_id: `urn:${kind}:station:${name}:${counter}`,
          created_utc: now(),
          created_by: createdBy,
          password_hash: null,
          base_url: null,
          last_sign_in_at: null,
          deleted_utc: null,
        })
        .returning('principal_id')
        .executeTakeFirstOrThrow(),
    )
    const actor: Principal = { kind, id: String(id), name, kId: `urn:${kind}:station:${name}:${id}` }
    const member = { policy: 'ApproveDisposition', principal_id: id, level: null, since_at: 0 }
    await change((tx) => tx.insertInto('policy_members').values(member).execute())
    const [makerKind, makerId] = createdBy.split(':') as [Principal['kind'], string]
    const maker: Principal = { kind: makerKind, id: makerId, name: createdBy, kId: '' }
    await act(maker, kind === 'user' ? 'user.created' : 'service.created', actor)
    if (settled) await act(INTERNAL, 'account.controlEnded', actor)
    // What this person does comes after that, also to the millisecond.
    clock.advance(1)
    return {
      actor,
      principal: actor,
      source: '127.0.0.1',
      correlationId: randomUUID(),
      answerKey: null,
      tenant: TENANT,
      rememberAnswer: async (_tx, answer) => answer,
      describeRead: () => {},
      reportDecision: () => {},
    }
  }
  /** Takes somebody out of the policy and brings them into it again, as whoever administers can. */
  const joinAgain = ({ id }: Principal) =>
    change(async (tx) => {
      await tx.deleteFrom('policy_members').where('principal_id', '=', Number(id)).execute()
      const member = { policy: 'ApproveDisposition', principal_id: Number(id), level: null, since_at: clock.now() }
      await tx.insertInto('policy_members').values(member).execute()
    })
  const category = async (days: number | null): Promise<string> => {
    const name = `category ${++counter}`
    const { category_id: id } = await change((tx) =>
      tx
        .insertInto('categories')
        .values({
          tenant_id: TENANT,
          name,
          name_key: name,
          description: null,
          color: null,
          retention_days: days,
          enabled: 1,
          concurrency_id: '',
          created_utc: now(),
          modified_utc: now(),
          modified_by: BY,
        })
        .returning('category_id')
        .executeTakeFirstOrThrow(),
    )
    return String(id)
  }
  const source = (
    match: { source_id?: string; device_type?: string; uploader?: 'user' | 'cli' },
    days: number | null,
    tenant = TENANT,
  ) =>
    change((tx) => {
      const name = `source ${++counter}`
      return tx
        .insertInto('source_policies')
        .values({
          tenant_id: tenant,
          name,
          name_key: name,
          source_id: null,
          device_type: null,
          uploader: null,
          ...match,
          retention_days: days,
          concurrency_id: '',
          created_utc: now(),
          modified_utc: now(),
          modified_by: BY,
        })
        .execute()
    })
  const caseOf = async (categoryId: string | null): Promise<number> => {
    const row = await change((tx) =>
      tx
        .insertInto('cases')
        .values({
          tenant_id: TENANT,
          ordinal_year: 2026,
          ordinal_number: ++counter,
          title: `Case ${counter}`,
          description: null,
          category_id: categoryId === null ? null : Number(categoryId),
          department_id: null,
          state: 'Open',
          lifecycle_state: 'Normal',
          occurred_on: null,
          occurred_ticks: null,
          ended_on: null,
          ended_ticks: null,
          external_reference_1: null,
          external_reference_2: null,
          location_wkt: null,
          location_text: null,
          location: null,
          tags: '[]',
          custom_fields: '{}',
          source_type: 'Manual',
          closed_on: null,
          scheduled_deletion_utc: null,
          protected_until: null,
          protected_ticks: null,
          deleted_utc: null,
          concurrency_id: '',
          created_utc: now(),
          created_ticks: 0n,
          created_by: BY,
          modified_utc: now(),
          modified_by: BY,
        })
        .returning('case_id')
        .executeTakeFirstOrThrow(),
    )
    return row.case_id
  }
  const setCase = (id: number, set: Parameters<typeof updateCase>[2]) => change((tx) => updateCase(tx, id, set))
  const setEvidence = (id: number, set: Parameters<typeof updateEvidence>[2]) =>
    change((tx) => updateEvidence(tx, id, set))
  const link = (caseId: number, evidenceId: number, kind: 'Manual' | 'Automatic' = 'Manual') =>
    change((tx) =>
      tx
        .insertInto('case_links')
        .values({
          case_id: caseId,
          evidence_id: evidenceId,
          kind,
          confirmed: 0,
          rule: null,
          linked_on: now(),
          linked_by: BY,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
  const unlink = (caseId: number, evidenceId: number) =>
    change((tx) =>
      tx.deleteFrom('case_links').where('case_id', '=', caseId).where('evidence_id', '=', evidenceId).execute(),
    )
  const withdraw = (caseId: number, evidenceId: number) =>
    change((tx) =>
      tx
        .insertInto('withdrawn_links')
        .values({
          case_id: caseId,
          evidence_id: evidenceId,
          rule: 'overlap',
          reason: 'The incident moved',
          withdrawn_utc: now(),
          withdrawn_by: BY,
          settled_utc: null,
          settled_by: null,
          settled_reason: null,
        })
        .execute(),
    )
  /** Puts bytes into the store under a name of staging, read back, not yet placed. */
  const staged = async (bytes: Uint8Array | string) => {
    const file = path.join(dir, `in-${randomUUID()}`)
    writeFileSync(file, bytes)
    return store.copyIn(file)
  }
  /** Evidence with one file. Whatever jobs that made necessary are done. */
  const evidence = async (
    given: { categoryId?: string | null; sourceId?: string; bytes?: string; name?: string; call?: HttpCall } = {},
  ): Promise<{ id: number; sha256: string; resourceId: number }> => {
    const call = given.call ?? {
      actor: { kind: 'cli', id: 'tester', name: 'cli:tester', kId: '' } as Principal,
      source: 'cli',
      correlationId: randomUUID(),
    }
    const blob = await staged(given.bytes ?? randomUUID())
    return placeAndCommit({ db, store }, blob, async (tx, placed) => {
      const row = await records.createEvidence(tx, call, TENANT, {
        Name: given.name ?? 'A secret name',
        Description: 'A secret description',
        Tags: ['secret tag'],
        CategoryId: given.categoryId ?? null,
        SourceId: given.sourceId ?? null,
        LocationText: 'A secret place',
        device: null,
        deviceIdentity: null,
        CustomFields: { Weather: 'secret rain' },
      })
      const open = await records.createResource(tx, call, row, {
        name: 'secret.bin',
        mimeType: 'application/octet-stream',
        start: null,
        end: null,
        timeOffset: null,
        expectedSha256: null,
        expectedLength: null,
      })
      await records.completeResource(tx, call, open, placed)
      await tx.updateTable('jobs').set({ state: 'done' }).execute()
      return { id: row.evidence_id, sha256: placed.sha256, resourceId: open.resource_id }
    })
  }
  const row = (id: number) =>
    db.read.selectFrom('evidence').selectAll().where('evidence_id', '=', id).executeTakeFirstOrThrow()
  const isDestroyed = async (id: number): Promise<boolean> => (await row(id)).lifecycle_state === 'Destroyed'
  const items = () =>
    db.read.selectFrom('disposition_items').selectAll().where('stage', '<>', 'ended').orderBy('item_id').execute()
  /** The open item that an evidence is in. */
  const itemOf = async (id: number) => {
    const found = await db.read
      .selectFrom('disposition_files as f')
      .innerJoin('disposition_items as i', 'i.item_id', 'f.item_id')
      .selectAll('i')
      .where('f.evidence_id', '=', id)
      .where('f.state', '=', 'in')
      .executeTakeFirst()
    return found
  }
  const approve = async (call: HttpCall, itemId: number) => {
    const ids = [String(itemId)]
    const { PreviewId } = await service.preview(call, TENANT, ids)
    return service.approve(call, TENANT, ids, { reason: 'Retention reached', previewId: PreviewId })
  }
  /** Time passes as it does while a station runs: looked at now and then. */
  const pass = async (millis: number): Promise<void> => {
    clock.advance(millis)
    disposition.clockIsSteady()
    await disposition.sortDue()
    await disposition.step()
  }
  const entries = async (): Promise<StoredEntry[]> =>
    (await db.read.selectFrom('ledger').select('body').orderBy('seq').execute()).map(({ body }) => storedEntry(body))
  return {
    dir,
    db,
    ledger,
    store,
    clock,
    disposition,
    disposed,
    nodes,
    service,
    quarantine,
    tenant: TENANT,
    file: path.join(dir, 'a.db'),
    person,
    act,
    joinAgain,
    category,
    source,
    caseOf,
    setCase,
    setEvidence,
    link,
    unlink,
    withdraw,
    staged,
    evidence,
    row,
    isDestroyed,
    items,
    itemOf,
    approve,
    pass,
    entries,
    now,
    certificates: () => db.read.selectFrom('certificates').selectAll().orderBy('certificate_id').execute(),
    hasBytes: (sha256: string): boolean => existsSync(store.pathOf(sha256)),
    /** What the full comparison of rows and files finds. */
    differences: async () => (await verifyBlobs({ db, blobs: store, fast: false })).problems,
    close: async (): Promise<void> => {
      await ledger.stop()
      await store.close()
      await db.close()
      rmSync(dir, { recursive: true })
    },
  }
}

type CaseSet = Partial<{
  state: 'Open' | 'Closed'
  lifecycle_state: 'Normal' | 'Protected' | 'Deleted'
  closed_on: string | null
  protected_until: string | null
  category_id: number | null
}>
type EvidenceSet = Partial<{
  lifecycle_state: string
  deleted_utc: string | null
  deleted_by: string | null
  category_id: string | null
}>
const updateCase = (tx: Tx, id: number, set: CaseSet) =>
  tx.updateTable('cases').set(set).where('case_id', '=', id).execute()
const updateEvidence = (tx: Tx, id: number, set: EvidenceSet) =>
  tx.updateTable('evidence').set(set).where('evidence_id', '=', id).execute()

/** Who moved it to the recycle bin, as rows keep it. */
export const deletedBy = ({ actor }: HttpCall): string =>
  JSON.stringify({ KId: actor.kId, Username: actor.name, PrincipalId: actor.id, PrincipalType: actor.kind })
