/** Everybody was told of everything once: whose notices one reads, and what of them is named, by the rights of today. */
import type { Database } from '../../../server/kernel/database/database.ts'
import type { Json } from '../../support/given.ts'
import { inPolicy, levelOnCase } from './model.ts'
import type { Asked, Operation } from './operations.ts'

const NOTICES = '/userservice/api/v1/tenant/station/notices'

interface About {
  readonly kind: string
  readonly type: string
  readonly id: string
}

const about = (cases: readonly string[], sender: string): readonly About[] => [
  ...cases.map((id) => ({ kind: 'case.changed', type: 'case', id })),
  { kind: 'cad.unreadable', type: 'service', id: sender },
  { kind: 'account.locked', type: 'user', id: sender },
  { kind: 'fixity.alarm', type: 'station', id: 'station' },
]

/** One about each case, an integration and the station, for each of these people. */
export async function writeNotices(db: Database, people: readonly string[], cases: readonly string[]): Promise<void> {
  const by = { PrincipalId: '1', KId: 'x', Name: 'somebody', Username: 'somebody', PrincipalType: 'user' }
  await db.transaction(async (tx) => {
    for (const [at, id] of people.entries())
      for (const one of about(cases, people[0] ?? ''))
        await tx
          .insertInto('notices')
          .values({
            tenant_id: 'station',
            principal_id: Number(id),
            kind: one.kind,
            message: `for ${at}`,
            object_type: one.type,
            object_id: one.id,
            created_utc: new Date().toISOString(),
            created_by: JSON.stringify(by),
            seen_utc: null,
            first_utc: null,
            act: 'case.changed',
          })
          .execute()
  })
}

const named = ({ world, who }: Asked, { type }: About, at: number): boolean =>
  type === 'case'
    ? levelOnCase(world, who, at) !== 'None' && world.cases[at]?.lifecycle !== 'Deleted'
    : type === 'service'
      ? inPolicy(world, who, 'ManageConfiguration')
      : world.people[who]?.administrator === true

export const NOTICE_LISTS: readonly Operation[] = [
  {
    name: 'notices: one’s own, with what may be viewed',
    expected: (asked) => {
      const { station, who } = asked
      const all = about(station.cases, station.people[0]?.id ?? '')
      return JSON.stringify(
        all.map((one, at) =>
          named(asked, one, at) ? [one.type, one.id, `for ${who}`, true] : [one.type, one.id, '', false],
        ),
      )
    },
    call: async ({ station, who }) => {
      const { json } = await station.call(who, 'GET', `${NOTICES}?count=1000`)
      return JSON.stringify(
        json.Items.map((one: Json) => [one.Object.Type, one.Object.Id, one.Message, shown(one)]).reverse(),
      )
    },
  },
]

/** @returns null where something of it shows and something does not */
function shown({ Object: { Name }, Message, Act, CreatedBy }: Json): boolean | null {
  const parts = [Name !== null, Message !== '', Act !== null, CreatedBy !== null]
  return parts.every(Boolean) ? true : parts.some(Boolean) ? null : false
}
