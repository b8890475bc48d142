import type { Database } from '../../../kernel/database/database.ts'

/** What cannot be decrypted with new keys, in sentences for people. */
export async function lostWithKeys(db: Database): Promise<string[]> {
  const steps = await db.read
    .selectFrom('second_steps as s')
    .innerJoin('principals as p', 'p.principal_id', 's.principal_id')
    .select('p.name')
    .where('s.confirmed_at', 'is not', null)
    .orderBy('p.name')
    .execute()
  const stations = await db.read
    .selectFrom('checkpoint_targets')
    .select('address')
    .where('sealed', 'is not', null)
    .where('removed_utc', 'is', null)
    .execute()
  const authority = await db.read
    .selectFrom('lan')
    .select('authority_sha256')
    .where('authority_sha256', 'is not', null)
    .executeTakeFirst()
  return [
    'Checkpoints from now on are signed by a new key, for which no earlier one vouches. Tell whoever keeps copies of them.',
    'Access tokens and upload addresses that were given out are no longer good, and neither is the key that uploads were encrypted for. Programs sign in again and ask for the new key by themselves.',
    ...(authority === undefined
      ? []
      : [
          'The certificate authority of the LAN is gone. A new one is made when the LAN starts; every host pairs again.',
        ]),
    ...(steps.length === 0
      ? []
      : [
          `The authenticators of ${steps.map(({ name }) => name).join(', ')} give no good codes any more; recovery codes do. "user reset-second-step" frees whoever has none.`,
        ]),
    ...stations.map(
      ({ address }) => `What is needed to send checkpoints to ${address} is gone. Name that station again.`,
    ),
  ]
}
