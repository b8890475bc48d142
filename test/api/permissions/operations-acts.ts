/** Acts on whole evidence by the model: protecting, deleting, restoring, moving, the recycle bin, duplicates, what is in a case. */
import type { Json, Reply } from '../../support/given.ts'
import {
  actsOnCase,
  actsOnEvidence,
  atLeast,
  type DrawnCase,
  type DrawnEvidence,
  inPolicy,
  type Level,
  levelOnCase,
  levelOnEvidence,
  type Policy,
} from './model.ts'
import type { Asked, Operation, Verdict } from './operations.ts'
import { spelled } from './spelling.ts'
import { CASES, type Station } from './world.ts'

const theEvidence = ({ world, evidence }: Asked): DrawnEvidence => world.evidences[evidence] as DrawnEvidence
const theCase = ({ world, onCase }: Asked): DrawnCase => world.cases[onCase] as DrawnCase
const placeOf = (asked: Asked): string => {
  const { station, evidence } = asked
  const { id } = station.evidences[evidence] as Station['evidences'][number]
  return `${station.given.documents}/evidence/${spelled(asked, id)}`
}

export const toldExactly = ({ status, json }: Reply): Verdict =>
  status < 400 ? 'allowed' : status === 403 || status === 404 ? String(status) : `${status} ${json?.ErrorCode ?? ''}`

interface ActOf {
  readonly policy: Policy
  readonly method?: string
  readonly body?: Json
  readonly deleted: Verdict
  readonly verdict: (asked: Asked) => Verdict
  readonly after: (asked: Asked) => void
}

/** The policy first, then whether there is such an evidence for them, then Manage. */
const act = (name: string, { policy, method, body, deleted, verdict, after }: ActOf): Operation => ({
  name,
  expected: (asked) => {
    if (!inPolicy(asked.world, asked.who, policy)) return '403'
    const level = actsOnEvidence(asked.world, asked.who, asked.evidence)
    if (level === 'None') return '404'
    if (theEvidence(asked).lifecycle === 'Deleted') return deleted
    return level === 'Manage' ? verdict(asked) : '403'
  },
  call: async (asked) => {
    const place = method === 'DELETE' ? placeOf(asked) : `${placeOf(asked)}/${name}`
    const sent = body === undefined ? {} : { body }
    return toldExactly(await asked.station.call(asked.who, method ?? 'POST', place, sent))
  },
  after,
})

const protectedBy = ({ world, evidence }: Asked): boolean =>
  world.evidences[evidence]?.lifecycle === 'Protected' ||
  (world.evidences[evidence]?.links.some(({ toCase }) => world.cases[toCase]?.lifecycle === 'Protected') ?? false)

export const EVIDENCE_ACTS: readonly Operation[] = [
  act('protect', {
    policy: 'ProtectFromDeletion',
    body: { Reason: 'x' },
    deleted: '409 EvidenceDeleted',
    verdict: (asked) => (theEvidence(asked).lifecycle === 'None' ? 'allowed' : '409 EvidenceNotInNormalState'),
    after: (asked) => void (theEvidence(asked).lifecycle = 'Protected'),
  }),
  act('unprotect', {
    policy: 'ProtectFromDeletion',
    deleted: '409 EvidenceDeleted',
    verdict: (asked) => (theEvidence(asked).lifecycle === 'Protected' ? 'allowed' : '409 EvidenceNotProtected'),
    after: (asked) => void (theEvidence(asked).lifecycle = 'None'),
  }),
  act('delete', {
    policy: 'DeleteCasesAndFiles',
    method: 'DELETE',
    deleted: '409 EvidenceAlreadyDeleted',
    verdict: (asked) => (protectedBy(asked) ? '409 EvidenceProtected' : 'allowed'),
    after: (asked) => void (theEvidence(asked).lifecycle = 'Deleted'),
  }),
  {
    name: 'restore',
    expected: (asked) => {
      if (!inPolicy(asked.world, asked.who, 'RestoreFromRecycleBin')) return '403'
      if (theEvidence(asked).lifecycle === 'Deleted') return 'allowed'
      const level = levelOnEvidence(asked.world, asked.who, asked.evidence)
      return level === 'None' ? '404' : '409 EvidenceNotDeleted'
    },
    call: async (asked) => toldExactly(await asked.station.call(asked.who, 'POST', `${placeOf(asked)}/restore`)),
    after: (asked) => {
      theEvidence(asked).lifecycle = 'None'
      theEvidence(asked).withCase = null
    },
  },
  {
    name: 'move',
    // From a case into itself is a mistake of the body: both-checks.test.ts holds that the caller is judged before it.
    applies: (asked) => asked.onCase !== asked.other,
    expected: (asked) => {
      const level = actsOnEvidence(asked.world, asked.who, asked.evidence)
      if (level === 'None') return '404'
      if (theEvidence(asked).lifecycle === 'Deleted') return '409 EvidenceDeleted'
      if (!atLeast(level, 'Edit')) return '403'
      return moving(asked)
    },
    call: async (asked) => {
      const { station, who, onCase, other } = asked
      const body = { FromCaseId: station.cases[onCase], ToCaseId: station.cases[other] }
      return toldExactly(await station.call(who, 'POST', `${placeOf(asked)}/move`, { body }))
    },
    after: (asked) => {
      const links = theEvidence(asked).links as unknown as Json[]
      const made = links.find(({ toCase, kind }) => toCase === asked.onCase && kind === 'Manual')
      made.toCase = asked.other
    },
  },
]

