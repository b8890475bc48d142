/** Notices on a database of their own, without a server: what happens is written as the services write it, and time goes on when it is told to. */
import { createAlarms } from '../../server/kernel/ledger/alarms.ts'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { createVersions } from '../../server/kernel/versions/versions.ts'
import type { Database, Tx } from '../../server/kernel/database/database.ts'
import { openTestDatabase } from '../support/rows.ts'
import { createAccess } from '../../server/kernel/access/access.ts'
import { createCaseCore } from '../../server/features/cases/case-aggregate.ts'
import * as cases from '../../server/features/cases/cases.store.ts'
import type { HttpCall } from '../../server/http/handlers.ts'
import { createOwnNotices } from '../../server/features/notifications/own-notices.service.ts'
import { isAdministrator, isInPolicy } from '../../server/features/identity/users/users.store.ts'
import { publishTo } from '../../server/kernel/events/events.ts'
import { createNotices } from '../../server/features/notifications/notices.ts'
import { manualClock } from '../../server/platform/clock/manual-clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import type { Level, SecurityPolicy } from '../../shared/kernel/permissions.ts'
import { INTERNAL } from '../../shared/kernel/principal.ts'
import { timeOf } from '../../shared/kernel/time.ts'

export const TENANT = 'station'

export interface Policy {
  readonly principalId: number
  readonly level: Exclude<Level, 'None'>
  /** Milliseconds since 1970. */
  readonly until?: number
}

export type NoticesWorld = Awaited<ReturnType<typeof noticesWorld>>

