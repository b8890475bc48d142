import type { Insertable } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { NoticesTable } from '../../db/tables.ts'

/** One for each person among these, and for each member of a group among them; nobody gets it twice. */
export async function insertNotices(
  tx: Tx,
  principalIds: readonly number[],
  notice: Omit<Insertable<NoticesTable>, 'principal_id' | 'notice_id' | 'seen_utc'>,
): Promise<void> {
  const people = await tx
    .selectFrom('principals')
    .select('principal_id')
    .where('kind', '=', 'user')
    .where((e) =>
      e.or([
        e('principal_id', 'in', principalIds),
        e('principal_id', 'in', e.selectFrom('memberships').select('member_id').where('group_id', 'in', principalIds)),
      ]),
    )
    .execute()
  if (people.length === 0) return
  await tx
    .insertInto('notices')
    .values(people.map(({ principal_id: id }) => ({ ...notice, principal_id: id, seen_utc: null })))
    .execute()
}
