/**
 * The schema of the first release. Numbers below 11 belong to programs before it, whose steps this one replaces.
 * Triggers of one event run in no promised order; none here depends on the order.
 */
import * as accounts from './first-release/accounts.ts'
import * as annotations from './first-release/annotations.ts'
import * as cad from './first-release/cad.ts'
import * as cases from './first-release/cases.ts'
import * as correlation from './first-release/correlation.ts'
import * as devices from './first-release/devices.ts'
import * as docking from './first-release/docking.ts'
import * as evidence from './first-release/evidence.ts'
import * as evidenceList from './first-release/evidence-list.ts'
import * as folding from './first-release/folding.ts'
import * as integrity from './first-release/integrity.ts'
import * as lan from './first-release/lan.ts'
import * as ledger from './first-release/ledger.ts'
import * as notices from './first-release/notices.ts'
import * as retention from './first-release/retention.ts'
import * as search from './first-release/search.ts'
import * as signIn from './first-release/sign-in.ts'

export const AREAS: readonly { readonly tables: string; readonly triggers?: string }[] = [
  accounts,
  signIn,
  ledger,
  evidence,
  cases,
  annotations,
  integrity,
  retention,
  folding,
  search,
  devices,
  docking,
  cad,
  correlation,
  lan,
  notices,
  evidenceList,
]

export const version = 11
export const name = 'first release'
export const sql = [...AREAS.map(({ tables }) => tables), ...AREAS.map(({ triggers = '' }) => triggers)].join('\n')
