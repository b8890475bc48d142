import type { DockRule } from '../../../../shared/docking/docking.ts'
import { nameKey } from '../../../../shared/kernel/names.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import type { Device } from '../../../kernel/evidence/model.ts'
import type { Officer } from '../ports.ts'
import { categoryNamed, departmentNamed, isOfDepartment, policiesOfDepartment } from './rules.store.ts'
import type { RecordingRow, SessionRow } from './sessions.store.ts'

export interface Filed {
  readonly categoryId: string | null
  readonly policies: readonly { readonly principalId: number; readonly level: string }[]
  /** For the receipt. */
  readonly recorded: {
    /** Which of the rules, from 1. */
    readonly rule: number
    readonly category: string | null
    readonly department: string | null
    /** Names in the rule that the station does not have or that are disabled. */
    readonly problems: readonly string[]
  }
}

/** Category and department by the first rule that fits a recording; null where none fits. */
export async function filedBy(
  tx: Tx,
  rules: readonly DockRule[],
  row: SessionRow,
  recording: RecordingRow,
): Promise<Filed | null> {
  // A rule of one folder goes before a rule of all.
  const numbered = [...rules.entries()].sort(([, one], [, other]) => Number(ofFolder(other)) - Number(ofFolder(one)))
  for (const [at, rule] of numbered)
    if (await applies(tx, rule, row, recording)) return filed(tx, row.tenant_id, rule, at + 1)
  return null
}

const ofFolder = ({ when }: DockRule): boolean => when.folder !== undefined

async function applies(tx: Tx, { when }: DockRule, row: SessionRow, recording: RecordingRow): Promise<boolean> {
  const device = row.device === null ? null : (JSON.parse(row.device) as Device)
  if (when.folder !== undefined && when.folder !== row.bay) return false
  if (when.profile !== undefined && when.profile !== row.profile) return false
  if (when.deviceType !== undefined && when.deviceType !== device?.DeviceType) return false
  if (when.officerDepartment === undefined) return true
  if (recording.officer === null) return false
  const department = await departmentNamed(tx, row.tenant_id, nameKey(when.officerDepartment))
  const { PrincipalId } = JSON.parse(recording.officer) as Officer
  return department !== undefined && isOfDepartment(tx, department.department_id, Number(PrincipalId))
}

async function filed(tx: Tx, tenant: string, rule: DockRule, number: number): Promise<Filed> {
  const category = rule.category === undefined ? undefined : await categoryNamed(tx, tenant, nameKey(rule.category))
  const department =
    rule.department === undefined ? undefined : await departmentNamed(tx, tenant, nameKey(rule.department))
  return {
    categoryId: category === undefined ? null : String(category.category_id),
    policies: department === undefined ? [] : await policiesOfDepartment(tx, department.department_id),
    recorded: {
      rule: number,
      category: category === undefined ? null : (rule.category as string),
      department: department === undefined ? null : (rule.department as string),
      problems: [
        ...(rule.category !== undefined && category === undefined
          ? [`There is no enabled category ${rule.category}.`]
          : []),
        ...(rule.department !== undefined && department === undefined
          ? [`There is no enabled department ${rule.department}.`]
          : []),
      ],
    },
  }
}
