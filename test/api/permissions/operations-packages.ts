/** Packages and links for outside guests by the model. There is one package of each case, made by somebody who is not asked about. */
import type { Json } from '../../support/given.ts'
import { actsOnEvidence, atLeast, levelOnCase, levelOnEvidence } from './model.ts'
import type { Asked, Operation } from './operations.ts'
import { toldExactly } from './operations-acts.ts'
import { spelled } from './spelling.ts'

const PACKAGES = '/api/v1/tenant/station/packages'
const LINKS = '/api/v1/tenant/station/share-links'

const isGuest = ({ world, who }: Asked): boolean => world.people[who]?.guest === true
const maySee = ({ world, who }: Asked, at: number): boolean => atLeast(levelOnCase(world, who, at), 'Download')

function previewed(asked: Asked): string {
  const level = levelOnEvidence(asked.world, asked.who, asked.evidence)
  if (level === 'None') return 'not-found'
  if (asked.world.evidences[asked.evidence]?.lifecycle === 'Deleted') return 'deleted'
  return level === 'Manage' ? 'nothing' : 'no-right'
}

export const SHARING: readonly Operation[] = [
  {
    name: 'packages: list',
    expected: (asked) =>
      isGuest(asked) ? '403' : JSON.stringify(asked.station.packages.filter((_, at) => maySee(asked, at)).toReversed()),
    call: async ({ station, who }) => {
      const reply = await station.call(who, 'GET', `${PACKAGES}?count=100`)
      return reply.status === 200
        ? JSON.stringify(reply.json.Items.map(({ PackageId }: Json) => PackageId))
        : toldExactly(reply)
    },
  },
  {
    name: 'packages: one',
    expected: (asked) => (isGuest(asked) ? '403' : maySee(asked, asked.onCase) ? 'allowed' : '404'),
    call: async (asked) =>
      toldExactly(
        await asked.station.call(
          asked.who,
          'GET',
          `${PACKAGES}/${spelled(asked, asked.station.packages[asked.onCase] as string)}`,
        ),
      ),
  },
  {
    name: 'links: of an evidence',
    expected: (asked) => {
      const level = actsOnEvidence(asked.world, asked.who, asked.evidence)
      if (level === 'None') return '404'
      if (asked.world.evidences[asked.evidence]?.lifecycle === 'Deleted') return '409 EvidenceDeleted'
      return level === 'Manage' ? 'allowed' : '403'
    },
    call: async (asked) => {
      const id = spelled(asked, asked.station.evidences[asked.evidence]?.id as string)
      return toldExactly(await asked.station.call(asked.who, 'GET', `${LINKS}/evidence/${id}`))
    },
  },
  {
    name: 'links: what one would hold',
    expected: (asked) => (isGuest(asked) ? '403' : previewed(asked)),
    call: async ({ station, who, evidence }) => {
      const reply = await station.call(who, 'GET', `${LINKS}/preview?id=${station.evidences[evidence]?.id}`)
      return reply.status === 200 ? (reply.json.Items[0].Refused ?? 'nothing') : toldExactly(reply)
    },
  },
]
