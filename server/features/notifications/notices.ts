import { ruleOf } from '../../../shared/notifications/rules.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type { Action } from '../../kernel/ledger/actions.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { LedgerEntry } from '../../kernel/ledger/format.ts'
import type { EventHandler, EventHandlers } from '../../kernel/events/events.ts'
import type { Notice, Notices } from '../../kernel/events/notices.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { principalThen } from '../../kernel/evidence/objects.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import * as rows from './notices.store.ts'

/** The one place that makes notices. */
export interface NoticesOfEvents extends Notices {
  /** Makes the notices about a change, so that the code of the change need not know who is told. */
  readonly on: EventHandlers
}

interface Deps {
  readonly clock: Clock
  readonly access: Pick<Access, 'onCase'>
  /** Whose device it is now. */
  readonly officersOf: (tx: Tx, deviceId: string) => Promise<readonly number[]>
}

const KEPT_MS = 90 * 86_400_000
/** In one transaction: other writers wait behind it. */
const AT_ONCE = 1_000

/** The actions on a case that its followers are told of. */
const CHANGES = [
  'case.changed',
  'case.closed',
  'case.reopened',
  'case.linked',
  'case.shared',
  'case.protected',
  'case.unprotected',
  'case.deleted',
  'case.restored',
  'note.added',
  'note.changed',
  'note.deleted',
] as const satisfies readonly Action[]
type CaseChange = (typeof CHANGES)[number]

export function createNotices(deps: Deps): NoticesOfEvents {
  const { clock } = deps
  const changed: EventHandler<CaseChange> = (tx, call, event) => caseChanged(deps, tx, call, event)
  return {
    on: {
      'dock.failed': (tx, call, { object, reason = '' }) =>
        ofCamera(deps, tx, call, object.id, { kind: 'camera.failed', message: reason }),
      'resource.completed': (tx, call, event) => differs(deps, tx, call, event),
      'resource.differs': (tx, call, event) => differs(deps, tx, call, event),
      'cad.refused': async (tx, call, { object, reason = '' }) => {
        const sender = await rows.senderOf(tx, Number(object.id))
        if (sender === null) return
        await write(
          clock,
          tx,
          call,
          others(call, await rows.peopleInPolicy(tx, sender.tenant, 'ManageConfiguration')),
          {
            tenant: sender.tenant,
            kind: 'cad.unreadable',
            message: reason,
            object: { type: 'service', id: String(sender.principalId) },
          },
        )
      },
      // From the second lock-out on, and at once where only an administrator ends the lock.
      'user.locked': async (tx, call, { object, detail }) => {
        if (detail.lockOuts !== undefined || detail.until === null)
          await ofAccount(clock, tx, call, object.id, { kind: 'account.locked' })
      },
      'user.contained': (tx, call, { object, reason = '' }) =>
        ofAccount(clock, tx, call, object.id, { kind: 'account.contained', message: reason }),
      // Of all alarms of an hour one: a disk that dies raises one for each blob on it.
      'alarm.raised': async (tx, call, { reason = '' }) => {
        for (const tenant of await rows.tenants(tx))
          await write(clock, tx, call, others(call, await rows.administrators(tx, tenant)), {
            tenant,
            kind: 'fixity.alarm',
            message: reason,
            object: { type: 'station', id: tenant },
          })
      },
      // Every administrator is told, so that one of them alone takes no account over in silence (decisions 6).
      'account.controlEnded': async (tx, call, { object }) => {
        for (const tenant of await rows.tenants(tx))
          await write(clock, tx, call, await rows.administrators(tx, tenant), {
            tenant,
            kind: 'account.controlEnded',
            object: { type: 'user', id: object.id },
          })
      },
      ...Object.fromEntries(CHANGES.map((action) => [action, changed])),
    },
    tell: async (tx, call, principalIds, notice) =>
      write(clock, tx, call, others(call, await rows.peopleAmong(tx, principalIds)), notice),
  }
}

