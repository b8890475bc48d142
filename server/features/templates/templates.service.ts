import type { z } from 'zod'
import type { TemplateModel } from '../../../shared/templates/contract.ts'
import type { CustomField } from '../../../shared/templates/custom-fields.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import {
  fieldsOf,
  personalNames,
  putTemplateRow,
  type Template,
  templateOf,
  type TemplateRow,
  templateRows,
  type TemplateType,
} from './templates.store.ts'

export type TemplateOut = z.input<typeof TemplateModel>

/** Custom-field templates (interfaces.md 2.7, decisions 7): one of each type for a tenant, replaced whole. */
export interface Templates {
  /** By type; empty for a new station. */
  list(tenant: string): Promise<TemplateOut[]>
  put(call: HttpCall, tenant: string, type: TemplateType, given: Template): Promise<TemplateOut>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly clock: Clock
}

export function createTemplates({ db, ledger, clock }: Deps): Templates {
  return {
    list: async (tenant) => (await templateRows(db.read, tenant)).map(templateModel),

    put: (call, tenant, type, given) =>
      db.transaction(async (tx) => {
        const before = await templateOf(tx, tenant, type)
        const row: TemplateRow = {
          tenant_id: tenant,
          type,
          renamed_fields: JSON.stringify(given.renamedFields),
          custom_fields: JSON.stringify(given.customFields),
          modified_utc: isoMillis(clock.now()),
          modified_by: JSON.stringify(await authorOf(tx, call.actor)),
        }
        await putTemplateRow(tx, row)
        await ledger.append(tx, call, {
          action: 'template.changed',
          object: { type: 'template', id: type, name: type },
          detail: {
            added: before === null,
            renamedFields: given.renamedFields.length,
            customFields: given.customFields.length,
            ...whatChanged(before?.customFields ?? [], given.customFields),
          },
        })
        return templateModel(row)
      }),
  }
}

/** The most names of each kind in a ledger entry. */
const MOST_NAMES = 50

/** Added and removed fields, and fields with another type or other choices; only the first ones when there are many. */
function whatChanged(before: Template['customFields'], after: Template['customFields']) {
  const was = new Map(before.map((field) => [field.name, field]))
  const is = new Set(after.map(({ name }) => name))
  const names = (fields: Template['customFields']): string[] => fields.slice(0, MOST_NAMES).map(({ name }) => name)
  const kind = ({ type, choices = [] }: CustomField): string => JSON.stringify([type, choices])
  return {
    fieldsAdded: names(after.filter(({ name }) => !was.has(name))),
    fieldsRemoved: names(before.filter(({ name }) => !is.has(name))),
    fieldsRetyped: names(
      after.filter((field) => {
        const old = was.get(field.name)
        return old !== undefined && kind(old) !== kind(field)
      }),
    ),
  }
}

async function authorOf(tx: Tx, who: Principal): Promise<TemplateOut['lastModifiedBy']> {
  const names = await personalNames(tx, Number(who.id))
  return {
    firstName: names?.first_name ?? '',
    lastName: names?.last_name ?? '',
    username: who.name,
    principalId: Number(who.id),
    principalType: who.kind,
    kId: who.kId,
  }
}

function templateModel(row: TemplateRow): TemplateOut {
  const { renamedFields, customFields } = fieldsOf(row)
  return {
    type: row.type,
    renamedFields: [...renamedFields],
    customFields: customFields.map(({ name, type, choices }) =>
      choices === undefined ? { name, type } : { name, type, choices: [...choices] },
    ),
    lastModifiedUtc: row.modified_utc,
    lastModifiedBy: JSON.parse(row.modified_by) as TemplateOut['lastModifiedBy'],
  }
}
