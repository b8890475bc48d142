/** One good call of every route of passkeys, with its entries (promise I1). Passkeys belong to a name: all of it at `localhost`. */
import { expect } from 'vitest'
import { brought, created, type Passkey } from '../../support/authenticator.ts'
import type { Given, Json } from '../../support/given.ts'
import type { Act, World } from '../documents/acts.ts'
import { own, PASSWORD, person, type Person } from './acts-account.ts'

const PASSKEYS = '/connect/account/passkeys'
const SESSION = '/connect/session/passkey'
const at = ({ url }: Given): string => url.replace('127.0.0.1', 'localhost')
const NUMBER = expect.stringMatching(/^\d+$/)

const begun = async (given: Given, { send }: Person): Promise<Json> =>
  (await given.expecting(200, send('POST', `${PASSKEYS}/begin`, { Password: PASSWORD }, at(given)))).Options

async function registered(given: Given): Promise<{ one: Person; passkey: Passkey; id: string }> {
  const one = await person(given)
  const { passkey, response } = created(await begun(given, one), at(given))
  const kept = one.send('POST', PASSKEYS, { Name: 'Front desk', Response: response }, at(given))
  return { one, passkey, id: (await given.expecting(201, kept)).PasskeyId }
}

const asked = (given: Given) =>
  given.call('POST', `${at(given)}${SESSION}/begin`, { token: null, headers: { origin: at(given) } })

export const PASSKEY_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  listPasskeys: async ({ given }) => {
    const one = await person(given)
    return { call: () => one.send('GET', PASSKEYS), status: 200, entries: () => [] }
  },
  beginPasskey: async ({ given }) => {
    const one = await person(given)
    return own(one, 'passkey.begun', () => one.send('POST', `${PASSKEYS}/begin`, { Password: PASSWORD }, at(given)))
  },
  registerPasskey: async ({ given }) => {
    const one = await person(given)
    const { response } = created(await begun(given, one), at(given))
    const body = { Name: 'Front desk', Response: response }
    const detail = { passkey: NUMBER, name: 'Front desk', station: 'localhost', synced: false }
    return own(one, 'passkey.added', () => one.send('POST', PASSKEYS, body, at(given)), { status: 201, detail })
  },
  removePasskey: async ({ given }) => {
    const { one, id } = await registered(given)
    const call = () => one.send('POST', `${PASSKEYS}/${id}/remove`, { Password: PASSWORD })
    return own(one, 'passkey.removed', call, { status: 204, detail: { passkey: id, name: 'Front desk' } })
  },
  beginPasskeySignIn: ({ given }) => ({ call: () => asked(given), status: 200, entries: () => [] }),
  signInWithPasskey: async ({ given }) => {
    const { one, passkey, id } = await registered(given)
    const { Options } = await given.expecting(200, asked(given))
    const body = { NoticeId: 'default', Response: brought(passkey, Options, at(given)) }
    const call = () =>
      given.call('POST', `${at(given)}${SESSION}`, { token: null, headers: { origin: at(given) }, body })
    const detail = { session: NUMBER, notice: 'default', passkey: id }
    return own(one, 'session.opened', call, { detail })
  },
  resetPasskeys: async ({ given, admin }) => {
    const { one, id } = await registered(given)
    const place = `/userservice/api/v1/tenant/station/users/${one.id}/passkeys`
    return {
      call: () => given.call('DELETE', place, { token: admin }),
      status: 204,
      entries: () => [['passkey.reset', 'user', one.id, { detail: { passkeys: [id] } }]],
      actor: 'chief',
    }
  },
}