function moving({ world, who, evidence, onCase, other }: Asked): Verdict {
  for (const at of [onCase, other]) {
    const level: Level = actsOnCase(world, who, at)
    if (level === 'None' || world.cases[at]?.lifecycle === 'Deleted') return '400 InvalidModel'
    if (!atLeast(level, 'Edit')) return '403'
  }
  if ([onCase, other].some((at) => world.cases[at]?.state === 'Closed')) return '409 CaseClosed'
  const { links } = world.evidences[evidence] as DrawnEvidence
  const holds = (at: number, kind: string): boolean => links.some((one) => one.toCase === at && one.kind === kind)
  if (!holds(onCase, 'Manual')) return holds(onCase, 'Automatic') ? '409 InvalidLinkAction' : '400 InvalidModel'
  return holds(other, 'Manual') ? '409 InvalidLinkAction' : 'allowed'
}

/** Of this case and no other, put there by somebody. */
const filesOf = ({ world, onCase }: Asked): DrawnEvidence[] =>
  world.evidences.filter(
    ({ links, lifecycle }) =>
      lifecycle !== 'Deleted' &&
      links.some(({ toCase, kind, confirmed }) => toCase === onCase && (kind === 'Manual' || confirmed)) &&
      links.every(({ toCase }) => toCase === onCase),
  )

export const CASE_WITH_FILES: readonly Operation[] = [
  {
    name: 'delete with files',
    expected: (asked) => {
      if (!inPolicy(asked.world, asked.who, 'DeleteCasesAndFiles')) return '403'
      const level = actsOnCase(asked.world, asked.who, asked.onCase)
      const { lifecycle, state } = theCase(asked)
      if (lifecycle === 'Deleted') return level === 'None' ? '403' : '400 CaseAlreadyDeleted'
      if (level !== 'Manage') return '403'
      if (lifecycle === 'Protected') return '400 CaseProtected'
      if (state === 'Open') return '400 CaseNotInNormalState'
      return filesOf(asked).some((file) => file.lifecycle === 'Protected') ? '400 EvidenceProtected' : 'allowed'
    },
    call: async ({ station, who, onCase }) =>
      toldExactly(await station.call(who, 'DELETE', `${CASES}/${station.cases[onCase]}?withFiles=true`)),
    after: (asked) => {
      for (const file of filesOf(asked)) {
        file.lifecycle = 'Deleted'
        file.withCase = asked.onCase
      }
      theCase(asked).lifecycle = 'Deleted'
    },
  },
]

/** What comes back with a case. */
export function restoreFiles({ world, onCase }: Asked): void {
  for (const file of world.evidences) {
    if (file.lifecycle !== 'Deleted' || file.withCase !== onCase) continue
    file.lifecycle = 'None'
    file.withCase = null
  }
}

const idsOf = (station: Station, which: (at: number) => boolean): string[] =>
  station.evidences.flatMap(({ id }, at) => (which(at) ? [id] : []))
const seenBy = ({ world, who }: Asked, at: number): boolean => levelOnEvidence(world, who, at) !== 'None'

export const EVIDENCE_LISTS: readonly Operation[] = [
  {
    name: 'recycle bin of evidence',
    expected: (asked) =>
      JSON.stringify(
        idsOf(
          asked.station,
          (at) =>
            asked.world.evidences[at]?.lifecycle === 'Deleted' &&
            (seenBy(asked, at) || inPolicy(asked.world, asked.who, 'RestoreFromRecycleBin')),
        ),
      ),
    call: ({ station, who }) => listed(station, who, 'deleted=true'),
  },
  {
    name: 'evidence of a case',
    expected: (asked) => {
      const { world, who, onCase } = asked
      const told = levelOnCase(world, who, onCase) !== 'None' && theCase(asked).lifecycle !== 'Deleted'
      const isThere = (at: number): boolean => {
        const one = world.evidences[at] as DrawnEvidence
        return one.lifecycle !== 'Deleted' && one.links.some(({ toCase }) => toCase === onCase) && seenBy(asked, at)
      }
      return JSON.stringify(told ? idsOf(asked.station, isThere) : [])
    },
    call: ({ station, who, onCase }) => listed(station, who, `case=${station.cases[onCase]}`),
  },
  {
    // Every evidence of this world holds the same picture.
    name: 'duplicates',
    expected: (asked) => {
      if (!seenBy(asked, asked.evidence)) return '404'
      if (theEvidence(asked).lifecycle === 'Deleted') return '409 EvidenceDeleted'
      const others = (at: number): boolean =>
        at !== asked.evidence && asked.world.evidences[at]?.lifecycle !== 'Deleted' && seenBy(asked, at)
      return JSON.stringify(idsOf(asked.station, others))
    },
    call: async (asked) => {
      const reply = await asked.station.call(asked.who, 'GET', `${placeOf(asked)}/duplicates`)
      return reply.status === 200
        ? JSON.stringify(reply.json.Items.map(({ EvidenceId }: Json) => EvidenceId))
        : toldExactly(reply)
    },
  },
]

async function listed(station: Station, who: number, query: string): Promise<Verdict> {
  const { json } = await station.call(
    who,
    'GET',
    `${station.given.documents}/evidence?direction=asc&tag=every&${query}`,
  )
  const ids = json.Items.map(({ EvidenceId }: Json) => EvidenceId)
  // What is counted is what is shown.
  return json.Total === ids.length ? JSON.stringify(ids) : `${json.Total} of ${JSON.stringify(ids)}`
}
