/** Tells people that they were named in a note (decisions 32). */
import { mentionCandidates, mentionsIn } from '../../../shared/kernel/mentions.ts'
import { nameKey } from '../../../shared/kernel/names.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type { Access } from '../access/access.ts'
import type { Tx } from '../database/database.ts'
import type { Notices } from '../events/notices.ts'
import type { Call } from '../ledger/call.ts'
import type { LedgerObject } from '../ledger/ledger.ts'
import type { NotedOn } from './notes.store.ts'

interface Deps {
  readonly access: Access
  readonly notices: Notices
}

interface Outcome {
  /** Of whoever was told. */
  readonly told: readonly number[]
  /** User names of those who were named and cannot view what the note is on, so that they were not told. */
  readonly notTold: readonly string[]
}

interface Mentions {
  /** @param before what the note said before: who was named there already is not told again */
  tell(
    tx: Tx,
    call: Call & { readonly tenant: string },
    subject: { readonly on: NotedOn; readonly object: LedgerObject },
    text: string,
    before: string,
  ): Promise<Outcome>
}

/** Of the note, for the notice. */
const SHOWN = 500

export function createMentions({ access, notices }: Deps): Mentions {
  return {
    tell: async (tx, call, { on, object }, text, before) => {
      const known = await usersNamed(tx, call.tenant, text)
      const isKnown = (name: string): boolean => known.has(nameKey(name))
      const earlier = new Set(mentionsIn(before, isKnown).map(({ name }) => nameKey(name)))
      const named = new Set(mentionsIn(text, isKnown).map(({ name }) => nameKey(name)))
      const told: number[] = []
      const notTold: string[] = []
      for (const key of named) {
        const user = known.get(key)
        if (user === undefined || earlier.has(key) || String(user.principal_id) === call.actor.id) continue
        const principal = { kind: 'user', id: String(user.principal_id), name: user.name, kId: '' } as const
        const held = await (on.column === 'case_id'
          ? access.onCase(tx, principal, on.id)
          : access.onEvidence(tx, principal, on.id))
        if (includes(held, 'View')) told.push(user.principal_id)
        else notTold.push(user.name)
      }
      if (told.length > 0)
        await notices.tell(tx, call, told, {
          tenant: call.tenant,
          kind: 'note.mentioned',
          message: text.slice(0, SHOWN),
          object: { type: object.type, id: object.id },
        })
      return { told, notTold }
    },
  }
}

interface NamedUser {
  readonly principal_id: number
  readonly name: string
}

/** Users who can sign in and whose names may be meant, by the key of the name. */
async function usersNamed(from: Tx, tenant: string, text: string): Promise<ReadonlyMap<string, NamedUser>> {
  const keys = [...new Set(mentionCandidates(text).flatMap(({ names }) => names.map(nameKey)))]
  if (keys.length === 0) return new Map()
  const rows = await from
    .selectFrom('principals')
    .select(['principal_id', 'name', 'name_key'])
    .where('tenant_id', '=', tenant)
    .where('kind', '=', 'user')
    .where('enabled', '=', 1)
    .where('name_key', 'in', keys)
    .execute()
  return new Map(rows.map((row) => [row.name_key, row]))
}
