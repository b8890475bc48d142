import { highest, includes, type Level, levelByPolicies, levelOnEvidence } from '../../../shared/kernel/permissions.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import type { Database, Tx } from '../database/database.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import {
  grantsOnCases,
  identitiesOf,
  type InheritedPolicy,
  inheritedPolicies,
  linkedCases,
  ownGrants,
  policyLevels,
  recordedOnOwnDevices,
} from './access.store.ts'
import { createRightsCache } from './rights-cache.ts'
import { policiesNaming, type Viewer } from './viewable.store.ts'

/** Current levels, in the database state of `from` (decisions 3). A call without a sign-in, and the station itself, have none. */
export interface Access {
  /** The rights of the principal, for checks of a few objects. */
  asker(from: Tx, principal: Principal | null): Promise<Viewer>
  /** The rights of the principal, for a whole list. */
  viewer(from: Tx, principal: Principal | null): Promise<Viewer>
  onCase(from: Tx, principal: Principal | null, caseId: number): Promise<Level>
  onCases(from: Tx, principal: Principal | null, caseIds: readonly number[]): Promise<Map<number, Level>>
  onEvidence(from: Tx, principal: Principal | null, evidenceId: number): Promise<Level>
  onEvidences(from: Tx, principal: Principal | null, evidenceIds: readonly number[]): Promise<Map<number, Level>>
  /** Policies that the evidence has through cases that the principal can view; the highest one for each named principal. */
  inherited(from: Tx, principal: Principal | null, evidenceIds: readonly number[]): Promise<InheritedPolicy[]>
}

interface Deps {
  readonly clock: Clock
  readonly rightsVersion?: Database['rightsVersion']
}

const COUNT_VALID_MS = 5_000

/** How many policies name the caller, as far as a query plan depends on it. */
type Named = Pick<Viewer, 'few' | 'manyPolicies' | 'mostCases'>

/** @param rightsVersion of the database; without it nothing is cached */
export function createAccess({ clock, rightsVersion }: Deps): Access {
  const viewers = createRightsCache<Omit<Viewer, 'nowTicks' | keyof Named>>(rightsVersion ?? (() => null))
  const counted = new Map<number, { readonly named: Named; readonly until: number }>()
  /** Counting takes as long as reading a page. A count of a few seconds ago is good enough, since it only chooses between two query plans. */
  const namedBy = async (from: Tx, { self, identities }: Viewer): Promise<Named> => {
    const known = counted.get(self)
    const now = clock.monotonic()
    if (known !== undefined && now < known.until) return known.named
    const named = await policiesNaming(from, identities)
    counted.set(self, { named, until: now + COUNT_VALID_MS })
    return named
  }
  const asker = async (from: Tx, principal: Principal | null): Promise<Viewer> => {
    const nowTicks = timeOf(clock.now()).ticks
    if (principal === null || (principal.kind !== 'user' && principal.kind !== 'service'))
      return { self: 0, identities: new Set(), unassociated: 'None', fromMyDevice: 'None', nowTicks, few: false }
    const id = Number(principal.id)
    const read = async () => ({
      identities: await identitiesOf(from, id),
      self: id,
      unassociated: highest(...(await policyLevels(from, id, 'AccessUnassociatedFiles'))),
      fromMyDevice: highest(...(await policyLevels(from, id, 'AccessFilesFromMyDevice'))),
    })
    const viewer = await viewers(principal.id, read, from)
    return { ...viewer, nowTicks, few: false }
  }
  const onCases: Access['onCases'] = async (from, principal, ids) => {
    if (ids.length === 0) return new Map()
    const who = await asker(from, principal)
    const grants = await grantsOnCases(from, ids)
    return new Map(ids.map((id) => [id, levelByPolicies(grants.get(id) ?? [], who)]))
  }
  const onEvidences: Access['onEvidences'] = async (from, principal, ids) => {
    if (ids.length === 0) return new Map()
    const who = await asker(from, principal)
    const policies = await ownGrants(from, ids)
    const cases = await linkedCases(from, ids)
    const onOwnDevices = await recordedOnOwnDevices(from, who, ids)
    return new Map(
      ids.map((id) => [id, levelOnEvidence(policies.get(id) ?? [], cases.get(id) ?? [], who, onOwnDevices.has(id))]),
    )
  }
  return {
    asker,
    viewer: async (from, principal) => {
      const who = await asker(from, principal)
      return { ...who, ...(await namedBy(from, who)) }
    },
    onCases,
    onCase: async (from, principal, id) => (await onCases(from, principal, [id])).get(id) ?? 'None',
    onEvidences,
    inherited: async (from, principal, ids) => {
      const all = await inheritedPolicies(from, ids)
      const levels = await onCases(from, principal, [...new Set(all.map((policy) => policy.case_id))])
      const highest = new Map<string, InheritedPolicy>()
      for (const policy of all) {
        if (!includes(levels.get(policy.case_id) ?? 'None', 'View')) continue
        const key = `${policy.evidence_id} ${policy.principal_id}`
        const known = highest.get(key)
        if (known === undefined || !includes(known.level, policy.level)) highest.set(key, policy)
      }
      return [...highest.values()]
    },
    onEvidence: async (from, principal, id) => (await onEvidences(from, principal, [id])).get(id) ?? 'None',
  }
}
