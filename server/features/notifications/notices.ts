import { GATHERED, type NoticeKind, USUAL_WAY } from '../../../shared/notifications/rules.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type { Action } from '../../kernel/ledger/actions.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { LedgerEntry } from '../../kernel/ledger/format.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { principalThen } from '../../kernel/evidence/objects.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import * as rows from './notices.store.ts'

export interface Notice {
  readonly tenant: string
  readonly kind: NoticeKind
  /** For people, shown to nobody who cannot view what it is about. */
  readonly message?: string
  readonly object: { readonly type: string; readonly id: string }
  /** What happened, where the kind does not say it. */
  readonly act?: Action
}

/** The one place that makes notices, in the transaction of what they tell of: they commit with it or not at all. */
export interface Notices {
  /**
   * What the ledger was told just now. Every change passes through there with its commit, so that nobody who makes one has to think of
   * who wants to hear of it.
   */
  happened(tx: Tx, call: Call, entry: LedgerEntry): Promise<void>
  /** One for each person among these, and for each member of a group among them; none for whoever did it. */
  tell(tx: Tx, call: Call, principalIds: readonly number[], notice: Notice): Promise<void>
}

interface Deps {
  readonly clock: Clock
  readonly access: Pick<Access, 'onCase'>
  /** Whose device it is now. */
  readonly officersOf: (tx: Tx, deviceId: string) => Promise<readonly number[]>
}

/** A file of a camera was found to differ from the camera's own list just now: each file is told of once, not at every docking. */
const isDifference = (entry: LedgerEntry): entry is LedgerEntry & { detail: Readonly<Record<string, unknown>> } =>
  (entry.action === 'resource.completed' || entry.action === 'resource.differs') &&
  entry.detail?.['differsFrom'] !== undefined

const KEPT_MS = 90 * 86_400_000
/** In one transaction: other writers wait behind it. */
const AT_ONCE = 1_000

/** What of a case its followers are told. */
const CHANGES: ReadonlySet<Action> = new Set<Action>([
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
])

export function createNotices({ clock, access, officersOf }: Deps): Notices {
  /** Gathered with what the person was told of the same thing a while ago. */
  const write = async (tx: Tx, call: Call, people: readonly number[], notice: Notice): Promise<void> => {
    const { tenant, kind, message = '', object, act = null } = notice
    if (people.length === 0) return
    const ways = await rows.waysOf(tx, people, kind)
    const recipients = people.filter((id) => (ways.get(id) ?? USUAL_WAY[kind]) !== 'none')
    if (recipients.length === 0) return
    const now = clock.now()
    const gathered = GATHERED[kind]
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
  const unreadable = async (tx: Tx, call: Call, { object, reason = '' }: LedgerEntry): Promise<void> => {
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
  const alarm = async (tx: Tx, call: Call, { reason = '' }: LedgerEntry): Promise<void> => {
    for (const tenant of await rows.tenants(tx))
      await write(tx, call, others(call, await rows.administrators(tx, tenant)), {
        tenant,
        kind: 'fixity.alarm',
        message: reason,
        object: { type: 'station', id: tenant },
      })
  }
  /** Every administrator is told, so that one of them alone takes no account over in silence (decisions 6). */
  const controlEnded = async (tx: Tx, call: Call, { object }: LedgerEntry): Promise<void> => {
    for (const tenant of await rows.tenants(tx))
      await write(tx, call, await rows.administrators(tx, tenant), {
        tenant,
        kind: 'account.controlEnded',
        object: { type: 'user', id: object.id },
      })
  }
  /** From the second lock-out on, and at once where only an administrator ends the lock. */
  const accountLocked = async (tx: Tx, call: Call, { object, detail }: LedgerEntry): Promise<void> => {
    if (detail?.['lockOuts'] === undefined && detail?.['until'] !== null) return
    const tenant = await rows.tenantOfPrincipal(tx, Number(object.id))
    if (tenant === null) return
    await write(tx, call, others(call, await rows.administrators(tx, tenant)), {
      tenant,
      kind: 'account.locked',
      object: { type: 'user', id: object.id },
    })
  }
  const accountContained = async (tx: Tx, call: Call, { object, reason = '' }: LedgerEntry): Promise<void> => {
    const tenant = await rows.tenantOfPrincipal(tx, Number(object.id))
    if (tenant === null) return
    await write(tx, call, others(call, await rows.administrators(tx, tenant)), {
      tenant,
      kind: 'account.contained',
      message: reason,
      object: { type: 'user', id: object.id },
    })
  }
  const caseChanged = async (tx: Tx, call: Call, { action, object, detail }: LedgerEntry): Promise<void> => {
    const caseId = Number(object.id)
    const followers = others(call, await rows.followersOf(tx, caseId))
    if (followers.length === 0) return
    // People with whom it was shared get that notice, and not another one about the change.
    const shared = new Set(action === 'case.shared' ? await rows.peopleAmong(tx, sharedWith(detail)) : [])
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
    happened: async (tx, call, entry) => {
      const { action, object } = entry
      if (action === 'dock.failed')
        await ofCamera(tx, call, object.id, { kind: 'camera.failed', message: entry.reason ?? '' })
      else if (isDifference(entry))
        await ofCamera(tx, call, String(entry.detail['dockSessionId']), {
          kind: 'camera.differs',
          message: object.name,
        })
      else if (action === 'cad.refused') await unreadable(tx, call, entry)
      else if (action === 'user.locked') await accountLocked(tx, call, entry)
      else if (action === 'user.contained') await accountContained(tx, call, entry)
      else if (action === 'alarm.raised') await alarm(tx, call, entry)
      else if (action === 'account.controlEnded') await controlEnded(tx, call, entry)
      else if (object.type === 'case' && CHANGES.has(action)) await caseChanged(tx, call, entry)
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

/** As the entry names them: `12:View`. */
function sharedWith(detail: LedgerEntry['detail']): number[] {
  const all = detail?.['with']
  return Array.isArray(all) ? all.map((one) => Number.parseInt(String(one), 10)).filter(Number.isSafeInteger) : []
}
