/** Checks the second step at sign-in (decisions 10). */
import { type Fault, fault } from '../../../../shared/kernel/errors.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import * as store from './second-step.store.ts'
import type { PersonRow } from './sessions.store.ts'
import { recoveryHash, stepOf } from './totp.ts'

/** `off`: the person has no second step. `needed`: they have one and sent no code. */
export type SecondStepResult = 'off' | 'needed' | 'refused' | 'code' | 'recovery'

export interface SecondStep {
  /** Uses a valid code up in the caller's transaction: each code and each recovery code is valid once. */
  check(tx: Tx, call: Call, person: PersonRow, given: string | undefined): Promise<SecondStepResult>
}

export interface SecondStepDeps {
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly sealer: Sealer
}

export const codeRefused = (): Fault => fault('SecondStepRefused', 'The code is not right, or was used before.')

/** The owner under which a seed is sealed. */
export const seedOf = (principalId: number): string => `totp ${principalId}`

export function createSecondStep({ ledger, clock, sealer }: SecondStepDeps): SecondStep {
  return {
    check: async (tx, call, person, given) => {
      const { principal_id: id } = person
      const row = await store.secondStepOf(tx, id)
      if (row === null || row.confirmed_at === null) return 'off'
      if (given === undefined) return 'needed'
      // Null after a restore without the keys: then only recovery codes work.
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
