/** What the list shows, as it stands in the address. */
import { z } from 'zod'

export const TYPES = ['video', 'audio', 'image', 'document', 'text', 'other'] as const
export const STATUSES = ['verified', 'working', 'waiting', 'attention', 'differs', 'danger', 'open', 'sealed'] as const
export const SORTS = ['recorded', 'created', 'name', 'length', 'type', 'deleted'] as const

/** One value alone is how somebody types it. */
const listOf = <T extends readonly [string, ...string[]]>(values: T) =>
  z
    .union([z.array(z.enum(values)), z.enum(values).transform((one) => [one])])
    .catch([])
    .default([])

export const listSearch = z.object({
  q: z.string().max(256).catch('').default(''),
  type: listOf(TYPES),
  status: listOf(STATUSES),
  tag: z.array(z.string().max(64)).catch([]).default([]),
  /** Id of a case: what is in it. */
  case: z
    .string()
    .regex(/^\d{1,19}$/)
    .catch('')
    .default(''),
  from: z.string().max(40).catch('').default(''),
  to: z.string().max(40).catch('').default(''),
  sort: z.enum(SORTS).catch('created').default('created'),
  dir: z.enum(['asc', 'desc']).catch('desc').default('desc'),
  /** Files on their way, and what the station had to complete by itself. */
  unfinished: z.boolean().catch(false).default(false),
  /** The recycle bin instead. */
  bin: z.boolean().catch(false).default(false),
  view: z.enum(['list', 'grid']).catch('list').default('list'),
})

export type ListSearch = z.output<typeof listSearch>
const USUAL: ListSearch = listSearch.parse({})

/** What is as usual does not stand in the address. */
export function withoutUsual(search: ListSearch): Partial<ListSearch> {
  const said = Object.entries(search).filter(
    ([member, value]) => JSON.stringify(value) !== JSON.stringify(USUAL[member as keyof ListSearch]),
  )
  return Object.fromEntries(said) as Partial<ListSearch>
}

/** As the station's list takes it. */
export const queryOf = ({ q, type, status, tag, case: inCase, from, to, sort, dir, unfinished, bin }: ListSearch) => ({
  ...(q.trim() === '' ? {} : { text: q.trim() }),
  ...(type.length === 0 ? {} : { type }),
  ...(status.length === 0 ? {} : { status }),
  ...(tag.length === 0 ? {} : { tag }),
  ...(inCase === '' ? {} : { case: inCase }),
  ...(from === '' ? {} : { from }),
  ...(to === '' ? {} : { to }),
  ...(unfinished ? { unfinished: 'true' as const } : {}),
  ...(bin ? { deleted: 'true' as const } : {}),
  // An address that somebody wrote: outside the recycle bin nothing has a time of deletion.
  sort: sort === 'deleted' && !bin ? ('created' as const) : sort,
  direction: dir,
})

/** Anything that leaves evidence out; the recycle bin is another list, not a filter. */
export const isFiltered = ({ q, type, status, tag, case: inCase, from, to, unfinished }: ListSearch): boolean =>
  unfinished ||
  inCase !== '' ||
  q.trim() !== '' ||
  type.length + status.length + tag.length > 0 ||
  from !== '' ||
  to !== ''
