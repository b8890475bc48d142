/** The pages of the administration and which right each needs. Only what is built stands here. */
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'

/** `people`: Account Administrators alone (decisions 3). */
export type Right = 'people' | Extract<SecurityPolicy, 'ManageConfiguration' | 'AccessAuditTrail'>

export const SECTIONS = [
  { id: 'users', to: '/administration/users', right: 'people' },
  { id: 'groups', to: '/administration/groups', right: 'people' },
  { id: 'policies', to: '/administration/policies', right: 'people' },
  { id: 'services', to: '/administration/services', right: 'people' },
  { id: 'categories', to: '/administration/categories', right: 'ManageConfiguration' },
  { id: 'sources', to: '/administration/sources', right: 'ManageConfiguration' },
  { id: 'departments', to: '/administration/departments', right: 'ManageConfiguration' },
  { id: 'templates', to: '/administration/templates', right: 'ManageConfiguration' },
  { id: 'prefilled', to: '/administration/prefilled', right: 'ManageConfiguration' },
  { id: 'cad', to: '/administration/cad', right: 'ManageConfiguration' },
  { id: 'maps', to: '/administration/maps', right: 'ManageConfiguration' },
  { id: 'network', to: '/administration/network', right: 'people' },
  { id: 'nodes', to: '/administration/nodes', right: 'people', severalNodes: true },
  { id: 'denials', to: '/administration/denials', right: 'AccessAuditTrail' },
] as const satisfies readonly {
  readonly id: string
  readonly to: string
  readonly right: Right
  /** Only where several nodes may share the database. */
  readonly severalNodes?: true
}[]

export type Section = (typeof SECTIONS)[number]
export type SectionId = Section['id']

export const sectionAt = (path: string): Section | undefined => SECTIONS.find(({ to }) => path.startsWith(to))
