/** Members that several interfaces share, with the rules of decisions 1 for what comes in: ids, times, pages, and texts with what no text may hold. */
import { z } from 'zod'
import { NAME_LENGTH, unusableName } from './names.ts'
import { utf8Length } from './text.ts'
import { parseTime, type Time } from './time.ts'
import { isWgs84Wkt } from './wkt.ts'

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
const TenantParam = z.string().min(1).max(256)
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

const LONGEST_TIME = 40
/** As `UtcTime` asks it. */
export const isUtcTime = (value: string): boolean =>
  value.length <= LONGEST_TIME && parseTime(value, { utcMember: true }) !== null

/** As `OffsetTime` asks it. */
export const isOffsetTime = (value: string): boolean =>
  value.length <= LONGEST_TIME && parseTime(value, { utcMember: false }) !== null

/** A member named `…Utc`: without an offset it is taken as UTC. Output: text and ticks. */
export const UtcTime = z
  .string()
  .max(LONGEST_TIME)
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
  .max(LONGEST_TIME)
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

/** A day of the calendar, in whichever zone the operation says. */
export const CalendarDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2026-11-20')
  .refine((text) => {
    const time = Date.parse(`${text}T00:00:00Z`)
    return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) && text > '1900' && text < '9998'
  }, 'is no date of the calendar')
  .meta({ override: { type: 'string', format: 'date' } })

/** A page of a list that is not a plain array by specification. */
export const page = <T extends z.ZodType>(item: T) => z.object({ Items: z.array(item), Cursor: z.string().nullable() })

/** 0x00–0x1F and 0x7F–0x9F: nothing a person types, and the stuff of header and log splits. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_OR_BREAK = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

const isWellFormed = (value: string): boolean => value.isWellFormed()
const isUnbroken = (value: string): boolean => !CONTROL_OR_BREAK.test(value)
const isWithoutControls = (value: string): boolean => !CONTROL.test(value)

/** As `line` asks it, without a schema: a page that is not a form does without them. */
export const isLine = (value: string, max: number, min = 0): boolean =>
  value.length >= min && value.length <= max && isUnbroken(value) && isWellFormed(value)
/** As `text` asks it. */
export const isText = (value: string, max: number): boolean =>
  value.length <= max && isWithoutControls(value) && isWellFormed(value)

/** One line of text: no control characters, no line breaks, no lone surrogates. Lengths count UTF-16 units. */
export const line = (max: number, min = 0) =>
  z
    .string()
    .min(min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
    .max(max, `must not be longer than ${max} characters`)
    .refine(isUnbroken, 'must not hold control characters or line breaks')
    .refine(isWellFormed, 'must be well-formed Unicode')

/** Text of several lines. */
export const text = (max: number) =>
  z
    .string()
    .max(max, `must not be longer than ${max} characters`)
    .refine(isWithoutControls, 'must not hold control characters')
    .refine(isWellFormed, 'must be well-formed Unicode')

/** A name: one line, not empty, without outer spaces. */
export const trimmedLine = (max: number) =>
  line(max, 1).refine((value) => value === value.trim(), 'must not begin or end with a space')

/** A name of a person, a group, a category and the like; what makes two of them one is `nameKey` (decisions 2). */
export const Name = z
  .string()
  .min(1, 'must not be empty')
  .max(2 * NAME_LENGTH, `must not be longer than ${NAME_LENGTH} characters`)
  .superRefine((name, context) => {
    const why = unusableName(name)
    if (why !== null) context.addIssue({ code: 'custom', message: why })
  })

export const LONGEST_TAG = 64
/** As `tags` asks it of each. */
export const isTag = (tag: string): boolean => isLine(tag, LONGEST_TAG, 1) && tag === tag.trim()
export const tags = (most: number) =>
  z.array(trimmedLine(LONGEST_TAG)).max(most, `must not hold more than ${most} tags`)

export const LocationWkt = text(65_536).refine(
  isWgs84Wkt,
  'must be a geometry in well-known text, longitude before latitude, in degrees (WGS 84)',
)

type TextsByName = Record<string, string>
const isTexts = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((text) => typeof text === 'string')

/** Free-form names to texts. Not `z.record`: it drops a member called `__proto__` without a word, checked or not. */
export const Texts = z
  .unknown()
  .refine(isTexts, 'must be an object of texts')
  .meta({ override: { type: 'object', additionalProperties: { type: 'string' } } }) as z.ZodType<
  TextsByName,
  TextsByName
>

const MAX_CUSTOM_FIELDS = 1_000
const MAX_CUSTOM_FIELD_BYTES = 64 * 1024
const MAX_CUSTOM_BYTES = 4 * 1024 * 1024

/** Free-form names and values within the limits of decisions 1. As `Texts`, for the same reason. */
export const CustomFields = z
  .unknown()
  .superRefine((fields, context) => {
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      return context.addIssue({ code: 'custom', message: 'must be an object of texts' })
    const entries: [string, unknown][] = Object.entries(fields)
    if (entries.length > MAX_CUSTOM_FIELDS)
      context.addIssue({ code: 'custom', message: `must not hold more than ${MAX_CUSTOM_FIELDS} fields` })
    let total = 0
    for (const [name, value] of entries) {
      const problem = customFieldProblem(name, value)
      if (problem !== null) context.addIssue({ code: 'custom', path: [name], message: problem })
      total += utf8Length(name) + (typeof value === 'string' ? utf8Length(value) : 0)
    }
    if (total > MAX_CUSTOM_BYTES)
      context.addIssue({ code: 'custom', message: 'must not be larger than 4 MiB together' })
  })
  .meta({
    id: 'CustomFields',
    override: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: MAX_CUSTOM_FIELDS },
  }) as z.ZodType<TextsByName, TextsByName>

