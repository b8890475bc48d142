/** One good call of every route of one's own account, with its entries (promise I1). Whoever turns a second step on is not the sergeant. */
import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Given, Json } from '../../support/given.ts'
import type { Act, World } from '../documents/acts.ts'

export const PASSWORD = 'seven lamps by the harbour'
const BELOW = '/connect/account/second-step'
const CODES = '/connect/account/recovery-codes'

/** Somebody new at a page of their own. */
export async function person(given: Given) {
  const username = `officer ${randomUUID()}`
  const { principalId: id } = await given.command('user.create', {
    username,
    password: PASSWORD,
    group: null,
    policies: [],
    guest: false,
  })
  const body = { Username: username, Password: PASSWORD, NoticeId: 'default' }
  const reply = await given.call('POST', '/connect/session', { token: null, body })
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] as string
  const send = (method: string, place: string, sent?: unknown, origin = given.url) =>
    given.call(method, `${origin}${place}`, {
      token: null,
      headers: { cookie, origin },
      ...(sent === undefined ? {} : { body: sent }),
    })
  return { id: id as string, username, send }
}

export type Person = Awaited<ReturnType<typeof person>>
/** @param stepsOff one is taken only once: what comes next is of the next step. */
const codeOf = ({ Secret: secret }: Json, stepsOff = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepsOff * 30_000 })

const begun = async (given: Given, { send }: Person): Promise<Json> =>
  given.expecting(200, send('POST', BELOW, { Password: PASSWORD }))

async function enrolled({ given }: World) {
  const one = await person(given)
  const shown = await begun(given, one)
  await given.expecting(200, one.send('POST', `${BELOW}/confirm`, { Code: codeOf(shown) }))
  return { one, proof: () => ({ Password: PASSWORD, Code: codeOf(shown, 1) }) }
}

/** An act of somebody about themselves. */
export const own = (
  { id, username }: Person,
  action: string,
  call: Act['call'],
  { status = 200, ...more }: { status?: number; detail?: Record<string, unknown>; reason?: string } = {},
): Act => ({
  call,
  status,
  entries: () => [[action, 'user', id, { actor: { kind: 'user', id, name: username, role: null }, ...more }]],
})

export const ACCOUNT_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  getAccount: async ({ given }) => {
    const one = await person(given)
    return { call: () => one.send('GET', '/connect/account'), status: 200, entries: () => [] }
  },
  beginSecondStep: async ({ given }) => {
    const one = await person(given)
    return own(one, 'secondStep.begun', () => one.send('POST', BELOW, { Password: PASSWORD }))
  },
  confirmSecondStep: async ({ given }) => {
    const one = await person(given)
    const shown = await begun(given, one)
    return own(one, 'secondStep.enabled', () => one.send('POST', `${BELOW}/confirm`, { Code: codeOf(shown) }))
  },
  renewRecoveryCodes: async (world) => {
    const { one, proof } = await enrolled(world)
    return own(one, 'secondStep.codesRenewed', () => one.send('POST', CODES, proof()))
  },
  removeSecondStep: async (world) => {
    const { one, proof } = await enrolled(world)
    return own(one, 'secondStep.disabled', () => one.send('POST', `${BELOW}/remove`, proof()), { status: 204 })
  },
  resetSecondStep: async (world) => {
    const { one } = await enrolled(world)
    const place = `/userservice/api/v1/tenant/station/users/${one.id}/second-step`
    return {
      call: () => world.given.call('DELETE', place, { token: world.admin }),
      status: 204,
      entries: () => [['secondStep.reset', 'user', one.id]],
      actor: 'chief',
    }
  },
}
