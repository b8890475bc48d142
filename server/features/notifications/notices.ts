import { ruleOf } from '../../../shared/notifications/rules.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type { Action } from '../../kernel/ledger/actions.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { EventHandler, EventHandlers } from '../../kernel/events/events.ts'
import type { Notice, Notices } from '../../kernel/events/notices.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { principalThen } from '../../kernel/evidence/objects.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import * as rows from './notices.store.ts'

/** The one place that makes notices. */
export interface NoticesOfEvents extends Notices {
  /** Whoever makes a change need not think of who wants to hear of it. */
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

/** What of a case its followers are told. */
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

export function createNotices({ clock, access, officersOf }: Deps): NoticesOfEvents {
  /** Gathered with what the person was told of the same thing a while ago. */
  const write = async (tx: Tx, call: Call, people: readonly number[], notice: Notice): Promise<void> => {
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
  const ofCamera = async (
    tx: Tx,
    call: Call,
    sessionId: string,
    notice: { readonly kind: 'camera.failed' | 'camera.differs'; readonly message: string },
  ): Promise<void> => {
    const camera = await rows.cameraOf(tx, Number(sessionId))
    if (camera === null) return
    const officers = camera.deviceId === null ? [] : await officersOf(tx, camera.deviceId)
    const people = [...(await rows.peopleInPolicy(tx, camera.tenant, 'ManageDevices')), ...officers]
    await write(tx, call, others(call, people), {
      tenant: camera.tenant,
      ...notice,
      object: { type: 'dockSession', id: sessionId },
    })
  }
  /** A file of a camera was found to differ from the camera's own list: each file is told of once, not at every docking. */
  const differs: EventHandler<'resource.completed' | 'resource.differs'> = async (tx, call, { object, detail }) => {
    const { dockSessionId, differsFrom } = detail
    if (dockSessionId !== undefined && differsFrom !== undefined)
      await ofCamera(tx, call, dockSessionId, { kind: 'camera.differs', message: object.name })
  }
  const unreadable: EventHandler<'cad.refused'> = async (tx, call, { object, reason = '' }) => {
    const sender = await rows.senderOf(tx, Number(object.id))
    if (sender === null) return
    await write(tx, call, others(call, await rows.peopleInPolicy(tx, sender.tenant, 'ManageConfiguration')), {
      tenant: sender.tenant,
      kind: 'cad.unreadable',
      message: reason,
      object: { type: 'service', id: String(sender.principalId) },
    })
  }
  /** Of all alarms of an hour one: a disk that dies raises one for each blob on it. */
  const alarm: EventHandler<'alarm.raised'> = async (tx, call, { reason = '' }) => {
    for (const tenant of await rows.tenants(tx))
      await write(tx, call, others(call, await rows.administrators(tx, tenant)), {
        tenant,
        kind: 'fixity.alarm',
        message: reason,
        object: { type: 'station', id: tenant },
      })
  }
  /** Every administrator is told, so that one of them alone takes no account over in silence (decisions 6). */
  const controlEnded: EventHandler<'account.controlEnded'> = async (tx, call, { object }) => {
    for (const tenant of await rows.tenants(tx))
      await write(tx, call, await rows.administrators(tx, tenant), {
        tenant,
        kind: 'account.controlEnded',
        object: { type: 'user', id: object.id },
      })
  }
  /** From the second lock-out on, and at once where only an administrator ends the lock. */
  const accountLocked: EventHandler<'user.locked'> = async (tx, call, { object, detail }) => {
    if (detail.lockOuts === undefined && detail.until !== null) return
    const tenant = await rows.tenantOfPrincipal(tx, Number(object.id))
    if (tenant === null) return
    await write(tx, call, others(call, await rows.administrators(tx, tenant)), {
      tenant,
      kind: 'account.locked',
      object: { type: 'user', id: object.id },
    })
  }
  const accountContained: EventHandler<'user.contained'> = async (tx, call, { object, reason = '' }) => {
    const tenant = await rows.tenantOfPrincipal(tx, Number(object.id))
    if (tenant === null) return
    await write(tx, call, others(call, await rows.administrators(tx, tenant)), {
      tenant,
      kind: 'account.contained',
      message: reason,
      object: { type: 'user', id: object.id },
    })
  }
  const caseChanged: EventHandler<(typeof CHANGES)[number]> = async (tx, call, event) => {
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
    await write(tx, call, people, {
      tenant: await rows.tenantOfCase(tx, caseId),
      kind: 'case.changed',
      object: { type: 'case', id: object.id },
      act: action,
    })
  }

  return {
    on: {
      'dock.failed': (tx, call, { object, reason = '' }) =>
        ofCamera(tx, call, object.id, { kind: 'camera.failed', message: reason }),
      'resource.completed': differs,
      'resource.differs': differs,
      'cad.refused': unreadable,
      'user.locked': accountLocked,
      'user.contained': accountContained,
      'alarm.raised': alarm,
      'account.controlEnded': controlEnded,
      ...Object.fromEntries(CHANGES.map((action) => [action, caseChanged])),
    },
    tell: async (tx, call, principalIds, notice) =>
      write(tx, call, others(call, await rows.peopleAmong(tx, principalIds)), notice),
  }
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

/** As then. */
const authorOf = async (tx: Tx, { actor }: Call) => ({
  ...principalThen(actor),
  Name: (await rows.fullNameOf(tx, Number(actor.id))) ?? actor.name,
})
