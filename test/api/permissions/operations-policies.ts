/** Changes of the policies of a case or an evidence, sent with its record: who may give access with them, and who may take it away. */
import type { Json, Reply } from '../../support/given.ts'
import {
  actsOnCase,
  actsOnEvidence,
  atLeast,
  type DrawnCase,
  type DrawnEvidence,
  type DrawnGrant,
  type DrawnPerson,
  type Level,
  levelOnCase,
  levelOnEvidence,
  maySet,
  mayTakeOut,
} from './model.ts'
import type { Asked, Operation, Verdict } from './operations.ts'
import { toldExactly } from './operations-acts.ts'
import { spelled } from './spelling.ts'
import { CASES, type Station } from './world.ts'

/** What has policies of its own. */
interface Subject {
  readonly name: string
  /** Why its record cannot be changed at all. */
  refusal(asked: Asked): Verdict | null
  holds(asked: Asked): Level
  grants(asked: Asked): DrawnGrant[]
  place(asked: Asked): string
}

const theCase = ({ world, onCase }: Asked): DrawnCase => world.cases[onCase] as DrawnCase
const theEvidence = ({ world, evidence }: Asked): DrawnEvidence => world.evidences[evidence] as DrawnEvidence

const ON_CASE: Subject = {
  name: 'case',
  refusal: (asked) => {
    const level = actsOnCase(asked.world, asked.who, asked.onCase)
    if (theCase(asked).lifecycle === 'Deleted') return level === 'None' ? '403' : '400 CaseDeleted'
    if (!atLeast(level, 'Edit')) return '403'
    return theCase(asked).state === 'Closed' ? '400 CannotUpdateClosedCase' : null
  },
  holds: ({ world, who, onCase }) => levelOnCase(world, who, onCase),
  grants: (asked) => theCase(asked).grants as DrawnGrant[],
  place: (asked) => `${CASES}/${spelled(asked, asked.station.cases[asked.onCase] as string)}`,
}

const ON_EVIDENCE: Subject = {
  name: 'evidence',
  refusal: (asked) => {
    const level = actsOnEvidence(asked.world, asked.who, asked.evidence)
    if (level === 'None') return '404'
    if (theEvidence(asked).lifecycle === 'Deleted') return '409 EvidenceDeleted'
    return atLeast(level, 'Edit') ? null : '403'
  },
  holds: ({ world, who, evidence }) => levelOnEvidence(world, who, evidence),
  grants: (asked) => theEvidence(asked).grants as DrawnGrant[],
  place: (asked) => {
    const { id } = asked.station.evidences[asked.evidence] as Station['evidences'][number]
    return `${asked.station.given.documents}/evidence/${spelled(asked, id)}`
  },
}

const person = ({ world, who }: Asked): DrawnPerson => world.people[who] as DrawnPerson
const ofOther = (subject: Subject, asked: Asked): number =>
  subject.grants(asked).findIndex(({ to }) => to === asked.other)

/** Manage never expires, so a record that says otherwise is one of this test alone: it could not be sent back unchanged. */
const couldBe = (subject: Subject) => (asked: Asked) =>
  subject.grants(asked).every(({ level, expiry }) => level !== 'Manage' || expiry === 'never')

/** What the record holds, with the policy of `other` as `change` makes it of what it was. */
async function sent(subject: Subject, asked: Asked, change: (others: Json[], theirs: Json) => Json[]): Promise<Reply> {
  const { station, who, other, level } = asked
  const place = subject.place(asked)
  const { json } = await station.call(who, 'GET', place)
  const { id, kId } = station.people[other] as Station['people'][number]
  const others = ((json?.AccessPolicies ?? []) as Json[])
    // What an evidence has through cases stands in its record too, and is not its own.
    .filter(
      ({ PermissionSource, PrincipalId }) => (PermissionSource?.Reason ?? 'Direct') === 'Direct' && PrincipalId !== id,
    )
    .map(({ Permissions, PrincipalId, KId, PrincipalType }) => ({ Permissions, PrincipalId, KId, PrincipalType }))
  const theirs = { Permissions: level, PrincipalId: id, KId: kId, PrincipalType: 'service' }
  const body = { AccessPolicies: change(others, theirs), ConcurrencyId: json?.ConcurrencyId ?? null }
  return station.call(who, 'PATCH', place, { body })
}

const operationsOn = (subject: Subject): readonly Operation[] => [
  {
    name: `${subject.name}: give access with the record`,
    applies: couldBe(subject),
    expected: (asked) => {
      const refused = subject.refusal(asked)
      if (refused !== null) return refused
      const known = subject.grants(asked)[ofOther(subject, asked)]
      return maySet(person(asked), subject.holds(asked), known, asked.level) ? 'allowed' : '403'
    },
    call: async (asked) => toldExactly(await sent(subject, asked, (others, theirs) => [...others, theirs])),
    after: (asked) => {
      const grants = subject.grants(asked)
      const at = ofOther(subject, asked)
      const { other: to, level } = asked
      // An entry that was there keeps when it ends, unless it is Manage now, which never does.
      const expiry = level === 'Manage' ? 'never' : (grants[at]?.expiry ?? 'never')
      grants.splice(at === -1 ? grants.length : at, 1, { to, level, expiry })
    },
  },
  {
    name: `${subject.name}: take access away with the record`,
    applies: couldBe(subject),
    expected: (asked) => {
      const refused = subject.refusal(asked)
      if (refused !== null) return refused
      const known = subject.grants(asked)[ofOther(subject, asked)]
      return mayTakeOut(person(asked), subject.holds(asked), known) ? 'allowed' : '403'
    },
    call: async (asked) => toldExactly(await sent(subject, asked, (others) => others)),
    after: (asked) => {
      const at = ofOther(subject, asked)
      if (at !== -1) subject.grants(asked).splice(at, 1)
    },
  },
]

export const POLICY_CHANGES: readonly Operation[] = [ON_CASE, ON_EVIDENCE].flatMap(operationsOn)