export async function noticesWorld(file: string) {
  const db: Database = await openTestDatabase({ file })
  const clock = manualClock()
  const log = createLog('silent')
  const access = createAccess({ clock })
  const devices = new Map<string, number[]>()
  const notices = createNotices({
    clock,
    access,
    officersOf: async (_tx, device) => devices.get(device) ?? [],
  })
  const ledger = createLedger({ db, clock, log, appended: publishTo([notices]) })
  const versions = createVersions({ db })
  const core = createCaseCore({ ledger, versions, clock, access })
  const alarms = createAlarms({ ledger, clock, log })
  const own = createOwnNotices({
    db,
    ledger,
    access,
    clock,
    isInPolicy: (id, policy) => isInPolicy(db.read, Number(id), policy),
    isAdministrator: (id) => isAdministrator(db.read, Number(id)),
  })
  const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction(work)
  const now = timeOf(clock.now())
  await inTransaction((tx) =>
    tx.insertInto('tenants').values({ tenant_id: TENANT, name_key: TENANT, created_utc: now.text }).execute(),
  )
  let serial = 0
  const principal = (kind: 'user' | 'group' | 'service', builtIn = false) =>
    inTransaction(async (tx) => {
      const name = `${kind} ${++serial}`
      const { principal_id: id } = await tx
        .insertInto('principals')
        .values({
          tenant_id: TENANT,
          kind,
          name,
          name_key: name,
          k_id: `urn:${name}`,
          built_in: builtIn ? 1 : 0,
          password_hash: null,
          base_url: null,
          created_utc: now.text,
          created_by: '{}',
          last_sign_in_at: null,
          deleted_utc: null,
        })
        .returning('principal_id')
        .executeTakeFirstOrThrow()
      return id
    })
  /** 0: the station itself. */
  const callOf = (id: number): HttpCall => {
    const actor = id === 0 ? INTERNAL : { kind: 'user' as const, id: String(id), name: `user ${id}`, kId: `urn:${id}` }
    return {
      actor,
      principal: actor,
      source: 'test',
      correlationId: 'test',
      answerKey: null,
      tenant: TENANT,
      rememberAnswer: async (_tx, answer) => answer,
      describeRead: () => {},
      reportDecision: () => {},
    }
  }
  const rowOf = (tx: Tx, caseId: number) => cases.caseByIdOfAnyTenant(tx, caseId)

  return {
    db,
    clock,
    ledger,
    alarms,
    notices,
    own,
    callOf,
    inTransaction,
    principal,
    close: async () => {
      await ledger.stop()
      await db.close()
    },
    join: (group: number, member: number) =>
      inTransaction((tx) => tx.insertInto('memberships').values({ group_id: group, member_id: member }).execute()),
    inPolicy: (policy: SecurityPolicy, id: number) =>
      inTransaction((tx) =>
        tx.insertInto('policy_members').values({ policy, principal_id: id, level: null }).execute(),
      ),
    aCase: () =>
      inTransaction(async (tx) => {
        const made = await cases.insertCase(tx, {
          tenant_id: TENANT,
          ordinal_year: 2026,
          ordinal_number: ++serial,
          title: `case ${serial}`,
          state: 'Open',
          lifecycle_state: 'Normal',
          tags: '[]',
          custom_fields: '{}',
          source_type: 'Manual',
          concurrency_id: '',
          created_utc: now.text,
          created_ticks: now.ticks,
          created_by: '{}',
          modified_utc: now.text,
          modified_by: '{}',
        })
        return made.case_id
      }),
    /** Takes all policies of the case away and gives these. */
    policies: (caseId: number, policies: readonly Policy[]) =>
      inTransaction((tx) =>
        cases.replacePolicies(
          tx,
          caseId,
          policies.map(({ principalId, level, until }) => ({
            principalId,
            level,
            expires: until === undefined ? null : timeOf(until),
            fromDepartment: false,
          })),
        ),
      ),
    follow: (caseId: number, who: number, follows: boolean) =>
      inTransaction((tx) => cases.setFollowing(tx, caseId, who, follows)),
    change: (caseId: number, by: number, title?: string) =>
      inTransaction(async (tx) =>
        core.changed(tx, callOf(by), await rowOf(tx, caseId), title === undefined ? {} : { title }, 'case.changed'),
      ),
    /** As sharing does it, policies aside. */
    share: (caseId: number, by: number, to: number) =>
      inTransaction(async (tx) => {
        const object = { type: 'case', id: String(caseId) }
        await notices.tell(tx, callOf(by), [to], { tenant: TENANT, kind: 'case.shared', message: 'Look', object })
        await core.changed(tx, callOf(by), await rowOf(tx, caseId), {}, 'case.shared', { with: [`${to}:View`] }, [to])
      }),
    list: async (who: number) => (await own.list(callOf(who), TENANT, { unseen: false, count: 1000 })).Items,
    seeAll: async (who: number) => own.see(callOf(who), TENANT, { UpTo: '999999999' }),
    device: (id: string, officers: number[]) => void devices.set(id, officers),
    session: (deviceId: string | null) =>
      inTransaction(async (tx) => {
        if (deviceId !== null)
          await tx
            .insertInto('devices')
            .values({
              device_id: deviceId,
              tenant_id: TENANT,
              serial_number: `S ${++serial}`,
              manufacturer: 'Acme',
              model: null,
              common_name: 'Camera 7',
              device_type: 'BodyWornCamera',
              active: 1,
              capabilities: null,
              desired: null,
              effective: null,
              effective_utc: null,
              last_seen_utc: null,
              search_key: '',
              created_utc: now.text,
            })
            .onConflict((on) => on.doNothing())
            .execute()
        return tx
          .insertInto('dock_sessions')
          .values({
            tenant_id: TENANT,
            volume_id: `v${++serial}`,
            camera_key: `k${serial}`,
            bay: '1-2.3',
            label: 'x',
            state: 'copying',
            before: null,
            reason: null,
            device_id: deviceId,
            device: null,
            profile: null,
            notes: null,
            clock: null,
            configuration: null,
            clear_rule: 'never',
            detected_at: 0,
            first_byte_at: null,
            last_byte_at: null,
            committed_at: null,
            released_at: null,
            receipt: null,
            receipt_sha256: null,
            receipt_signature: null,
            receipt_key: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow()
      }),
  }
}
