/**
 * When evidence may go, and what keeps it: one pure rule, of which the queue, every step of it, the previews and the tests are made.
 * Times are milliseconds since 1970.
 *
 * - Everything that applies is counted: its own category, the category of each case it is in, each source policy that matches it. The
 *   longest wins, and whatever says "keep" wins over every number.
 * - It runs from the closing of the last of its cases; in no case from its end or its coming in, whichever is later: a camera's clock
 *   that stands years back must not make it due.
 * - What nobody classified never expires: a case without a category keeps what is in it, and so does an evidence in no case to which
 *   neither a category of its own nor a source policy applies.
 * - What was disclosed stays until the case of the disclosure is closed, also when it is in that case no more.
 * - What a person moved to the recycle bin is due when its time there is over, whatever its retention.
 */

export const DAY = 86_400_000

/** The longest retention in days, a hundred years: what is longer is meant as "keep". */
export const MOST_RETENTION_DAYS = 36_525

/** A retention that applies. `days` null: keep. */
export interface Term {
  readonly id: string
  readonly name: string
  readonly days: number | null
}

export interface CaseFacts {
  readonly caseId: string
  /** As people name it: the ordinal. */
  readonly ordinal: string
  readonly state: 'Open' | 'Closed'
  readonly lifecycle: 'Normal' | 'Protected' | 'Deleted'
  /** Of a protected one; null: until somebody takes the protection away. */
  readonly protectedUntil: number | null
  readonly closedAt: number | null
  readonly category: Term | null
}

export interface RetentionFacts {
  readonly lifecycle: 'None' | 'Protected' | 'Deleted' | 'Destroyed'
  readonly protectedUntil: number | null
  readonly deletedAt: number | null
  readonly endedAt: number | null
  readonly createdAt: number
  readonly category: Term | null
  readonly sources: readonly Term[]
  readonly cases: readonly CaseFacts[]
  /** Open cases of which it was disclosed. */
  readonly disclosed: readonly Pick<CaseFacts, 'caseId' | 'ordinal'>[]
  /** When an automatic link of it was withdrawn; only those that nobody has looked at since. */
  readonly withdrawnAt: readonly number[]
  /** Somebody took it out of the queue until then. */
  readonly keptUntil: number | null
  /** Uploads into it are open. */
  readonly unfinished: boolean
}

const DUE_KINDS = ['Category', 'Source', 'Deleted'] as const
export const RULE_KINDS = [...DUE_KINDS, 'Sample'] as const
/** What makes it go. */
export interface Rule {
  readonly kind: (typeof DUE_KINDS)[number]
  /** Of the category or source policy; null for what was deleted, and for sample data. */
  readonly id: string | null
  readonly name: string
  readonly days: number
  /** The case whose closing it ran from. */
  readonly caseId: string | null
}

/** As an item of the queue holds it. `Sample`: it was removed as sample data (decisions 33), which no judgement says. */
export interface StoredRule extends Omit<Rule, 'kind'> {
  readonly kind: (typeof RULE_KINDS)[number]
}

export const SAMPLE_RULE: StoredRule = { kind: 'Sample', id: null, name: '', days: 0, caseId: null }

export const HOLD_CODES = [
  'CaseOpen',
  'Disclosed',
  'CaseDeleted',
  'CaseProtected',
  'Protected',
  'LinkWithdrawn',
  'Kept',
  'Unfinished',
] as const
export type HoldCode = (typeof HOLD_CODES)[number]

/** What keeps it though its time is over. */
export interface Hold {
  readonly code: HoldCode
  /** Of a case that holds it. */
  readonly caseId: string | null
  readonly ordinal: string | null
  /** When it ends by itself, or since when it is there (`LinkWithdrawn`); null where neither is known. */
  readonly at: number | null
}

const OF_PEOPLE: ReadonlySet<HoldCode> = new Set(['Protected', 'CaseProtected', 'Kept', 'Disclosed'])
/** Whether a person said that it stays. Sample data is removed only when nobody said so. */
export const isOfPeople = ({ code }: Pick<Hold, 'code'>): boolean => OF_PEOPLE.has(code)

export interface Judgement {
  /** Null: never, as things stand. */
  readonly due: number | null
  /** Null together with `due`. */
  readonly rule: Rule | null
  readonly holds: readonly Hold[]
}

/** @param binDays how long what a person deleted lies in the recycle bin */
export function judge(facts: RetentionFacts, now: number, binDays: number): Judgement {
  const holds = holdsOf(facts, now)
  if (facts.lifecycle === 'Destroyed') return { due: null, rule: null, holds }
  if (facts.lifecycle === 'Deleted') {
    if (facts.deletedAt === null) return { due: null, rule: null, holds }
    const rule: Rule = { kind: 'Deleted', id: null, name: '', days: binDays, caseId: null }
    return { due: facts.deletedAt + binDays * DAY, rule, holds }
  }
  const longest = longestTerm(facts)
  const start = startOf(facts)
  if (longest === null || start === null) return { due: null, rule: null, holds }
  const { kind, term, days } = longest
  return {
    due: start.at + days * DAY,
    rule: { kind, id: term.id, name: term.name, days, caseId: start.caseId },
    holds,
  }
}

