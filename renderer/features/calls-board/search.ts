/** What the board shows, as it stands in the address. */
import { z } from 'zod'
import { FOOTAGE_STATES } from '../../../shared/calls-board/footage.ts'

export const VIEWS = ['units', 'calls', 'weeks'] as const

const id = z.coerce
  .string()
  .regex(/^\d{0,19}$/)
  .catch('')
  .default('')

export const callsSearch = z.object({
  /** Empty: the shift that is on now. */
  date: z.coerce
    .string()
    .regex(/^(\d{4}-\d{2}-\d{2})?$/)
    .catch('')
    .default(''),
  /** Index, or `all` for the whole day. */
  shift: z.coerce
    .string()
    .regex(/^(all|\d{0,2})$/)
    .catch('')
    .default(''),
  unit: z.coerce.string().max(256).catch('').default(''),
  officer: id,
  state: z.enum(FOOTAGE_STATES).or(z.literal('')).catch('').default(''),
  view: z.enum(VIEWS).catch('units').default('units'),
  /** Of which the reason is shown. */
  call: id,
  who: id,
})
export type CallsSearch = z.output<typeof callsSearch>
export const EMPTY: CallsSearch = callsSearch.parse({})

/** What is as usual does not stand in the address. */
export function withoutUsual(search: CallsSearch): Partial<CallsSearch> {
  const said = Object.entries(search).filter(([member, value]) => value !== EMPTY[member as keyof CallsSearch])
  return Object.fromEntries(said) as Partial<CallsSearch>
}

export const isFiltered = ({ unit, officer, state }: CallsSearch): boolean =>
  unit !== '' || officer !== '' || state !== ''

/** As the station's board takes it. */
export const queryOf = ({ date, shift, unit, officer, state }: CallsSearch) => ({
  ...(date === '' ? {} : { date }),
  ...(shift === '' ? {} : { shift }),
  ...(unit === '' ? {} : { unit }),
  ...(officer === '' ? {} : { officer }),
  ...(state === '' ? {} : { state }),
})
