import { z } from 'zod'
import { TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** Sample data: what a new station can be tried with, and how it is removed again (decisions 33). Extensions. */

const SAMPLE = '/api/v1/tenant/:tenantId/sample-data'

export const SAMPLE_STATES = ['None', 'Adding', 'Partial', 'Added', 'Removing'] as const
export const SAMPLE_REFUSALS = ['OwnEvidence', 'Headquarters'] as const

const Named = z.object({ Kind: z.enum(['evidence', 'case']), Id: z.string(), Name: z.string() })

export const SampleDataModel = z
  .object({
    State: z.enum(SAMPLE_STATES).meta({
      description:
        'Partial: some of it is there and nothing is going on. It was stopped, or it failed: then Problem says why.',
    }),
    Done: z.int().meta({ description: 'Steps that are done; while it is removed those of the removal.' }),
    Total: z.int(),
    Problem: z.string().nullable(),
    WhyNot: z.enum(SAMPLE_REFUSALS).nullable().meta({
      description:
        'Why none can be added. OwnEvidence: the station has evidence of its own, in the recycle bin too. Headquarters: it forwards to one.',
    }),
    RemovalBegun: z
      .boolean()
      .meta({ description: 'A removal was asked for and is not over: it can only be gone on with.' }),
    EvidenceIds: z.array(z.string()),
    CaseIds: z.array(z.string()),
    Removal: z
      .object({
        Evidence: z.int(),
        Cases: z.int(),
        Files: z.int().meta({ description: 'With all that the station or people made of them.' }),
        Bytes: z.int(),
        Notes: z.int(),
        Bookmarks: z.int(),
        Tasks: z.int(),
        OwnUnlinked: z.int().meta({ description: 'Evidence that is no sample data and only leaves its sample case.' }),
        Kept: z
          .array(Named)
          .meta({ description: 'People added a file to it, so it stays and is theirs from then on.' }),
        Held: z
          .array(Named)
          .meta({ description: 'Protected, or kept by a decision: nothing is removed before that ends.' }),
      })
      .nullable()
      .meta({ description: 'What a removal would remove now. null: there is none.' }),
  })
  .meta({ id: 'SampleData' })

const common = {
  interface: 'operations',
  origin: 'extension',
  permission: { kind: 'administrator' },
  params: Tenant,
} as const
const REFUSED = ['TenantNotFound', 'SampleDataRefused', 'ReadOnly'] as const

export const getSampleData = route({
  ...common,
  id: 'getSampleData',
  method: 'GET',
  path: SAMPLE,
  summary: 'Whether sample data is there, and what its removal would remove',
  audit: {
    by: 'none',
    reason: 'It tells ids and counts of what the station made itself; adding and removing it are entries.',
  },
  responses: { 200: SampleDataModel },
  errors: ['TenantNotFound'],
})

export const addSampleData = route({
  ...common,
  id: 'addSampleData',
  method: 'POST',
  path: SAMPLE,
  summary: 'Add sample data, or go on with it',
  description:
    'Only to a station without evidence of its own that forwards to no headquarters. A job adds it; what it has added so far can be removed at any time.',
  audit: { by: 'own', actions: ['sample.requested'] },
  body: z
    .object({ Language: z.enum(['en', 'fr']).meta({ description: 'Of its titles and texts.' }) })
    .meta({ id: 'AddSampleDataModel' }),
  responses: { 200: SampleDataModel },
  errors: ['InvalidModel', ...REFUSED],
})

export const stopSampleData = route({
  ...common,
  id: 'stopSampleData',
  method: 'POST',
  path: `${SAMPLE}/stop`,
  summary: 'Stop the adding of sample data',
  description: 'What is there stays until it is removed; nothing of it is half done.',
  audit: { by: 'own', actions: ['sample.stopped'] },
  responses: { 200: SampleDataModel },
  errors: REFUSED,
})

export const removeSampleData = route({
  ...common,
  id: 'removeSampleData',
  method: 'POST',
  path: `${SAMPLE}/remove`,
  summary: 'Remove all sample data for good',
  description:
    'A job destroys the evidence as disposition does, without approvals, and deletes the cases. It refuses whatever the ledger does not name as added sample data. The ledger keeps that sample data was added and removed.',
  audit: { by: 'own', actions: ['sample.removalRequested'] },
  responses: { 200: SampleDataModel },
  errors: REFUSED,
})
