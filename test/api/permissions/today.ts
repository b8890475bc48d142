/** The start page: of cases and recordings those that are the caller's own and that they can view, and nothing else. */
import type { Json } from '../../support/given.ts'
import {
  type DrawnCase,
  type DrawnEvidence,
  type DrawnGrant,
  type DrawnPerson,
  inPolicy,
  levelOnCase,
  levelOnEvidence,
} from './model.ts'
import type { Asked, Operation } from './operations.ts'

const TODAY = '/api/v1/tenant/station/today'

const person = ({ world, who }: Asked): DrawnPerson => world.people[who] as DrawnPerson

/** Grants that name them, themselves or by a group. The last one to the same principal counts. */
function naming({ world, who }: Asked, grants: readonly DrawnGrant[], groups: boolean): readonly DrawnGrant[] {
  const own = [...new Map(grants.map((one) => [one.to, one])).values()]
  const isTheirs = (to: number): boolean =>
    to === who ||
    (groups && to >= world.people.length && person({ world, who } as Asked).groups[to - world.people.length] === true)
  return own.filter(({ to }) => isTheirs(to))
}

function ownCases(asked: Asked): string[] {
  const { world, who, station } = asked
  return world.cases.flatMap((one: DrawnCase, at) => {
    if (one.lifecycle === 'Deleted' || levelOnCase(world, who, at) === 'None') return []
    const isOwn = person(asked).guest
      ? naming(asked, one.grants, true).length > 0
      : one.state === 'Open' && naming(asked, one.grants, false).some(({ level }) => level === 'Manage')
    return isOwn ? [station.cases[at] as string] : []
  })
}

function ownRecordings(asked: Asked): string[] {
  const { world, who, station } = asked
  return world.evidences.flatMap((one: DrawnEvidence, at) => {
    if (one.lifecycle === 'Deleted' || levelOnEvidence(world, who, at) === 'None') return []
    const isOwn = person(asked).guest
      ? naming(asked, one.grants, true).length > 0
      : one.identity !== 'Claimed' && one.associations.some(({ to, when }) => to === who && when === 'meanwhile')
    return isOwn ? [station.evidences[at]?.id as string] : []
  })
}

export const TODAY_LISTS: readonly Operation[] = [
  {
    name: 'today: one’s own cases and recordings',
    expected: (asked) => JSON.stringify([ownCases(asked).sort(), ownRecordings(asked).sort()]),
    call: async (asked) => {
      const { json } = await asked.station.call(asked.who, 'GET', TODAY)
      // Who follows a case is not drawn; what they may not view is not shown for all that.
      const isDrawn = ({ Reasons }: Json): boolean => Reasons.includes('Owner') || Reasons.includes('Shared')
      const hidden = json.Cases.Items.find(
        ({ CaseId }: Json) => levelOnCase(asked.world, asked.who, asked.station.cases.indexOf(CaseId)) === 'None',
      )
      if (hidden !== undefined) return `shows case ${hidden.CaseId}`
      const cases = json.Cases.Items.filter(isDrawn).map(({ CaseId }: Json) => CaseId)
      const recordings = json.Recordings.Items.map(({ EvidenceId }: Json) => EvidenceId)
      if (json.Cases.Total.Count !== json.Cases.Items.length) return `${json.Cases.Total.Count} cases`
      if (json.Recordings.Total.Count !== recordings.length) return `${json.Recordings.Total.Count} recordings`
      return JSON.stringify([cases.sort(), recordings.sort()])
    },
  },
  {
    name: 'today: of the station, by policy',
    expected: (asked) =>
      JSON.stringify([
        inPolicy(asked.world, asked.who, 'ManageDevices'),
        person(asked).administrator && !person(asked).guest,
      ]),
    call: async ({ station, who }) => {
      const { json } = await station.call(who, 'GET', TODAY)
      return JSON.stringify([json.Cameras !== null, json.Checklist !== null])
    },
  },
]
