/** One good call of every route about one's own password, sessions and programs, with its entries (promise I1). */
import { expect } from 'vitest'
import type { Given } from '../../support/given.ts'
import type { Act, World } from '../documents/acts.ts'
import { own, PASSWORD, person, type Person } from './acts-account.ts'
import { asking, CALLBACK } from './programs.ts'

const NUMBER = expect.stringMatching(/^\d+$/)
const SESSIONS = '/connect/account/sessions'
const PROGRAMS = '/connect/authorizations'

/** The same person at another page. */
const elsewhere = ({ username }: Person, given: Given) =>
  given.call('POST', '/connect/session', {
    token: null,
    body: { Username: username, Password: PASSWORD, NoticeId: 'default' },
  })

async function letIn(one: Person, given: Given): Promise<string> {
  const { verifier, request } = asking()
  const body = { Request: request, Allow: true }
  const { RedirectTo } = await given.expecting(200, one.send('POST', '/connect/authorization', body))
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: 'viewer',
    redirect_uri: CALLBACK,
    code: new URL(RedirectTo).searchParams.get('code') as string,
    code_verifier: verifier,
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await given.expecting(200, given.call('POST', '/connect/token', { token: null, raw: `${form}`, headers }))
  const [program] = (await one.send('GET', PROGRAMS)).json
  return program.AuthorizationId
}

const silent =
  (place: string) =>
  async ({ given }: World): Promise<Act> => {
    const one = await person(given)
    return { call: () => one.send('GET', place), status: 200, entries: () => [] }
  }

export const OWN_ACCESS_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  changePassword: async ({ given }) => {
    const one = await person(given)
    const body = { Password: PASSWORD, NewPassword: 'eight bells at the quay' }
    const call = () => one.send('POST', '/connect/account/password', body)
    return own(one, 'user.passwordChanged', call, { status: 204, detail: { due: false } })
  },
  listOwnSessions: silent(SESSIONS),
  endOtherSessions: async ({ given }) => {
    const one = await person(given)
    await elsewhere(one, given)
    const call = () => one.send('DELETE', SESSIONS)
    return own(one, 'session.ended', call, { status: 204, reason: 'person', detail: { session: NUMBER } })
  },
  endOwnSession: async ({ given }) => {
    const one = await person(given)
    await elsewhere(one, given)
    const other = (await one.send('GET', SESSIONS)).json.find(({ Here }: { Here: boolean }) => !Here)
    const call = () => one.send('DELETE', `${SESSIONS}/${other.SessionId}`)
    return own(one, 'session.ended', call, { status: 204, reason: 'person', detail: { session: other.SessionId } })
  },
  listAllowedPrograms: silent(PROGRAMS),
  endAllowedProgram: async ({ given }) => {
    const one = await person(given)
    const family = await letIn(one, given)
    const call = () => one.send('DELETE', `${PROGRAMS}/${family}`)
    return own(one, 'authorization.ended', call, {
      status: 204,
      reason: 'person',
      detail: { client: 'viewer', family },
    })
  },
}
