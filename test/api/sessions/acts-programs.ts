/** One good call of every route of programs that work in the name of people, with its entries (promise I1). */
import { expect } from 'vitest'
import type { Given } from '../../support/given.ts'
import type { Act, World } from '../documents/acts.ts'
import { pageOf } from './acts.ts'
import { asking, CALLBACK } from './programs.ts'

/** Registered by the setting `desktopClients`. */
export const PROGRAM = { id: 'viewer', name: 'Case viewer', redirects: ['http://127.0.0.1/callback'] }

export const PROGRAM_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  authorize: ({ given }) => leading(() => given.call('GET', `/connect/authorize?${asking().request}`, { token: null })),
  authorizeByPost: ({ given }) => leading(() => posted(given, '/connect/authorize', asking().request)),
  endSession: (world) => ending(world, 'GET'),
  endSessionByPost: (world) => ending(world, 'POST'),
  revokeToken: async ({ given }) => {
    const { page, id } = await pageOf(given)
    const { verifier, request } = asking()
    const body = { Request: request, Allow: true }
    const { RedirectTo } = await given.expecting(200, given.call('POST', '/connect/authorization', { ...page, body }))
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: PROGRAM.id,
      redirect_uri: CALLBACK,
      code: new URL(RedirectTo).searchParams.get('code') as string,
      code_verifier: verifier,
    })
    const tokens = await given.expecting(200, posted(given, '/connect/token', `${form}`))
    const back = new URLSearchParams({ client_id: PROGRAM.id, token: tokens.refresh_token })
    return {
      call: () => posted(given, '/connect/revocation', `${back}`),
      status: 200,
      entries: () => [
        [
          'authorization.ended',
          'user',
          id,
          { reason: 'givenBack', detail: { client: PROGRAM.id, family: expect.stringMatching(/^\d+$/) } },
        ],
      ],
      actor: 'anonymous',
    }
  },
  getAuthorization: async ({ given }) => {
    const { page } = await pageOf(given)
    const { request } = asking()
    return {
      call: () => given.call('GET', `/connect/authorization?${new URLSearchParams({ request })}`, page),
      status: 200,
      entries: () => [],
    }
  },
  decideAuthorization: async ({ given }) => {
    const { page, id } = await pageOf(given)
    const body = { Request: asking().request, Allow: true }
    const detail = { client: PROGRAM.id, returnsTo: CALLBACK, scope: 'openid offline_access' }
    return {
      call: () => given.call('POST', '/connect/authorization', { ...page, body }),
      status: 200,
      entries: () => [['authorization.given', 'user', id, { detail }]],
      actor: 'sergeant',
    }
  },
}

const posted = (given: Given, place: string, form: string) =>
  given.call('POST', place, {
    token: null,
    raw: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const leading = (call: Act['call']): Act => ({ call, status: 303, entries: () => [] })

async function ending({ given }: World, method: 'GET' | 'POST'): Promise<Act> {
  const { page, id } = await pageOf(given)
  const headers = { ...page.headers, 'content-type': 'application/x-www-form-urlencoded' }
  return {
    call: () =>
      given.call(method, '/connect/endsession', { token: null, headers, ...(method === 'POST' ? { raw: '' } : {}) }),
    status: 303,
    entries: () => [['session.closed', 'user', id, { detail: { session: expect.stringMatching(/^\d+$/) } }]],
    actor: 'sergeant',
  }
}
