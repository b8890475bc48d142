/** The second step at the door: whether somebody has one, and whether what they brought is it (decisions 10). */
import { type Fault, fault } from '../../../../shared/kernel/errors.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Sealer } from './seal.ts'
import * as store from './second-step.store.ts'
import type { PersonRow } from './sessions.store.ts'
import { recoveryHash, stepOf } from './totp.ts'

/** `off`: none is asked for. `needed`: one is, and nothing was brought. */
export type Stepped = 'off' | 'needed' | 'refused' | 'code' | 'recovery'

export interface SecondStep {
  /** In the caller's transaction, in which what was good is used up: a code counts once, and so does a recovery code. */
  check(tx: Tx, call: Call, person: PersonRow, given: string | undefined): Promise<Stepped>
}

export interface SecondStepDeps {
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly sealer: Sealer
}

export const codeRefused = (): Fault => fault('SecondStepRefused', 'The code is not right, or was used before.')

/** What a seed is sealed as. */
export const seedOf = (principalId: number): string => `totp ${principalId}`

export function createSecondStep({ ledger, clock, sealer }: SecondStepDeps): SecondStep {
  return {
    check: async (tx, call, person, given) => {
      const { principal_id: id } = person
      const row = await store.secondStepOf(tx, id)
      if (row === null || row.confirmed_at === null) return 'off'
      if (given === undefined) return 'needed'
      // Null after a restore without the keys: then recovery codes are what is left.
      const seed = sealer.open(row.sealed, seedOf(id))
      const step = seed === null ? null : stepOf(given, seed, clock.now())
      if (step !== null) {
        if (step <= row.last_step) return 'refused'
        await store.changeSecondStep(tx, id, { last_step: step })
        return 'code'
      }
      const recovery = recoveryHash(given, id)
      if (recovery === null || !(await store.useRecoveryCode(tx, id, recovery, clock.now()))) return 'refused'
      await ledger.append(tx, call, {
        action: 'secondStep.recoveryUsed',
        object: { type: 'user', id: String(id), name: person.name },
        detail: { left: await store.recoveryCodesLeft(tx, id) },
      })
      return 'recovery'
    },
  }
}
