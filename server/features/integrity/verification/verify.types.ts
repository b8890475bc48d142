import type { SchemaDifference } from '../../../kernel/database/schema-difference.ts'
/** Kinds of findings of a verification (decisions 11, promise I3). */
export type ProblemKind =
  | 'ledger.entry'
  | 'ledger.chain'
  | 'ledger.sequence'
  | 'ledger.clock'
  | 'ledger.checkpoint'
  | 'ledger.rewritten'
  | 'ledger.key'
  | 'ledger.unreadable'
  | 'record'
  | 'schema'
  | 'database'
  | 'changed'
  | 'missing'
  | 'untracked'

export interface Problem {
  readonly kind: ProblemKind
  /** What it is about, e.g. `entry 17`, `checkpoint 400`, a blob's hash. */
  readonly what: string
  /** For people. */
  readonly message: string
  /** For problems of the ledger: the range of entries that contains the change. */
  readonly entries?: { readonly from: number; readonly to: number }
}

export const schemaProblem = ({ type, name, message }: SchemaDifference): Problem => ({
  kind: 'schema',
  what: `${type} ${name}`,
  message,
})

/** A list of limited length, so that a completely rewritten ledger does not fill the memory. */
export interface Problems {
  add(problem: Problem): void
  readonly list: readonly Problem[]
  readonly leftOut: number
}

export function collectProblems(most = 1000): Problems {
  const list: Problem[] = []
  let leftOut = 0
  return {
    add: (problem) => {
      if (list.length < most) list.push(problem)
      else leftOut += 1
    },
    list,
    get leftOut() {
      return leftOut
    },
  }
}

/** Collects findings about one record as one problem, with a sentence for each. */
export function collectByRecord(most = 1000): Problems {
  const byName = new Map<string, { kind: ProblemKind; what: string; message: string }>()
  let leftOut = 0
  return {
    add: ({ kind, what, message }) => {
      const known = byName.get(`${kind} ${what}`)
      if (known !== undefined) {
        if (!known.message.includes(message)) known.message += ` ${message}`
      } else if (byName.size < most) byName.set(`${kind} ${what}`, { kind, what, message })
      else leftOut += 1
    },
    get list() {
      return [...byName.values()]
    },
    get leftOut() {
      return leftOut
    },
  }
}

/** Whether an error of SQLite, from this or another thread, means a damaged file. Other errors are no finding about the evidence. */
export const isDamage = (error: unknown): error is Error =>
  error instanceof Error && /^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code))

/** The finding for a part of a verification that met a damaged page. The other parts continue. */
export const unreadable = (what: string, { message }: Error): Problem => ({
  kind: 'database',
  what,
  message: `It could not be read to its end, so the rest of it was not compared: ${message}.`,
})

export const entryProblem = (kind: ProblemKind, seq: number, message: string, from = seq): Problem => ({
  kind,
  what: `entry ${seq}`,
  message,
  entries: { from, to: seq },
})

/** Keys by table. */
export type RowsInDoubt = ReadonlyMap<string, readonly string[]>
