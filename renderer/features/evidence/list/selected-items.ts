/** All items of a selection, also those that are not here. */
import * as documents from '../../../../shared/evidence/contract.ts'
import { call } from '../../../client/api.ts'
import type { Selection } from '../../../ui/table/selection.ts'
import type { Target } from '../acts/targets.ts'
import { type ListSearch, queryOf } from './search.ts'
import { type Item, PAGE } from './use-window.ts'

interface Selected {
  readonly selection: Selection
  readonly loaded: readonly Item[]
  readonly total: number
  readonly search: ListSearch
}

/** Of everything that matches, the station is asked page by page; what is selected and not here any more, one by one. */
export async function itemsOf(
  { selection, total, search, loaded }: Selected,
  tenant: string,
): Promise<readonly Target[]> {
  if (!selection.all) {
    const here = new Map<string, Target>(loaded.map((item) => [item.EvidenceId, item]))
    const found: Target[] = []
    for (const evidenceId of selection.keys)
      found.push(
        here.get(evidenceId) ??
          (search.bin ? binned(evidenceId) : null) ??
          (await call(documents.getEvidence, { params: { tenantName: tenant, evidenceId }, query: {} })),
      )
    return found
  }
  const found: Target[] = []
  for (let offset = 0; offset < total; offset += PAGE) {
    const { Items } = await call(documents.listEvidence, {
      params: { tenantName: tenant },
      query: { ...queryOf(search), count: String(PAGE), offset: String(offset) },
    })
    found.push(...Items.filter(({ EvidenceId }) => !selection.keys.has(EvidenceId)))
  }
  return found
}

const NO_CLOCK: Target['Clock'] = {
  CorrectedTimeUtc: null,
  DeviceTimeUtc: null,
  Offset: null,
  Source: 'none',
  UncertaintySeconds: null,
  ZoneUnknown: false,
}

/** Of what lies in the recycle bin no record is given out. */
const binned = (evidenceId: string): Target => ({
  EvidenceId: evidenceId,
  Name: evidenceId,
  DisplayName: evidenceId,
  AccessorPermissions: [],
  LifecycleState: 'Deleted',
  AssociationState: 'None',
  CategoryId: null,
  Tags: [],
  CustomFields: {},
  AccessPolicies: [],
  StartTimeUtc: null,
  EndTimeUtc: null,
  Clock: NO_CLOCK,
  ConcurrencyId: '',
})
