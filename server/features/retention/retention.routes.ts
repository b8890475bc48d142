import type { z } from 'zod'
import * as contract from '../../../shared/retention/contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { PreviewRetention, Supposition } from './retention.preview.ts'
import type { SourceInput, Sources } from './sources.service.ts'

interface Deps {
  readonly sources: Sources
  readonly preview: PreviewRetention
}

export function retentionRoutes({ sources, preview }: Deps): BoundRoute[] {
  return [
    json(contract.listSourcePolicies, async ({ call }) => {
      const out = await sources.list(call.tenant)
      call.describeRead({ detail: { returned: out.length } })
      return out
    }),
    json(contract.createSourcePolicy, async ({ body, call }) => sources.create(call, call.tenant, givenBy(body))),
    json(contract.updateSourcePolicy, async ({ params, body, call }) =>
      sources.update(call, call.tenant, params.sourcePolicyId, givenBy(body), body.ConcurrencyId),
    ),
    json(contract.deleteSourcePolicy, async ({ params, call }) =>
      sources.remove(call, call.tenant, params.sourcePolicyId),
    ),
    json(contract.previewRetention, async ({ body, call, signal }) => {
      const supposition = suppositionOf(body)
      const out = await preview(call.tenant, supposition, signal)
      call.describeRead({
        id: supposition.id ?? '',
        detail: { of: supposition.kind, days: supposition.days, becomeDue: out.BecomeDue.Files },
      })
      return out
    }),
  ]
}

type Given = z.output<typeof contract.CreateSourcePolicyModel>

const givenBy = (body: Given): SourceInput => ({
  name: body.Name,
  ...matchOf(body),
  retentionDays: body.RetentionDays ?? null,
})

const matchOf = (body: Pick<Given, 'DeviceType' | 'SourceId' | 'Uploader'>) => ({
  deviceType: body.DeviceType ?? null,
  sourceId: body.SourceId ?? null,
  uploader: body.Uploader ?? null,
})

function suppositionOf({ Category, Source }: z.output<typeof contract.previewRetention.body>): Supposition {
  if (Category != null) return { kind: 'category', id: Category.CategoryId, days: Category.RetentionDays ?? null }
  // The contract takes one of the two and never both.
  const source = Source as NonNullable<typeof Source>
  return {
    kind: 'source',
    id: source.SourcePolicyId ?? null,
    remove: source.Remove,
    match: matchOf(source),
    days: source.RetentionDays ?? null,
  }
}
