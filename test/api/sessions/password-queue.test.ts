import { expect, it } from 'vitest'
import { type Applicant, createPasswordQueue } from '../../../server/features/identity/sessions/password-queue.ts'

/** S18: passwords are verified in an order in which no stranger keeps out whoever signed in before. */
const stranger = (at: number, account = at): Applicant => ({
  key: `account ${account}`,
  source: `192.0.2.${at}`,
  reserved: false,
})
const officer: Applicant = { key: 'account 1 from 10.0.0.1', source: '10.0.0.1', reserved: true }

/** Work that lasts until it is let go. */
function held() {
  const going: (() => void)[] = []
  let most = 0
  let now = 0
  const work = async (): Promise<string> => {
    now += 1
    most = Math.max(most, now)
    await new Promise<void>((resolve) => going.push(resolve))
    now -= 1
    return 'done'
  }
  return { work, going, most: () => most }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

it.each([8, 64])(
  'S18: %i addresses fill the queue, and somebody from a familiar address is verified at once',
  async (addresses) => {
    const queue = createPasswordQueue(2)
    const { work, going } = held()
    let refused = 0
    const all: Promise<unknown>[] = []
    for (let at = 0; at < addresses; at++)
      for (let count = 0; count < 16; count++)
        all.push(
          queue.run(stranger(at, at * 100 + count), work).catch((error) => {
            expect(error.code).toBe('TooManyRequests')
            refused++
          }),
        )
    await settled()
    expect(refused).toBe(Math.max(0, addresses * 16 - 128))
    expect(going).toHaveLength(1)
    // A further stranger is refused; the officer is at work without any of the others having ended.
    await expect(queue.run(stranger(200), work)).rejects.toMatchObject({ code: 'TooManyRequests' })
    let verified = false
    const own = queue.run(officer, async () => {
      verified = true
    })
    await own
    expect([verified, going.length]).toEqual([true, 1])
    for (let left = 0; left < 128; left++) {
      going.shift()?.()
      await settled()
    }
    await Promise.all(all)
  },
)

it('S18: one account, and one unfamiliar source, are verified one after another; others meanwhile, four at most', async () => {
  const queue = createPasswordQueue(16)
  const { work, going, most } = held()
  const all = [
    ...Array.from({ length: 5 }, (_none, at) => queue.run(stranger(at, 1), work)),
    ...Array.from({ length: 5 }, (_none, at) => queue.run(stranger(50, 100 + at), work)),
  ]
  await settled()
  expect(going).toHaveLength(2)
  all.push(...Array.from({ length: 10 }, (_none, at) => queue.run({ ...officer, key: `own ${at}` }, work)))
  await settled()
  expect([going.length, most()]).toEqual([4, 4])
  while (going.length > 0) {
    going.shift()?.()
    await settled()
  }
  expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, () => 'done'))
})

it('S18: nobody takes all the places that are kept for familiar sources', async () => {
  const queue = createPasswordQueue(2)
  const { work, going } = held()
  const all: Promise<unknown>[] = []
  for (let count = 0; count < 16; count++) all.push(queue.run(officer, work))
  await expect(queue.run(officer, work)).rejects.toMatchObject({ code: 'TooManyRequests' })
  all.push(queue.run({ ...officer, key: 'account 2 from 10.0.0.1' }, work))
  for (let left = 0; left < 17; left++) {
    await settled()
    going.shift()?.()
  }
  await Promise.all(all)
})

it.each([
  ['a stranger', { key: 'account 1', source: '192.0.2.1', reserved: false }, 16],
  ['a familiar source', officer, 64],
])('S18: %s takes no more places than its own, over whatever accounts', async (_who, source, places) => {
  const queue = createPasswordQueue(2)
  const { work, going } = held()
  const all: Promise<unknown>[] = []
  for (let count = 0; count < places; count++) all.push(queue.run({ ...source, key: `account ${count}` }, work))
  await settled()
  await expect(queue.run({ ...source, key: 'one more' }, work)).rejects.toMatchObject({ code: 'TooManyRequests' })
  for (let left = 0; left < places; left++) {
    await settled()
    going.shift()?.()
  }
  await Promise.all(all)
})

it('S18: while familiar sources have all places at work no stranger begins, and who is familiar goes first after that', async () => {
  const queue = createPasswordQueue(2)
  const { work, going } = held()
  const begun: string[] = []
  const as = (name: string, applicant: Applicant) =>
    queue.run(applicant, async () => {
      begun.push(name)
      return work()
    })
  const all = [
    as('first', { ...officer, key: 'account 1' }),
    as('second', { ...officer, key: 'account 2' }),
    as('stranger', stranger(1)),
    as('third', { ...officer, key: 'account 3' }),
  ]
  await settled()
  expect(begun).toEqual(['first', 'second'])
  for (let left = 0; left < 4; left++) {
    going.shift()?.()
    await settled()
  }
  await Promise.all(all)
  expect(begun).toEqual(['first', 'second', 'third', 'stranger'])
})

it('work that fails gives its place back', async () => {
  const queue = createPasswordQueue(1)
  for (let count = 0; count < 40; count++)
    await expect(
      queue.run(officer, async () => {
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
  expect(await queue.run(officer, async () => 'yes')).toBe('yes')
})

it('S18: a stranger waits while people from familiar addresses take every place (S19)', async () => {
  const queue = createPasswordQueue(2)
  const { work, going, most } = held()
  const familiar = [1, 2].map((at) => queue.run({ ...officer, key: `account ${at}`, source: `10.0.0.${at}` }, work))
  const late = queue.run(stranger(9), work)
  await settled()
  expect(going).toHaveLength(2)
  for (const go of going.splice(0)) go()
  await Promise.all(familiar)
  await settled()
  expect(going).toHaveLength(1)
  going[0]?.()
  expect(await late).toBe('done')
  expect(most()).toBe(2)
})
