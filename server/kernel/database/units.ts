/**
 * Units of work: named functions that run whole inside the writer's transaction, on the database's thread (docs/architecture.md). One
 * message goes there and one comes back, however many statements a unit has.
 */
import type { Clock } from '../../platform/clock/clock.ts'
import type { Tx } from './kysely.ts'
import type { Tables } from './tables.ts'

/**
 * Names a unit, and carries the types of what goes in and comes out. Both are plain data: they cross to another thread.
 */
export interface Unit<Input, Output> {
  readonly name: string
  /**
   * The rows whose lock makes it safe for the unit to run beside units of other groups (docs/decisions/0023, Units side by side). Null, and no
   * function at all: it runs while nothing else writes.
   */
  readonly locks?: (input: Input) => RowLocks | null
  /** Never set; carries the types. */
  readonly types?: (input: Input) => Output
}

/** Rows that a unit locks before it reads anything. One that is not there is not locked, and the unit finds it missing. */
export interface RowLock {
  readonly table: keyof Tables & string
  readonly key: string
  /** Values of the key. The rows are locked in the order of it. */
  readonly values: readonly number[]
}

/** In the order in which they are locked: cases, evidence. */
export type RowLocks = readonly RowLock[]

export const unit = <Input, Output>(name: string, locks?: (input: Input) => RowLocks | null): Unit<Input, Output> => ({
  name,
  ...(locks === undefined ? {} : { locks }),
})

/**
 * The work itself. It awaits nothing but `tx`, and has no effect outside of it: it may run again from its input. Time comes from the
 * clock that the list of units was made with.
 */
export type UnitBody = (tx: Tx, input: never) => Promise<unknown>

export interface UnitList {
  readonly bodies: ReadonlyMap<string, UnitBody>
  /** Runs at the end of a unit that changed rows. What it throws undoes the unit. */
  readonly beforeEnd: (tx: Tx) => Promise<void>
  /**
   * Chains the entries that units left to the end of their group, with numbers and a time that follow those of every earlier commit.
   * @param tx in which they are written @param units the transactions of the units that succeeded, in order
   * @returns what is still on its way to the database; the commit is sent behind it. Null where there are no entries
   */
  readonly chainEntries: (tx: Tx, units: readonly Tx[]) => Promise<{ readonly sent: Promise<unknown> } | null>
}

/** What a module that the thread loads exports. Its clock shows the time at which the unit began. */
export interface UnitsModule {
  createUnits(clock: Clock): UnitList
}

/** @throws Error where two units have one name: one of them would never run */
export function listUnits(...units: readonly (readonly [Unit<never, unknown>, UnitBody])[]): UnitList['bodies'] {
  const bodies = new Map<string, UnitBody>()
  for (const [{ name }, body] of units) {
    if (bodies.has(name)) throw new Error(`Two units of work are called ${name}`)
    bodies.set(name, body)
  }
  return bodies
}

/** Pairs a unit with its work, so that the compiler compares their types. */
export const does = <Input, Output>(
  named: Unit<Input, Output>,
  body: (tx: Tx, input: Input) => Promise<Output>,
): readonly [Unit<never, unknown>, UnitBody] => [named as Unit<never, unknown>, body as UnitBody]

/** Units that share a commit at most. */
export const MOST_IN_A_GROUP = 64
/** How often a unit runs at most that fails because of another group. */
export const MOST_TRIES = 4
/** Milliseconds after which a group takes no further unit: other writers wait behind it. */
export const LONGEST_GROUP_MS = 20

export interface UnitRequest {
  readonly name: string
  readonly input: unknown
  /** Milliseconds since 1970 at which the unit begins. */
  readonly now: number
  /** In a group that runs beside others. */
  readonly locks?: RowLocks
}

export interface UnitGroup {
  readonly units: readonly UnitRequest[]
  /** Tell the text of every statement, for measurements. */
  readonly trace: boolean
  /** Whether groups of other connections may run at the same time. Every unit then has its locks. */
  readonly besideOthers?: boolean
}

/** An error as it crosses to another thread. */
export type CrossingError =
  | {
      readonly kind: 'fault'
      readonly code: string
      readonly message: string
      readonly details: readonly unknown[]
      readonly retryAfter: number | undefined
      readonly reason: string | undefined
      readonly headers: Readonly<Record<string, string>>
    }
  | { readonly kind: 'sql'; readonly message: string; readonly code: string }
  | { readonly kind: 'error'; readonly name: string; readonly message: string; readonly stack: string | undefined }

export type UnitResult =
  | { readonly output: unknown }
  | { readonly error: CrossingError }
  /** Another group was in its way. It left nothing, and runs again in a later group. */
  | { readonly inTheWay: CrossingError }

export interface GroupAnswer {
  /** Of the units that ran, in order; the others were not begun. */
  readonly results: readonly UnitResult[]
  readonly statements: readonly string[]
  /** Whether a unit that succeeded may have changed rows; entries of reads do not count. */
  readonly wroteRows: boolean
}
