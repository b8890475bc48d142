/** C5: numbers that a package took while it was made are kept, or are not its own any more. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepNumbers, numbered, type Numbered } from '../../../server/features/disclosure/numbering.ts'
import { makeWorld, type World } from '../../disposition/world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world?.close())

it('C5: what was numbered at the same time has one number, and what was numbered otherwise meanwhile is refused', async () => {
  const caseId = await world.caseOf(null)
  const ask = (...subjects: string[]): Promise<Numbered> => numbered(world.db.read, caseId, 'list', subjects)
  const keep = ({ added }: Numbered): Promise<boolean> => world.db.transaction((tx) => keepNumbers(tx, added))
  const [one, same, other] = [await ask('a', 'b'), await ask('a', 'b', 'c'), await ask('b', 'd')]
  expect([...one.numbers]).toEqual([
    ['a', 1],
    ['b', 2],
  ])
  expect([await keep(one), await keep(same), await keep(other)]).toEqual([true, true, false])
  // Nothing of what was refused was kept.
  expect([...(await ask('d', 'c', 'b', 'a', 'd')).numbers]).toEqual([
    ['d', 4],
    ['c', 3],
    ['b', 2],
    ['a', 1],
  ])
  const [late, later] = [await ask('d'), await ask('e')]
  expect([await keep(late), await keep(later)]).toEqual([true, false])
  // Each series and each case has its own.
  expect((await numbered(world.db.read, caseId, 'MG6D', ['a'])).numbers.get('a')).toBe(1)
  expect((await numbered(world.db.read, await world.caseOf(null), 'list', ['z'])).numbers.get('z')).toBe(1)
})
