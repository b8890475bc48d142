/** How the chore ends the control of accounts (decisions 6), over a real database and ledger. The rules: shared/identity/account-control.test.ts. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccountControl } from '../../server/features/retention/disposition/account-control.ts'
import { accountEvents } from '../../server/features/retention/disposition/account-control.store.ts'
import { controllersOf, controlStates } from '../../shared/identity/account-control.ts'
import { INTERNAL, type Principal } from '../../shared/kernel/principal.ts'
import { DAY, HOUR, makeWorld, type World } from './world.ts'

const SETTLE_DAYS = 14

let world: World
beforeAll(async () => {
  world = await makeWorld({ settleDays: SETTLE_DAYS })
})
afterAll(() => world?.close())

const ownCall = () => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })
const endedOf = async ({ id }: Principal): Promise<number> =>
  (await world.entries()).filter(({ action, object }) => action === 'account.controlEnded' && object.id === id).length
/** An account that another person made, and whose owner took it over. */
async function takenOver(): Promise<{ owner: Principal; maker: Principal }> {
  const maker = (await world.person()).actor
  const owner = (await world.person(`user:${maker.id}`)).actor
  await world.act(owner, 'user.passwordChanged', owner)
  await world.act(owner, 'secondStep.enabled', owner)
  return { owner, maker }
}

it('S19: control ends when the settling time has passed, and never while the owner has no factor of their own', async () => {
  const { owner } = await takenOver()
  const idle = (await world.person(`user:${(await world.person()).actor.id}`)).actor
  await world.pass(SETTLE_DAYS * DAY - HOUR)
  expect(await endedOf(owner)).toBe(0)
  await world.pass(2 * HOUR)
  expect(await endedOf(owner)).toBe(1)
  await world.pass(400 * DAY)
  expect([await endedOf(owner), await endedOf(idle)]).toEqual([1, 0])
})

it('S19: an account that is reset while the control of another one ends stays controlled', async () => {
  const { owner: first } = await takenOver()
  const { owner: second, maker } = await takenOver()
  world.clock.advance((SETTLE_DAYS + 1) * DAY)
  let reset = false
  const accounts = createAccountControl({
    db: world.db,
    clock: world.clock,
    settleDays: SETTLE_DAYS,
    ledger: {
      append: async (tx, call, entry) => {
        if (!reset) {
          reset = true
          const object = { type: 'user', id: second.id, name: second.name }
          await world.ledger.append(tx, { ...ownCall(), actor: maker }, { action: 'user.passwordReset', object })
        }
        return world.ledger.append(tx, call, entry)
      },
    },
  })
  expect(await accounts.endControl(ownCall())).toBe(1)
  expect([await endedOf(first), await endedOf(second)]).toEqual([1, 0])
})

it('S19: an account was created where its creation stands in the ledger, whatever was refused about its id before', async () => {
  const { owner: boss, maker: behind } = await takenOver()
  const { id: last } = await world.db.read
    .selectFrom('principals')
    .select((e) => e.fn.max('principal_id').as('id'))
    .executeTakeFirstOrThrow()
  // Somebody asked for an account that is not there yet, when nobody controlled the boss but their maker; then another one reset the boss.
  await world.db.transaction((tx) =>
    world.ledger.append(
      tx,
      { ...ownCall(), actor: behind },
      {
        action: 'user.passwordReset',
        object: { type: 'user', id: String(Number(last) + 2), name: '' },
        outcome: 'denied',
        reason: 'UserNotFound',
      },
    ),
  )
  const other = (await world.person()).actor
  await world.act(other, 'user.passwordReset', boss)
  const made = (await world.person(`user:${boss.id}`)).actor
  expect(made.id).toBe(String(Number(last) + 2))
  await world.act(INTERNAL, 'account.controlEnded', boss)
  const states = controlStates(await accountEvents(world.db.read, [made.id]))
  expect([...controllersOf(states, made.id)].toSorted()).toEqual([boss.id, behind.id, other.id].toSorted())
})

it('I1: a settling time that is not the one of before is an entry, once', async () => {
  const settled = async (settleDays: number): Promise<void> => {
    const { clock, db, ledger } = world
    const accounts = createAccountControl({ db, ledger, clock, settleDays })
    await accounts.recordSetting(ownCall())
    await accounts.recordSetting(ownCall())
  }
  await settled(SETTLE_DAYS)
  await settled(SETTLE_DAYS + 7)
  await settled(SETTLE_DAYS)
  const entries = (await world.entries()).filter(({ action }) => action === 'account.settlingTimeChanged')
  expect(entries.map(({ detail }) => detail)).toEqual([
    { before: null, after: SETTLE_DAYS },
    { before: SETTLE_DAYS, after: SETTLE_DAYS + 7 },
    { before: SETTLE_DAYS + 7, after: SETTLE_DAYS },
  ])
})
