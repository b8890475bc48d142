import { expect, it } from 'vitest'
import { changesIn } from './station.events.ts'

const isChange = (action: string): boolean => !action.endsWith('Read')
const entry = (type: string, id: string, action: string | null) => ({ seq: 1, time: null, type, id, action })

it('names what changed once, and resources by their numbers', () => {
  const { evidence, cases, resources, dispatch, asked } = changesIn(
    [
      entry('evidence', '7', 'evidence.changed'),
      entry('evidence', '7', 'evidence.protected'),
      entry('case', '3', 'case.changed'),
      entry('resource', '12', 'resource.completed'),
      entry('cadMessage', '1', 'cad.received'),
    ],
    isChange,
  )
  expect({ evidence: [...evidence], cases: [...cases], resources: [...resources], dispatch, asked }).toEqual({
    evidence: ['7'],
    cases: ['3'],
    resources: [12],
    dispatch: true,
    asked: false,
  })
})

it('tells of no read, and of whose notices were seen', () => {
  const { evidence, people, asked } = changesIn(
    [entry('evidence', '7', 'evidence.historyRead'), entry('notice', '5', 'notice.seen'), entry('review', '1', 'a.b')],
    isChange,
  )
  expect({ evidence: [...evidence], people: [...people], asked }).toEqual({ evidence: [], people: ['5'], asked: true })
})

it('says that something about disclosure changed, and not of which case', () => {
  for (const type of ['disclosure', 'disclosureProposal', 'disclosureRequest'])
    expect(changesIn([entry(type, '5', 'disclosure.proposed')], isChange)).toMatchObject({
      cases: new Set(),
      disclosed: true,
    })
  expect(changesIn([entry('disclosure', '5', 'disclosure.Read')], isChange).disclosed).toBe(false)
})
