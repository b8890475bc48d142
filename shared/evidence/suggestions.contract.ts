import { z } from 'zod'
import { IdParam, TenantNameParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** Values that the station suggests for empty fields of an evidence: an extension of the document service. */

const both = (path: string) => ({
  path: `/documentstore/api/v1/tenant/:tenantName${path}`,
  aliases: [`/api/v1/tenant/:tenantName${path}`] as const,
})

/**
 * What a value was read from.
 * `fileName`, `name`: a time in the name of a file, or in that of the evidence. `localTime`: the time that the file says without a zone.
 * `fileDate`: when the file was last written. `device`: who had the device then. `track`: where its track begins. `lastNumber`: the number
 * that another evidence of the same case has.
 */
export const SUGGESTION_SOURCES = [
  'fileName',
  'name',
  'localTime',
  'fileDate',
  'device',
  'track',
  'lastNumber',
] as const
export type SuggestionSource = (typeof SUGGESTION_SOURCES)[number]

/**
 * Why something is suggested for a field.
 * `empty`: it has no value. `zoneUnknown`: the file says its time without a zone. `localAsUtc`: the time in the file is the one in its name,
 * but said as UTC. `future`, `neverSet`: the time in the file lies after it came here, or is that of a clock that nobody set.
 */
export const SUGGESTION_REASONS = ['empty', 'zoneUnknown', 'localAsUtc', 'future', 'neverSet'] as const
export type SuggestionReason = (typeof SUGGESTION_REASONS)[number]

/** Of a name as much as stands in a reason. */
export const LONGEST_NAMED = 300

/** More would be a list to think about, and no help. */
export const MOST_SUGGESTIONS = 2

export const SuggestionModel = z
  .object({
    Field: z.enum(['StartTimeUtc', 'LocationWKT', 'CustomFields']),
    CustomField: z.string().nullable().meta({ description: 'Its name, where `Field` is `CustomFields`.' }),
    Value: z.string().meta({ description: 'As patchEvidence takes it.' }),
    Source: z.enum(SUGGESTION_SOURCES).meta({
      description:
        '`fileName`, `name`: a time in the name of a file, or of the evidence, in the time zone of the station. `localTime`: the time in the file, which has no zone, in that of the station. `fileDate`: when the file was last written, less its length. `device`: the officer whose device it was then. `track`: where the track of the camera begins. `lastNumber`: the number after the last one in its cases.',
    }),
    From: z.string().nullable().meta({
      description: 'What it was read from: the name, the time as it is written, the device, the last number.',
    }),
    PrecisionSeconds: z.int().nullable().meta({
      description:
        'Of a time: how exactly its source says it. No clock was compared: it may be wrong by more. Null where nothing tells.',
    }),
    Because: z.enum(SUGGESTION_REASONS).meta({
      description:
        '`empty`: the field has no value. `zoneUnknown`: the file says its time without a zone. `localAsUtc`: the file says the time of its name as UTC; many recorders write their local time so. `future`: the time in the file lies after it came here. `neverSet`: it is that of a clock that was never set.',
    }),
  })
  .meta({ id: 'EvidenceSuggestion' })

export const SuggestionsModel = z.object({ Items: z.array(SuggestionModel) }).meta({ id: 'EvidenceSuggestions' })

export const getEvidenceSuggestions = route({
  id: 'getEvidenceSuggestions',
  interface: 'document',
  method: 'GET',
  ...both('/evidence/:evidenceId/suggestions'),
  origin: 'extension',
  summary: 'Values that may belong into empty fields, with where they come from',
  description: `Read from what the station knows already; no file is opened, and nothing is stored. To accept one, send its value with patchEvidence and say the source as Reason. At most ${MOST_SUGGESTIONS} for each field, the likeliest first. What no calendar has, what lies after the file came here, and what a clock says that was never set is not suggested. Numbers and officers come from evidence and cases that the caller can view; guests are told no officers.`,
  permission: { kind: 'level', level: 'Edit', on: 'evidence' },
  audit: { by: 'read', action: 'evidence.suggestions', objectType: 'evidence', objectParam: 'evidenceId' },
  params: Tenant.extend({ evidenceId: IdParam }),
  responses: { 200: SuggestionsModel },
  errors: ['EvidenceNotFound', 'TenantNotFound'],
})
