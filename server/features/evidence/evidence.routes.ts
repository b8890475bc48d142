/** Lists of evidence, its changes and history, acts on it, and its captions. */
import * as acting from '../../../shared/evidence/acts.contract.ts'
import * as captioning from '../../../shared/evidence/captions.contract.ts'
import * as changing from '../../../shared/evidence/change.contract.ts'
import * as listing from '../../../shared/evidence/list.contract.ts'
import * as suggesting from '../../../shared/evidence/suggestions.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { EvidenceActs } from './acts.service.ts'
import type { Captions } from './captions.service.ts'
import type { EvidenceHistory } from './change.history.ts'
import type { EvidenceChanging } from './change.service.ts'
import type { Duplicates } from './duplicates.service.ts'
import { asFiltered, filterAt } from './list.filter.ts'
import type { SpanOf } from './list.periods.ts'
import type { ListService } from './list.service.ts'
import type { Suggestions } from './suggestions/suggestions.service.ts'

interface ListDeps {
  service: ListService
  spanOf: SpanOf
}

export function listRoutes({ service, spanOf }: ListDeps): BoundRoute[] {
  return [
    json(listing.listEvidence, async ({ query, call }) => {
      const name = call.tenant
      const filter = await filterAt(query, name, spanOf)
      const out = await service.list(call, name, filter, {
        sort: query.sort,
        direction: query.direction,
        count: query.count,
        ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
        ...(query.offset === undefined ? {} : { offset: query.offset }),
        ...(query.total === 'atLeast' ? { exactTo: listing.EXACT_TO } : {}),
      })
      call.describeRead({ detail: { ...asFiltered(query), returned: out.Items.length, total: out.Total } })
      const ids = out.Items.map(({ EvidenceId }) => EvidenceId)
      const inShifts = query.shifts === 'true' && query.sort === 'recorded'
      return {
        ...out,
        ...(inShifts ? { Shifts: await service.shifts(call, name, filter, ids) } : {}),
        ...(query.sums === 'true' ? { Sums: await service.sums(call, name, filter) } : {}),
      }
    }),
    json(listing.listEvidenceFacet, async ({ params, query, call }) => {
      const out = await service.facet(call, call.tenant, await filterAt(query, call.tenant, spanOf), params.facet)
      call.describeRead({ detail: { ...asFiltered(query), facet: params.facet, returned: out.Values.length } })
      return out
    }),
    json(listing.listTags, async ({ query, call }) => {
      const out = await service.tags(call, call.tenant, query.text ?? '', Math.min(query.count, MOST_TAGS))
      call.describeRead({ detail: { ...query, returned: out.length } })
      return out
    }),
  ]
}

const MOST_TAGS = 100

interface ChangeDeps {
  readonly service: EvidenceChanging
  readonly history: EvidenceHistory
}

export function changeRoutes({ service, history }: ChangeDeps): BoundRoute[] {
  return [
    json(changing.patchEvidence, async ({ params, body, call }) =>
      service.patch(call, call.tenant, params.evidenceId, body),
    ),
    json(changing.getEvidenceHistory, async ({ params, query, call }) => {
      const { startingConcurrencyId, count } = query
      const page = { count, ...(startingConcurrencyId === undefined ? {} : { startingConcurrencyId }) }
      const out = await history.read(call, call.tenant, params.evidenceId, page)
      call.describeRead({ name: out.Name, detail: { returned: out.Entries.length } })
      return out
    }),
  ]
}

export function suggestionRoutes({ suggestions }: { readonly suggestions: Suggestions }): BoundRoute[] {
  return [
    json(suggesting.getEvidenceSuggestions, async ({ params, call }) => {
      const { name, items } = await suggestions.of(call, call.tenant, params.evidenceId)
      call.describeRead({ name, detail: { returned: items.length } })
      return { Items: items }
    }),
  ]
}

interface ActDeps {
  readonly acts: EvidenceActs
  readonly duplicates: Duplicates
}

export function actRoutes({ acts, duplicates }: ActDeps): BoundRoute[] {
  return [
    json(acting.protectEvidence, async ({ params, body, call }) =>
      acts.protect(call, call.tenant, params.evidenceId, body),
    ),
    json(acting.unprotectEvidence, async ({ params, call }) => acts.unprotect(call, call.tenant, params.evidenceId)),
    json(acting.deleteEvidence, async ({ params, call }) => acts.remove(call, call.tenant, params.evidenceId)),
    json(acting.restoreEvidence, async ({ params, call }) => acts.restore(call, call.tenant, params.evidenceId)),
    json(acting.moveEvidence, async ({ params, body, call }) => acts.move(call, call.tenant, params.evidenceId, body)),
    json(acting.listDuplicates, async ({ params, query, call }) => {
      const out = await duplicates.list(call, call.tenant, params.evidenceId, query)
      call.describeRead({ name: out.name, detail: { returned: out.page.Items.length } })
      return out.page
    }),
  ]
}

interface CaptionDeps {
  readonly captions: Captions
}

export function captionRoutes({ captions }: CaptionDeps): BoundRoute[] {
  return [
    json(
      captioning.attachCaptions,
      async ({ params, body, call }) => captions.attach(call, call.tenant, params.evidenceId, params.resourceId, body),
      { judge: ({ params, call }) => captions.judge(call, call.tenant, params.evidenceId) },
    ),
    json(captioning.detachCaptions, async ({ params, call }) =>
      captions.setAttached(call, call.tenant, params.evidenceId, params.resourceId, false),
    ),
    json(captioning.restoreCaptions, async ({ params, call }) =>
      captions.setAttached(call, call.tenant, params.evidenceId, params.resourceId, true),
    ),
    json(captioning.getCaptions, async ({ params, call }) => {
      const { row, out } = await captions.read(call, call.tenant, params.evidenceId, params.resourceId)
      call.describeRead({
        id: out.ResourceId,
        name: row.name,
        ...(row.sha256 === null ? {} : { sha256: row.sha256 }),
        detail: { evidenceId: String(row.evidence_id) },
      })
      return out
    }),
  ]
}
