/** What a view shows, as it stands in the query of its address. Somebody may have typed it: a member that makes no sense is taken for one that is not there. */

/** @returns undefined for what makes no sense */
export type Reader<Value> = (given: unknown) => Value | undefined
type Members = Readonly<Record<string, (given: unknown) => unknown>>
/** What the readers return; members that may be undefined may be left out. */
export type StateOf<Read extends Members> = {
  readonly [Name in keyof Read as undefined extends ReturnType<Read[Name]> ? Name : never]?: ReturnType<Read[Name]>
} & {
  readonly [Name in keyof Read as undefined extends ReturnType<Read[Name]> ? never : Name]: ReturnType<Read[Name]>
}

export interface AddressState<State> {
  read(given: Readonly<Record<string, unknown>>): State
  /** Of an address that says nothing. */
  readonly usual: State
  /** What is as usual does not stand in the address. */
  withoutUsual(state: State): Partial<State>
}

export function addressState<const Read extends Members>(members: Read): AddressState<StateOf<Read>> {
  const read = (given: Readonly<Record<string, unknown>>): StateOf<Read> =>
    Object.fromEntries(
      Object.entries(members)
        .map(([name, reader]) => [name, reader(given[name])] as const)
        .filter(([, value]) => value !== undefined),
    ) as StateOf<Read>
  const usual = read({})
  return {
    read,
    usual,
    withoutUsual: (state) =>
      Object.fromEntries(
        Object.entries(state).filter(([name, value]) => !isSame(value, usual[name as keyof StateOf<Read>])),
      ) as Partial<StateOf<Read>>,
  }
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (Array.isArray(one) && Array.isArray(other) && one.length === 0 && other.length === 0)

/** The value where there is none. */
export const or =
  <Value, const Usual>(reader: Reader<Value>, usual: Usual) =>
  (given: unknown): Value | Usual =>
    reader(given) ?? usual

/** At most so many characters. A text of digits stands in the address like a number. */
export const text =
  (most: number, pattern?: RegExp): Reader<string> =>
  (given) => {
    if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'boolean') return undefined
    const said = String(given)
    return said.length <= most && pattern?.test(said) !== false ? said : undefined
  }

/** An id of the station. */
export const id = text(19, /^\d+$/)

export const oneOf =
  <const Value extends string>(values: readonly Value[]): Reader<Value> =>
  (given) =>
    values.find((value) => value === given)

export const flag: Reader<boolean> = (given) => {
  if (given === true || given === 'true' || given === 1) return true
  return given === false || given === 'false' || given === 0 ? false : undefined
}

export const whole =
  (least: number, most: number): Reader<number> =>
  (given) => {
    const number = typeof given === 'string' && given !== '' ? Number(given) : given
    return typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most
      ? number
      : undefined
  }

/** A list of at most so many; with one that makes no sense, the list makes none. */
export const list =
  <Value>(reader: Reader<Value>, most: number): Reader<Value[]> =>
  (given) => {
    if (!Array.isArray(given) || given.length > most) return undefined
    const read = given.map(reader)
    return read.every((one) => one !== undefined) ? read : undefined
  }
