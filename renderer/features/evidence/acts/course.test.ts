import { expect, it } from 'vitest'
import { Fault } from '../../../../shared/kernel/errors.ts'
import { inTurn, PartDone, Stopped } from './course.ts'

const targets = Array.from({ length: 10 }, (_, at) => ({ EvidenceId: String(at), Name: `R${at}` }))
const parts = targets.map((target) => [target])
const refused = new Fault('Forbidden', 'You may not.')

it('goes on past what is refused, and says which with why', async () => {
  const failure = await inTurn(parts, async ([one]) => {
    if (one?.EvidenceId === '3' || one?.EvidenceId === '7') throw refused
  }).catch((thrown: unknown) => thrown)
  expect(failure).toBeInstanceOf(PartDone)
  const { done, failed } = failure as PartDone
  expect(done).toHaveLength(8)
  expect(failed.map(({ target, refusal }) => [target.Name, refusal])).toEqual([
    ['R3', refused],
    ['R7', refused],
  ])
})

it('ends where the station does not answer: the rest was not tried', async () => {
  let asked = 0
  const failure = await inTurn(parts, async ([one]) => {
    asked += 1
    if (one?.EvidenceId === '3') throw new TypeError('Failed to fetch')
  }).catch((thrown: unknown) => thrown)
  expect(asked).toBe(4)
  expect((failure as PartDone).done).toHaveLength(3)
  expect((failure as PartDone).failed).toHaveLength(1)
})

it('stops between two, with a few side by side, and counts what was under way', async () => {
  let stopped = false
  let done = 0
  const course = { onDone: (count: number) => (done = count), isStopped: () => stopped }
  const failure = await inTurn(
    parts,
    async ([one]) => {
      await Promise.resolve()
      if (one?.EvidenceId === '4') stopped = true
    },
    { course, lanes: 3 },
  ).catch((thrown: unknown) => thrown)
  expect((failure as PartDone).refusal).toBeInstanceOf(Stopped)
  expect((failure as PartDone).done).toHaveLength(done)
  expect(done).toBeGreaterThan(4)
  expect(done).toBeLessThan(10)
})

it('of one alone throws its refusal itself', async () => {
  await expect(inTurn(parts.slice(0, 1), () => Promise.reject(refused))).rejects.toBe(refused)
})
