/** Tables of cases, categories, departments, fields, links and followers. */
import type { Generated } from 'kysely'
import type { CaseFieldColumns } from '../../../shared/cases/fields.ts'
import type { GrantedLevel } from '../../../shared/kernel/permissions.ts'

export interface CategoriesTable {
  category_id: Generated<number>
  tenant_id: string
  name: string
  name_key: string
  description: string | null
  color: string | null
  /** Null: kept. */
  retention_days: number | null
  enabled: number
  concurrency_id: string
  created_utc: string
  modified_utc: string
  /** A PrincipalOutputModel as then. */
  modified_by: string
}

export interface CasesTable extends CaseFieldColumns {
  case_id: Generated<number>
  tenant_id: string
  ordinal_year: number
  ordinal_number: number
  state: 'Open' | 'Closed'
  lifecycle_state: 'Normal' | 'Protected' | 'Deleted'
  location_wkt: string | null
  /** A LocationOutputModel. */
  location: string | null
  custom_fields: string
  source_type: 'Manual' | 'Cad'
  closed_on: string | null
  scheduled_deletion_utc: string | null
  /** Null for a protection that ends only when a person ends it. */
  protected_until: string | null
  protected_ticks: bigint | null
  deleted_utc: string | null
  concurrency_id: string
  created_utc: string
  created_ticks: bigint
  /** Principals as then. */
  created_by: string
  modified_utc: string
  modified_by: string
}

export interface CasePoliciesTable {
  case_id: number
  principal_id: number
  level: GrantedLevel
  expires_utc: string | null
  expires_ticks: bigint | null
  /** 1 while it is unchanged since it was copied from the case's department. */
  from_department: Generated<number>
}

export interface DepartmentsTable {
  department_id: Generated<number>
  tenant_id: string
  name: string
  name_key: string
  description: string | null
  enabled: number
  is_default: number
  concurrency_id: string
  created_utc: string
  modified_utc: string
  /** A PrincipalOutputModel as then. */
  modified_by: string
}

export interface DepartmentPoliciesTable {
  department_id: number
  principal_id: number
  level: GrantedLevel
}

export interface PrefilledFieldsTable {
  tenant_id: string
  prefilled_field_id: string
  target: string
  label: string | null
  /** An array of texts, in the order given. */
  choices: string
  etag: string
  modified_utc: string
}

export interface TemplatesTable {
  tenant_id: string
  type: 'Case' | 'Evidence'
  renamed_fields: string
  custom_fields: string
  modified_utc: string
  modified_by: string
}

export interface CaseLinksTable {
  case_id: number
  evidence_id: number
  kind: 'Manual' | 'Automatic'
  confirmed: number
  /** The origin of an automatic link. */
  rule: string | null
  linked_on: string
  /** A PrincipalOutputModel as then. */
  linked_by: string
}

/** Evidence that came into a case or left it, by any link. */
export interface CaseLinkChangesTable {
  case_id: number
  /** The version of the case that has the change first. */
  number: number
  evidence_id: number
  /** 1: it came; -1: it left. */
  change: number
}

export interface CasePersonnelTable {
  case_id: number
  position: number
  principal_id: number
  role: string
}

export interface CaseFollowersTable {
  case_id: number
  principal_id: number
}

/** A task on a case (migrations/0018-case-work.ts). */
export interface CaseTasksTable {
  task_id: Generated<number>
  case_id: number
  title: string
  /** A day of the station. */
  due_date: string | null
  assignee_id: number | null
  done_utc: string | null
  /** A principal as then. */
  done_by: string | null
  /** The day of which its person was reminded last. */
  reminded_date: string | null
  author_id: number
  created_utc: string
  created_by: string
  modified_utc: string
  modified_by: string
  /** Number of changes. */
  edits: number
  concurrency_id: string
  /** Set when it was removed; its versions stay. */
  deleted_utc: string | null
}

/** Somebody asks for a level on a case. */
export interface AccessRequestsTable {
  request_id: Generated<number>
  case_id: number
  principal_id: number
  level: 'View' | 'Download' | 'Edit'
  reason: string
  requested_utc: string
  state: 'Open' | 'Granted' | 'Declined' | 'Withdrawn'
  decided_utc: string | null
  /** A principal as then; null while it is open, and where it was withdrawn. */
  decided_by: string | null
  /** Of whoever decided. */
  message: Generated<string>
}

export interface CaseTables {
  categories: CategoriesTable
  cases: CasesTable
  case_policies: CasePoliciesTable
  departments: DepartmentsTable
  department_policies: DepartmentPoliciesTable
  prefilled_fields: PrefilledFieldsTable
  templates: TemplatesTable
  case_links: CaseLinksTable
  case_link_changes: CaseLinkChangesTable
  case_personnel: CasePersonnelTable
  case_followers: CaseFollowersTable
  case_tasks: CaseTasksTable
  access_requests: AccessRequestsTable
}
