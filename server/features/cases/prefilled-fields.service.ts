import type { z } from 'zod'
import { fault } from '../../../shared/kernel/errors.ts'
import type { PrefilledFieldModel, PrefilledFieldUpdateModel } from '../../../shared/cases/prefilled-fields.contract.ts'
import { canonicalJson } from '../../kernel/ledger/canonical.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { concurrencyIdOf, GENESIS } from '../../kernel/versions/versions.ts'
import type { Database } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import {
  deletePrefilledField,
  insertPrefilledField,
  prefilledFieldById,
  type PrefilledFieldRow,
  prefilledFieldsOf,
  updatePrefilledField,
} from './prefilled-fields.store.ts'

export type PrefilledFieldOut = z.input<typeof PrefilledFieldModel>
type FieldInput = z.output<typeof PrefilledFieldUpdateModel>

/** Prefilled fields (decisions 4): values that forms offer. They have no versions, but their ETags are chained like those of versions. */
export interface PrefilledFields {
  list(tenant: string): Promise<PrefilledFieldOut[]>
  /** @param eTag undefined: replaces the field without a check. @throws Fault ConcurrentWritingError */
  put(
    call: HttpCall,
    tenant: string,
    id: string,
    input: FieldInput,
    eTag: string | undefined,
  ): Promise<PrefilledFieldOut>
  /** @returns the deleted field. @throws Fault InvalidModel when there is none */
  delete(call: HttpCall, tenant: string, id: string): Promise<PrefilledFieldOut>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly clock: Clock
}

export function createPrefilledFields({ db, ledger, clock }: Deps): PrefilledFields {
  return {
    list: async (tenant) => (await prefilledFieldsOf(db.read, tenant)).map(modelOf),

    put: (call, tenant, id, input, eTag) =>
      db.transaction(async (tx) => {
        const before = await prefilledFieldById(tx, tenant, id)
        // A field that was deleted since it was read counts as stale too.
        if (eTag !== undefined && eTag !== before?.etag)
          throw fault('ConcurrentWritingError', 'Somebody changed this field since you read it. Read it again.', [
            { Path: 'eTag', Message: 'is not the current one' },
          ])
        const state = { PrefilledFieldId: id, Target: input.Target, Label: input.Label ?? null, Values: input.Values }
        const columns = {
          target: state.Target,
          label: state.Label,
          choices: JSON.stringify(state.Values),
          etag: concurrencyIdOf(before?.etag ?? GENESIS, canonicalJson(state)),
          modified_utc: isoMillis(clock.now()),
        }
        const row = { tenant_id: tenant, prefilled_field_id: id, ...columns }
        if (before === undefined) await insertPrefilledField(tx, row)
        else await updatePrefilledField(tx, tenant, id, columns)
        await ledger.append(tx, call, {
          action: before === undefined ? 'prefilledField.created' : 'prefilledField.changed',
          object: objectOf(row),
          detail: detailOf(row),
        })
        return modelOf(row)
      }),

    delete: (call, tenant, id) =>
      db.transaction(async (tx) => {
        const row = await prefilledFieldById(tx, tenant, id)
        if (row === undefined)
          throw fault('InvalidModel', 'There is no such prefilled field.', [
            { Path: 'prefilledFieldId', Message: 'names none' },
          ])
        await deletePrefilledField(tx, tenant, id)
        await ledger.append(tx, call, {
          action: 'prefilledField.deleted',
          object: objectOf(row),
          detail: detailOf(row),
        })
        return modelOf(row)
      }),
  }
}

const modelOf = (row: PrefilledFieldRow): PrefilledFieldOut => ({
  PrefilledFieldId: row.prefilled_field_id,
  Target: row.target,
  Label: row.label,
  Values: JSON.parse(row.choices) as string[],
  ETag: row.etag,
})

const objectOf = (row: PrefilledFieldRow) => ({
  type: 'prefilledField',
  id: row.prefilled_field_id,
  name: row.label ?? row.target,
})

/** The number of values, not the values: they may be megabytes, and the ETag is a hash over them. */
const detailOf = (row: PrefilledFieldRow) => ({
  eTag: row.etag,
  target: row.target,
  values: (JSON.parse(row.choices) as string[]).length,
})