/** A notice of a kind that is gathered joins the one that the person had about the same thing a while ago. */
async function write(clock: Clock, tx: Tx, call: Call, people: readonly number[], notice: Notice): Promise<void> {
  const { tenant, kind, message = '', object, act = null } = notice
  if (people.length === 0) return
  const ways = await rows.waysOf(tx, people, kind)
  const { gathered, usualWay } = ruleOf(kind)
  const recipients = people.filter((id) => (ways.get(id) ?? usualWay) !== 'none')
  if (recipients.length === 0) return
  const now = clock.now()
  const open =
    gathered === null
      ? new Map<number, rows.Open>()
      : await rows.openNotices(tx, recipients, { kind, ...object, sinceUtc: isoMillis(now - gathered.withinMs) })
  if (gathered?.again === false)
    await rows.countOn(
      tx,
      [...open.values()].map((one) => one.notice_id),
    )
  const by = JSON.stringify(await authorOf(tx, call))
  const anew = gathered?.again === false ? recipients.filter((id) => !open.has(id)) : recipients
  await rows.replaceNotices(
    tx,
    anew.flatMap((id) => open.get(id)?.notice_id ?? []),
    anew.map((id) => ({
      tenant_id: tenant,
      principal_id: id,
      kind,
      message,
      object_type: object.type,
      object_id: object.id,
      created_utc: isoMillis(now),
      created_by: by,
      seen_utc: null,
      count: (open.get(id)?.count ?? 0) + 1,
      first_utc: open.get(id)?.first_utc ?? null,
      act,
    })),
  )
}

const others = ({ actor }: Call, people: readonly number[]): number[] =>
  [...new Set(people)].filter((id) => String(id) !== actor.id)

/** Device managers, and the officers who had this camera. */
async function ofCamera(
  { clock, officersOf }: Deps,
  tx: Tx,
  call: Call,
  sessionId: string,
  notice: { readonly kind: 'camera.failed' | 'camera.differs'; readonly message: string },
): Promise<void> {
  const camera = await rows.cameraOf(tx, Number(sessionId))
  if (camera === null) return
  const officers = camera.deviceId === null ? [] : await officersOf(tx, camera.deviceId)
  const people = [...(await rows.peopleInPolicy(tx, camera.tenant, 'ManageDevices')), ...officers]
  await write(clock, tx, call, others(call, people), {
    tenant: camera.tenant,
    ...notice,
    object: { type: 'dockSession', id: sessionId },
  })
}

/** A file of a camera was found to differ from the camera's own list: each file is told of once, not at every docking. */
async function differs(deps: Deps, tx: Tx, call: Call, event: LedgerEntry<'resource.completed' | 'resource.differs'>) {
  const { dockSessionId, differsFrom } = event.detail
  if (dockSessionId !== undefined && differsFrom !== undefined)
    await ofCamera(deps, tx, call, dockSessionId, { kind: 'camera.differs', message: event.object.name })
}

/** The other administrators are told of a person's account. */
async function ofAccount(
  clock: Clock,
  tx: Tx,
  call: Call,
  id: string,
  notice: { readonly kind: 'account.locked' | 'account.contained'; readonly message?: string },
): Promise<void> {
  const tenant = await rows.tenantOfPrincipal(tx, Number(id))
  if (tenant === null) return
  const people = others(call, await rows.administrators(tx, tenant))
  await write(clock, tx, call, people, { tenant, ...notice, object: { type: 'user', id } })
}

async function caseChanged({ clock, access }: Deps, tx: Tx, call: Call, event: LedgerEntry<CaseChange>) {
  const { action, object, concerns = [] } = event
  if (object.type !== 'case') return
  const caseId = Number(object.id)
  const followers = others(call, await rows.followersOf(tx, caseId))
  if (followers.length === 0) return
  // People with whom it was shared get that notice, and not another one about the change.
  const shared = new Set(await rows.peopleAmong(tx, concerns))
  const people: number[] = []
  for (const id of followers) {
    const principal = { kind: 'user', id: String(id), name: '', kId: '' } as const
    if (!shared.has(id) && includes(await access.onCase(tx, principal, caseId), 'View')) people.push(id)
  }
  if (people.length === 0) return
  await write(clock, tx, call, people, {
    tenant: await rows.tenantOfCase(tx, caseId),
    kind: 'case.changed',
    object: { type: 'case', id: object.id },
    act: action,
  })
}

/** Forgets what was seen long ago. @param mayWrite asked before */
export async function forgetSeenNotices(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  mayWrite: () => boolean,
): Promise<void> {
  if (!mayWrite()) return
  const before = isoMillis(clock.now() - KEPT_MS)
  while ((await db.transaction((tx) => rows.forgetSeen(tx, before, AT_ONCE))) === AT_ONCE);
}

/** The author, with the name of that time. */
const authorOf = async (tx: Tx, { actor }: Call) => ({
  ...principalThen(actor),
  Name: (await rows.fullNameOf(tx, Number(actor.id))) ?? actor.name,
})