/** What is wrong with a custom field as `CustomFields` judges it; null for nothing. */
export function customFieldProblem(name: string, value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a text'
  if (name === '' || name.length > 256) return 'must have a name of 1 to 256 characters'
  if (!value.isWellFormed() || !name.isWellFormed()) return 'must be well-formed Unicode'
  if (value.includes('\0') || name.includes('\0')) return 'must not hold the character NUL'
  return utf8Length(value) > MAX_CUSTOM_FIELD_BYTES ? 'must not be longer than 64 KiB' : null
}

/** What is sent for a field of a kind, and what goes out. */
interface FieldKind {
  readonly input: (most: number) => z.ZodType
  readonly output: z.ZodType
}

/** What the table of fields of an entity says of each of them. */
export interface Field<Kind> {
  readonly kind: Kind
  /** Of a time its beginning: a column for the text and one for the instant, `…_ticks`, begin with it. */
  readonly column: string
  /** The longest text, in UTF-16 units; of a list the number of its texts. */
  readonly most?: number
  /** In the OpenAPI document. */
  readonly description?: string
}

const output = z.string().nullable()

/** Kinds that fields of several entities have. What is sent may be absent or null. */
export const FIELD_KINDS = {
  line: { input: (most: number) => line(most).nullish(), output },
  text: { input: (most: number) => text(most).nullish(), output },
  id: { input: () => IdMember.nullish(), output },
} satisfies Record<string, FieldKind>

/** The members of bodies and answers that follow from the table of fields of an entity. */
export function fieldMembers<
  const Kinds extends Readonly<Record<string, FieldKind>>,
  const Fields extends Readonly<Record<string, Field<keyof Kinds>>>,
>(kinds: Kinds, fields: Fields) {
  type Name = Extract<keyof Fields, string>
  const kindOf = (name: Name) => kinds[(fields[name] as Field<keyof Kinds>).kind] as FieldKind
  return {
    /** Members of a body. */
    inputsOf: <N extends Name>(names: readonly N[]) =>
      Object.fromEntries(
        names.map((name) => {
          const { most = 0, description } = fields[name] as Field<keyof Kinds>
          const input = kindOf(name).input(most)
          return [name, description === undefined ? input : input.meta({ description })]
        }),
      ) as { [K in N]: ReturnType<Kinds[Fields[K]['kind']]['input']> },
    /** Members of an answer. */
    outputsOf: <N extends Name>(names: readonly N[]) =>
      Object.fromEntries(names.map((name) => [name, kindOf(name).output])) as {
        [K in N]: Kinds[Fields[K]['kind']]['output']
      },
  }
}
