/** The pages of the administration and which right each needs. Only what is built stands here. */
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'

/** `people`: Account Administrators alone (decisions 3). */
export type Right = 'people' | Extract<SecurityPolicy, 'ManageConfiguration' | 'AccessAuditTrail'>

/** In the order of the menu. */
export const SECTION_GROUPS = ['people', 'records', 'station'] as const
type SectionGroup = (typeof SECTION_GROUPS)[number]

export const SECTIONS = [
  { id: 'users', group: 'people', to: '/administration/users', right: 'people' },
  { id: 'groups', group: 'people', to: '/administration/groups', right: 'people' },
  { id: 'policies', group: 'people', to: '/administration/policies', right: 'people' },
  { id: 'services', group: 'people', to: '/administration/services', right: 'people' },
  { id: 'categories', group: 'records', to: '/administration/categories', right: 'ManageConfiguration' },
  { id: 'sources', group: 'records', to: '/administration/sources', right: 'ManageConfiguration' },
  { id: 'departments', group: 'records', to: '/administration/departments', right: 'ManageConfiguration' },
  { id: 'templates', group: 'records', to: '/administration/templates', right: 'ManageConfiguration' },
  { id: 'prefilled', group: 'records', to: '/administration/prefilled', right: 'ManageConfiguration' },
  { id: 'cad', group: 'station', to: '/administration/cad', right: 'ManageConfiguration' },
  { id: 'maps', group: 'station', to: '/administration/maps', right: 'ManageConfiguration' },
  { id: 'network', group: 'station', to: '/administration/network', right: 'people' },
  { id: 'nodes', group: 'station', to: '/administration/nodes', right: 'people', severalNodes: true },
  { id: 'denials', group: 'station', to: '/administration/denials', right: 'AccessAuditTrail' },
] as const satisfies readonly {
  readonly id: string
  readonly group: SectionGroup
  readonly to: string
  readonly right: Right
  /** Only where several nodes may share the database. */
  readonly severalNodes?: true
}[]

export type Section = (typeof SECTIONS)[number]
export type SectionId = Section['id']

export const sectionAt = (path: string): Section | undefined => SECTIONS.find(({ to }) => path.startsWith(to))