/** Its time is over and nothing keeps it. */
export const mayGo = ({ due, holds }: Judgement, now: number): boolean =>
  due !== null && due <= now && holds.length === 0

/** When a person or nobody but time changes the answer: the next instant at which it is worth to judge again; null: only a change. */
export function looksAgain({ due, holds }: Judgement, now: number): number | null {
  if (due === null) return null
  if (due > now) return due
  const ends = holds.flatMap(({ code, at }) => (code === 'LinkWithdrawn' || at === null ? [] : [at]))
  return holds.length > 0 && ends.length === holds.length ? Math.max(...ends) : null
}

/** Whether one rule is another one: an approval is of a rule, and does not reach to the one that came after it. */
export const sameRule = (one: StoredRule | null, other: StoredRule | null): boolean =>
  one !== null && other !== null && ruleKey(one) === ruleKey(other)

export const ruleKey = ({ kind, id, days }: StoredRule): string => `${kind}:${id ?? ''}:${days}`

/** A protection protects until its end, also when the station has not yet written down that it ended. */
const protects = (lifecycle: string, until: number | null, now: number): boolean =>
  lifecycle === 'Protected' && (until === null || until > now)

function holdsOf(facts: RetentionFacts, now: number): Hold[] {
  const holds: Hold[] = []
  const own = (code: HoldCode, at: number | null): void => void holds.push({ code, caseId: null, ordinal: null, at })
  if (facts.unfinished) own('Unfinished', null)
  if (protects(facts.lifecycle, facts.protectedUntil, now)) own('Protected', facts.protectedUntil)
  for (const { caseId, ordinal, state, lifecycle, protectedUntil } of facts.cases) {
    const ofCase = (code: HoldCode, at: number | null): void => void holds.push({ code, caseId, ordinal, at })
    if (state === 'Open') ofCase('CaseOpen', null)
    // It gives no access to its evidence any more, but it can come back.
    if (lifecycle === 'Deleted') ofCase('CaseDeleted', null)
    if (protects(lifecycle, protectedUntil, now)) ofCase('CaseProtected', protectedUntil)
  }
  for (const one of facts.disclosed) holds.push({ code: 'Disclosed', ...one, at: null })
  if (facts.withdrawnAt.length > 0) own('LinkWithdrawn', Math.max(...facts.withdrawnAt))
  if (facts.keptUntil !== null && facts.keptUntil > now) own('Kept', facts.keptUntil)
  return holds
}

interface Applied {
  readonly kind: 'Category' | 'Source'
  readonly term: Term
  readonly days: number
}

/** Null: kept, or nobody said how long. */
function longestTerm({ category, sources, cases }: RetentionFacts): Applied | null {
  const terms: { kind: Applied['kind']; term: Term | null }[] = [
    ...(category === null ? [] : [{ kind: 'Category' as const, term: category }]),
    ...cases.map((one) => ({ kind: 'Category' as const, term: one.category })),
    ...sources.map((term) => ({ kind: 'Source' as const, term })),
  ]
  let longest: Applied | null = null
  for (const { kind, term } of terms) {
    if (term === null || term.days === null) return null
    if (longest === null || term.days > longest.days) longest = { kind, term, days: term.days }
  }
  return longest
}

/** Null while a case of it is open: then it has not begun. */
function startOf({ cases, endedAt, createdAt }: RetentionFacts): { at: number; caseId: string | null } | null {
  let last: { at: number; caseId: string | null } | null = null
  for (const { state, closedAt, caseId } of cases) {
    if (state === 'Open' || closedAt === null) return null
    if (last === null || closedAt > last.at) last = { at: closedAt, caseId }
  }
  return last ?? { at: Math.max(endedAt ?? createdAt, createdAt), caseId: null }
}

/** A source policy says for which evidence it is: each member that is given has to fit. */
export interface SourceMatch {
  readonly deviceType: string | null
  readonly sourceId: string | null
  readonly uploader: UploaderKind | null
}
export const UPLOADER_KINDS = ['user', 'service', 'cli', 'internal'] as const
export type UploaderKind = (typeof UPLOADER_KINDS)[number]

const folded = (text: string): string => text.normalize('NFC').trim().toLowerCase()

/** Device types and sources are free text: compared without case and outer spaces. One without any member fits nothing. */
export function sourceFits(match: SourceMatch, evidence: SourceMatch): boolean {
  const { deviceType, sourceId, uploader } = match
  if (deviceType === null && sourceId === null && uploader === null) return false
  const fits = (wanted: string | null, found: string | null): boolean =>
    wanted === null || (found !== null && folded(wanted) === folded(found))
  return fits(deviceType, evidence.deviceType) && fits(sourceId, evidence.sourceId) && fits(uploader, evidence.uploader)
}
