/** What the history of the dock shows, as it stands in the address. */
import { z } from 'zod'
import { DOCK_STATES } from '../../../../shared/docking/docking.ts'

export const sessionsSearch = z.object({
  serial: z.coerce.string().max(256).catch('').default(''),
  state: z.enum(DOCK_STATES).or(z.literal('')).catch('').default(''),
  officer: z.coerce
    .string()
    .regex(/^\d{0,19}$/)
    .catch('')
    .default(''),
  device: z.coerce.string().max(64).catch('').default(''),
  from: z.string().max(40).catch('').default(''),
  to: z.string().max(40).catch('').default(''),
})
export type SessionsSearch = z.output<typeof sessionsSearch>
export const EMPTY: SessionsSearch = sessionsSearch.parse({})

/** What is as usual does not stand in the address. */
export function withoutUsual(search: SessionsSearch): Partial<SessionsSearch> {
  const said = Object.entries(search).filter(([member, value]) => value !== EMPTY[member as keyof SessionsSearch])
  return Object.fromEntries(said) as Partial<SessionsSearch>
}

export const isFiltered = (search: SessionsSearch): boolean => Object.keys(withoutUsual(search)).length > 0

/** As the station's list takes it. */
export const queryOf = ({ serial, state, officer, device, from, to }: SessionsSearch) => ({
  ...(serial.trim() === '' ? {} : { serial: serial.trim() }),
  ...(state === '' ? {} : { state }),
  ...(officer === '' ? {} : { officer }),
  ...(device === '' ? {} : { deviceId: device }),
  ...(from === '' ? {} : { from }),
  ...(to === '' ? {} : { to }),
})

export const TABS = ['files', 'recordings'] as const
export const sessionSearch = z.object({ tab: z.enum(TABS).optional().catch(undefined) })
/** What the picture on the paper brings. */
export const receiptSearch = z.object({
  entry: z.coerce.string().max(20).optional().catch(undefined),
  sha256: z.coerce.string().max(128).optional().catch(undefined),
})
