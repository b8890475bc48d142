import { z } from 'zod'
import { TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { CHECK_RESULTS, CHECKS } from './checks.ts'

/** Self-validation: the station shows that this installation works, on a scratch area beside its evidence (promise C7). Extensions. */

const Time = z.string()
const Counts = z.object({ Ok: z.int(), Failed: z.int(), Unknown: z.int(), NotBuilt: z.int() })

export const ValidationCheckModel = z
  .object({
    Name: z.enum(CHECKS),
    Result: z.enum(CHECK_RESULTS).meta({
      description:
        '`unknown`: it could not be tried on this machine. `not-built`: this version has nothing of the kind to check.',
    }),
    Done: z.string().meta({ description: 'What was done, in English.' }),
    Problem: z.string().nullable().meta({ description: 'Why it is not `ok`.' }),
    Figures: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    Milliseconds: z.int(),
  })
  .meta({ id: 'ValidationCheck' })

const kept = {
  Name: z
    .string()
    .meta({ description: 'Of its two files in the folder `validations` of the station: .json and .sig.' }),
  StartedTimeUtc: Time,
  EndedTimeUtc: Time,
  By: z.string(),
  Counts,
  Sha256: z.string().meta({ description: 'Of the JSON file.' }),
  Signature: z.enum(['holds', 'broken']).meta({
    description: 'Whether the signature by the package key of the station holds for the file as it is now.',
  }),
}

export const KeptValidationModel = z.object(kept).meta({ id: 'KeptValidation' })

export const ValidationModel = z
  .object({
    ...kept,
    Program: z.string(),
    Host: z.string(),
    Fingerprint: z.string().meta({ description: 'Of the key that signed it.' }),
    Checks: z.array(ValidationCheckModel),
  })
  .meta({ id: 'Validation' })

export const ValidationStateModel = z
  .object({
    Running: z
      .object({ StartedTimeUtc: Time, By: z.string(), Check: z.enum(CHECKS), Done: z.int(), Total: z.int() })
      .nullable(),
    Newest: ValidationModel.nullable(),
    Weekly: z.boolean().meta({ description: 'Whether it runs by itself a week after the last one.' }),
    NextTimeUtc: Time.nullable(),
    Problem: z
      .string()
      .nullable()
      .meta({ description: 'Why the last one that was asked for left no result; null when it left one.' }),
  })
  .meta({ id: 'ValidationState' })

const VALIDATION = '/api/v1/tenant/:tenantId/validation'
const common = {
  interface: 'operations',
  origin: 'extension',
  permission: { kind: 'administrator' },
  params: Tenant,
} as const
const read = {
  by: 'none',
  reason: 'It tells what the station found out about itself. That it was asked to, and what came of it, are entries.',
} as const

export const getValidation = route({
  ...common,
  id: 'getValidation',
  method: 'GET',
  path: VALIDATION,
  summary: 'The newest self-validation of the station, and the one that is under way',
  audit: read,
  responses: { 200: ValidationStateModel },
  errors: ['TenantNotFound'],
})

export const listValidations = route({
  ...common,
  id: 'listValidations',
  method: 'GET',
  path: `${VALIDATION}/kept`,
  summary: 'The self-validations that are kept, newest first',
  description: 'The newest 60 are kept.',
  audit: read,
  responses: { 200: z.object({ Items: z.array(KeptValidationModel) }).meta({ id: 'KeptValidations' }) },
  errors: ['TenantNotFound'],
})

export const startValidation = route({
  ...common,
  id: 'startValidation',
  method: 'POST',
  path: VALIDATION,
  summary: 'Begin a self-validation',
  description:
    'Answered when it has begun. It takes less than three minutes, works on a scratch area on the volumes of the station, and touches no evidence.',
  audit: { by: 'own', actions: ['validation.asked'] },
  responses: { 202: ValidationStateModel },
  errors: ['ValidationInProgress', 'TenantNotFound', 'ReadOnly'],
})

export const stopValidation = route({
  ...common,
  id: 'stopValidation',
  method: 'POST',
  path: `${VALIDATION}/stop`,
  summary: 'Stop the self-validation that is under way; it leaves no result',
  audit: { by: 'own', actions: ['validation.stopped'] },
  responses: { 200: ValidationStateModel },
  errors: ['NoValidationInProgress', 'TenantNotFound', 'ReadOnly'],
})

export const scheduleValidation = route({
  ...common,
  id: 'scheduleValidation',
  method: 'PUT',
  path: `${VALIDATION}/schedule`,
  summary: 'Run a self-validation every week, or no more',
  audit: { by: 'own', actions: ['validation.scheduled'] },
  body: z.object({ Weekly: z.boolean() }).meta({ id: 'ScheduleValidationModel' }),
  responses: { 200: ValidationStateModel },
  errors: ['InvalidModel', 'TenantNotFound', 'ReadOnly'],
})
