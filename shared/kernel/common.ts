/** Members that several interfaces share, with the rules of decisions 1 for what comes in. */
import { z } from 'zod'
import { parseTime, type Time } from './time.ts'

const INT64_MAX = 9_223_372_036_854_775_807n

/** Ids in paths: integers, int64, minimum 1; beyond that 400. Given on as the decimal string without leading zeros. */
export const IdParam = z
  .string()
  .regex(/^\d{1,32}$/, 'must be an integer')
  .refine(
    (text) => !/^\d{1,32}$/.test(text) || (BigInt(text) >= 1n && BigInt(text) <= INT64_MAX),
    'must lie between 1 and 9223372036854775807',
  )
  .transform((text) => BigInt(text).toString())
  .meta({ override: { type: 'string', pattern: '^[0-9]{1,19}$', description: 'int64, minimum 1' } })

/** An id in a body: a text, or an integer up to 2^53. Given on as the text. @param published how the OpenAPI names the text */
const idText = (text: z.ZodString, published: object) =>
  z
    .union([text, z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)])
    .transform((value) => String(value))
    .meta({
      override: {
        anyOf: [
          { type: 'string', ...published },
          { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        ],
      },
    })

/** The id of what has a number. Given on as the decimal string without leading zeros. */
export const IdMember = idText(z.string(), { pattern: '^[0-9]{1,19}$' })
  .refine((text) => /^\d{1,19}$/.test(text) && BigInt(text) <= INT64_MAX, 'must be a decimal string of at most 64 bits')
  .transform((text) => BigInt(text).toString())

/** The id of a principal. One that names nobody is refused where it is looked up, whatever its length (decisions 2). */
export const PrincipalIdMember = idText(z.string().min(1), { minLength: 1 })

/** The id of a department. One that names none is refused where it is looked up (DepartmentNotFound). */
export const DepartmentIdMember = idText(z.string().min(1).max(48), { minLength: 1, maxLength: 48 })

/** One name under two words; whether it is a tenant is settled where it is used. */
export const TenantParam = z.string().min(1).max(256)
export const TenantParams = z.object({ tenantId: TenantParam })
export const TenantNameParams = z.object({ tenantName: TenantParam })

/** `count` of lists and histories: 1–1000. */
export const Count = (standard: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, 'must be an integer between 1 and 1000')
    .default(String(standard))
    .transform(Number)
    .pipe(z.number().int().min(1).max(1000))
    .meta({ override: { type: 'integer', minimum: 1, maximum: 1000, default: standard } })

export const Cursor = z.string().max(2048).optional()

/** 64 hexadecimal digits (decisions 1); upper case is accepted and given on in lower case. */
export const Sha256 = z
  .string()
  .regex(/^[0-9A-Fa-f]{64}$/, 'must be 64 hexadecimal digits')
  .transform((text) => text.toLowerCase())
  .meta({ override: { type: 'string', pattern: '^[0-9a-f]{64}$' } })

/** A member named `…Utc`: without an offset it is taken as UTC. Output: text and ticks. */
export const UtcTime = z
  .string()
  .max(40)
  .transform((text, context): Time => {
    const parsed = parseTime(text, { utcMember: true })
    if (parsed !== null) return parsed
    context.addIssue({
      code: 'custom',
      message: 'must be an ISO 8601 time such as 2026-11-20T02:47:31.240Z, with 0 to 7 fraction digits',
    })
    return z.NEVER
  })
  .meta({ override: { type: 'string', format: 'date-time' } })

/** Other times must say their offset (decisions 1). Output: text and ticks. */
export const OffsetTime = z
  .string()
  .max(40)
  .transform((text, context): Time => {
    const parsed = parseTime(text, { utcMember: false })
    if (parsed !== null) return parsed
    context.addIssue({
      code: 'custom',
      message:
        'must be an ISO 8601 time with Z or an offset, such as 2026-11-20T02:47:31+01:00, with 0 to 7 fraction digits',
    })
    return z.NEVER
  })
  .meta({ override: { type: 'string', format: 'date-time' } })

/** A page of a list that is not a plain array by specification. */
export const page = <T extends z.ZodType>(item: T) => z.object({ Items: z.array(item), Cursor: z.string().nullable() })
