/** Disclosure by the model: Edit on the case, Download on what is given; guests have no part in it. Nothing that the model knows is changed by these calls. */
import { actsOnCase, actsOnEvidence, atLeast, type DrawnCase, type DrawnEvidence, levelOnEvidence } from './model.ts'
import type { Asked, Operation, Verdict } from './operations.ts'
import { toldExactly } from './operations-acts.ts'
import { spelled } from './spelling.ts'

const DISCLOSURES = '/api/v1/tenant/station/disclosures'

const isGuest = ({ world, who }: Asked): boolean => world.people[who]?.guest === true

const TO = { Name: 'x', Role: 'defence' }
/** Of evidence that no case has. */
const ELSEWHERE = { Recipient: TO, Authority: 'x', Medium: 'handover', EvidenceIds: ['999999'] }

/** @param verdict of who may */
function onCase(
  { world, who, onCase: at, ...asked }: Asked,
  verdict: () => Verdict,
  needed: 'Edit' | 'Manage' = 'Edit',
): Verdict {
  const level = actsOnCase(world, who, at)
  if ((world.cases[at] as DrawnCase).lifecycle === 'Deleted') return level === 'None' ? '403' : '409 CaseDeleted'
  return atLeast(level, needed) && !isGuest({ world, who, onCase: at, ...asked }) ? verdict() : '403'
}

function onEvidence(asked: Asked, needed: 'Edit' | 'Manage', verdict: Verdict): Verdict {
  const level = actsOnEvidence(asked.world, asked.who, asked.evidence)
  if (level === 'None') return '404'
  if (asked.world.evidences[asked.evidence]?.lifecycle === 'Deleted') return '409 EvidenceDeleted'
  return atLeast(level, needed) && !isGuest(asked) ? verdict : '403'
}

const ofCase = (asked: Asked): string =>
  `${DISCLOSURES}/case/${spelled(asked, asked.station.cases[asked.onCase] as string)}`
const ofEvidence = (asked: Asked): string =>
  `${DISCLOSURES}/evidence/${spelled(asked, asked.station.evidences[asked.evidence]?.id as string)}/restriction`

/** What the station is told of the evidence once the case was judged. */
function given(asked: Asked): Verdict {
  const { world, who, evidence, onCase: at } = asked
  const { links, lifecycle } = world.evidences[evidence] as DrawnEvidence
  if (!links.some(({ toCase }) => toCase === at)) return '404'
  if (lifecycle === 'Deleted') return '409 EvidenceDeleted'
  const level = levelOnEvidence(world, who, evidence)
  if (level === 'None') return '404'
  // The time that is stated lies in the future, which is looked at last.
  return atLeast(level, 'Download') ? '400 InvalidModel' : '403'
}

const lift = (name: string, Kind: string, needed: 'Edit' | 'Manage'): Operation => ({
  name,
  expected: (asked) => onEvidence(asked, needed, '409 NotRestricted'),
  call: async (asked) =>
    toldExactly(
      await asked.station.call(asked.who, 'POST', `${ofEvidence(asked)}/lift`, { body: { Kind, Reason: 'x' } }),
    ),
})

export const DISCLOSING: readonly Operation[] = [
  {
    name: 'list of a case',
    expected: (asked) => onCase(asked, () => 'allowed'),
    call: async (asked) => toldExactly(await asked.station.call(asked.who, 'GET', ofCase(asked))),
  },
  {
    name: 'new',
    expected: (asked) => onCase(asked, () => given(asked)),
    call: async (asked) => {
      const body = {
        Recipient: TO,
        Authority: 'x',
        Medium: 'handover',
        EvidenceIds: [asked.station.evidences[asked.evidence]?.id],
        GivenTimeUtc: '2126-01-01T00:00:00Z',
      }
      return toldExactly(await asked.station.call(asked.who, 'POST', ofCase(asked), { body }))
    },
  },
  {
    name: 'record sheet of a case',
    expected: (asked) => onCase(asked, () => 'allowed'),
    call: async (asked) =>
      toldExactly(await asked.station.call(asked.who, 'GET', `${ofCase(asked)}/record-sheet?format=csv`)),
  },
  {
    name: 'propose',
    expected: (asked) => onCase(asked, () => '404'),
    call: async (asked) =>
      toldExactly(await asked.station.call(asked.who, 'POST', `${ofCase(asked)}/proposal`, { body: ELSEWHERE })),
  },
  {
    name: 'record a request',
    expected: (asked) => onCase(asked, () => 'allowed'),
    call: async (asked) =>
      toldExactly(
        await asked.station.call(asked.who, 'POST', `${ofCase(asked)}/request`, {
          body: { Recipient: TO, What: 'x' },
        }),
      ),
  },
  {
    name: 'decide what nobody proposed',
    expected: (asked) => onCase(asked, () => '404', 'Manage'),
    call: async (asked) =>
      toldExactly(
        await asked.station.call(asked.who, 'POST', `${ofCase(asked)}/proposal/1/decide`, {
          body: { Decision: 'Approve' },
        }),
      ),
  },
  {
    name: 'restrictions',
    expected: (asked) => onEvidence(asked, 'Edit', 'allowed'),
    call: async (asked) => toldExactly(await asked.station.call(asked.who, 'GET', ofEvidence(asked))),
  },
  lift('lift', 'do-not-disclose', 'Edit'),
  lift('lift a seal', 'sealed', 'Manage'),
  {
    name: 'supplements due',
    expected: (asked) => (isGuest(asked) ? '403' : 'allowed'),
    call: async (asked) => toldExactly(await asked.station.call(asked.who, 'GET', `${DISCLOSURES}/due`)),
  },
]
