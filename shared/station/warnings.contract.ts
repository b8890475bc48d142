import { z } from 'zod'
import { LONGEST_WAIVER_DAYS, STATION_WARNINGS } from './warnings.ts'
import { TenantParams as Tenant, text, UtcTime } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** Waivers of the warnings about the station: an administrator lets one stand without its counting, for a reason and a time. Extensions. */

export const WarningName = z.enum(STATION_WARNINGS).meta({
  description:
    'backup: no place for backups is set up. checkpoints: no place for copies of checkpoints is set up. clock: the machine does not say whether its clock is right.',
})

export const WaiverModel = z
  .object({
    Warning: WarningName,
    UntilUtc: z.string().meta({ description: 'From then on the warning counts again, by itself.' }),
    Reason: z.string(),
    WaivedTimeUtc: z.string(),
    WaivedBy: z.object({ PrincipalId: z.string(), Name: z.string(), PrincipalType: z.string() }),
  })
  .meta({ id: 'StationWaiver' })

/** A warning that stands now, as administrators are told of it. */
export const StationWarningModel = z
  .object({ Warning: WarningName, Waiver: WaiverModel.omit({ Warning: true }).nullable() })
  .meta({ id: 'StationWarning' })

export const LONGEST_REASON = 1000
export const WaiverReason = z
  .string()
  .transform((reason) => reason.trim())
  .pipe(text(LONGEST_REASON).refine((reason) => reason !== '', 'must say why'))
  .meta({ override: { type: 'string', minLength: 1, maxLength: LONGEST_REASON } })

const administrator = { kind: 'administrator' } as const
const path = '/api/v1/tenant/:tenantId/station/warning/:warning/waiver' as const
const WarningPath = Tenant.extend({ warning: WarningName })

export const waiveStationWarning = route({
  id: 'waiveStationWarning',
  interface: 'operations',
  method: 'PUT',
  path,
  origin: 'extension',
  summary: 'Waive a warning about the station for a time',
  description: `The warning still shows, with who waived it and why, and does not count towards the state of the station until \`UntilUtc\`: from the beginning of tomorrow to the beginning of the day ${LONGEST_WAIVER_DAYS} days from today, by the station’s time zone. A waiver covers the warning as it stands: it ends when the warning is settled, and another problem is not covered. It is taken back before another one is given.`,
  permission: administrator,
  audit: { by: 'own', actions: ['station.warningWaived'] },
  params: WarningPath,
  body: z
    .object({
      Reason: WaiverReason,
      UntilUtc: UtcTime,
    })
    .meta({ id: 'StationWaiverRequest' }),
  responses: { 200: WaiverModel },
  errors: ['InvalidModel', 'WarningNotStanding', 'WarningWaived', 'TenantNotFound', 'ReadOnly'],
})

export const takeBackStationWaiver = route({
  id: 'takeBackStationWaiver',
  interface: 'operations',
  method: 'DELETE',
  path,
  origin: 'extension',
  summary: 'Take a waiver back: the warning counts again at once',
  permission: administrator,
  audit: { by: 'own', actions: ['station.waiverTakenBack'] },
  params: WarningPath,
  responses: { 204: null },
  errors: ['InvalidModel', 'WaiverNotFound', 'TenantNotFound', 'ReadOnly'],
})
