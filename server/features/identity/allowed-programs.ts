import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { endFamiliesOf } from './allowed-programs.store.ts'

/**
 * Ends the access of every program that a person allowed, each with a ledger entry (I1). Call it before a password is changed or a person
 * is disabled. The trigger `principals_account` then ends any remaining family without an entry, as the last safeguard.
 * @returns how many were ended
 */
export async function endPrograms(
  { ledger, clock }: { readonly ledger: Pick<Ledger, 'append'>; readonly clock: Clock },
  tx: Tx,
  call: Call,
  person: { readonly principal_id: number; readonly name: string },
  reason: 'password' | 'disabled' | 'contained',
): Promise<number> {
  const ended = await endFamiliesOf(tx, person.principal_id, clock.now())
  for (const { family_id: family, client_id: client } of ended)
    await ledger.append(tx, call, {
      action: 'authorization.ended',
      object: { type: 'user', id: String(person.principal_id), name: person.name },
      reason,
      detail: { client, family: String(family) },
    })
  return ended.length
}
