import * as authorization from '../../../../shared/identity/authorization.contract.ts'
import { Fault, fault } from '../../../../shared/kernel/errors.ts'
import * as own from '../../../../shared/identity/own-access.contract.ts'
import * as contract from '../../../../shared/identity/tokens.contract.ts'
import type { Principal } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { BytesAnswer, BytesRequest } from '../../../http/bytes.ts'
import { type BoundRoute, bytes, type HttpCall, json } from '../../../http/handlers.ts'
import { redirectTo, NO_STORE, refusalAnswer } from './answers.ts'
import type { AtPage, Authorizations } from './authorizations.service.ts'
import { OAuthRefusal } from './refusal.ts'
import { fromForm, readParameters } from './request-form.ts'

/** Ends the session of a browser; sessions supply it. */
export interface SigningOut {
  /** Does nothing where there is no session. */
  signOut(call: Call, principal: Principal | null): Promise<void>
  clearCookie(origin: string): string
}

/** Authorization of programs by people (shared/identity/authorization.contract.ts), and sign-out. */
export function authorizationRoutes(authorizations: Authorizations, signingOut: SigningOut): BoundRoute[] {
  const authorize = async (request: BytesRequest): Promise<BytesAnswer> =>
    redirectTo(authorizations.address(await parametersOf(request), request.origin))
  const endSession = endSessionWith(authorizations, signingOut)
  return [
    bytes(contract.authorize, refusing(authorize)),
    bytes(contract.authorizeByPost, refusing(authorize)),
    bytes(contract.endSession, refusing(endSession)),
    bytes(contract.endSessionByPost, refusing(endSession)),
    bytes(
      contract.revokeToken,
      refusing(async (request, call) => {
        const sent = await parametersOf(request)
        const [clientId, token] = [sent.get('client_id'), sent.get('token')]
        if (clientId === undefined || token === undefined)
          throw new OAuthRefusal('invalid_request', 'parameters', 'client_id and token are needed.')
        await authorizations.revoke(call, { clientId, token })
        return { status: 200, headers: NO_STORE }
      }),
    ),
    json(authorization.getAuthorization, async ({ call, query }) => {
      atPage(call)
      const { client, redirectUri } = authorizations.readRequest(query.request)
      return { Client: { Id: client.id, Name: client.name }, ReturnsTo: redirectUri }
    }),
    json(authorization.decideAuthorization, async ({ call, body }) => {
      const given = { request: body.Request, allow: body.Allow }
      return { RedirectTo: await authorizations.decide(call, atPage(call), given) }
    }),
    json(own.listAllowedPrograms, async ({ call }) => authorizations.allowed(atPage(call))),
    json(own.endAllowedProgram, async ({ call, params }) => {
      await authorizations.end(call, atPage(call), params.authorizationId)
      return undefined
    }),
  ]
}

/** The query of a GET, the form of a POST. @throws OAuthRefusal invalid_request */
async function parametersOf({ method, url, headers, body }: BytesRequest): Promise<ReadonlyMap<string, string>> {
  if (method === 'POST') return readParameters(headers['content-type'], body)
  const from = url.indexOf('?')
  return fromForm(from < 0 ? '' : url.slice(from + 1))
}

type Handler = (request: BytesRequest, call: HttpCall) => Promise<BytesAnswer>

function refusing(handler: Handler): Handler {
  return async (request, call) => {
    try {
      return await handler(request, call)
    } catch (error) {
      if (error instanceof OAuthRefusal) return refusalAnswer(error)
      throw error
    }
  }
}

/** OpenID Connect RP-Initiated Logout 1.0. `id_token_hint` is ignored: the browser's own session ends. */
function endSessionWith(authorizations: Authorizations, { signOut, clearCookie }: SigningOut): Handler {
  return async (request, call) => {
    const sent = await parametersOf(request)
    // Images and frames of other pages can request this address; only a navigation signs out.
    const kind = request.headers['sec-fetch-dest']
    if (kind !== undefined && kind !== 'document')
      throw new OAuthRefusal('invalid_request', 'destination', 'People go to this address themselves.')
    const back = sent.get('post_logout_redirect_uri')
    const known = back !== undefined && authorizations.isAddressOf(sent.get('client_id') ?? '', back)
    if (back !== undefined && !known)
      throw new OAuthRefusal('invalid_request', 'redirect', 'post_logout_redirect_uri is not registered for client_id.')
    await signOut(call, call.principal)
    const state = sent.get('state')
    const query = state === undefined ? '' : `?${new URLSearchParams({ state })}`
    const address = back === undefined ? `${request.origin}/` : `${back}${query}`
    return redirectTo(address, { 'Set-Cookie': clearCookie(request.origin) })
  }
}

/** A token must not authorize further tokens: they would outlive it. @throws Fault Forbidden */
function atPage({ principal }: HttpCall): AtPage {
  if (principal === null) throw fault('Unauthorized', 'Sign in first.')
  if (!('sessionId' in principal) || typeof principal.sessionId !== 'number')
    throw new Fault('Forbidden', 'Only a person at a page of the station decides this.', { reason: 'NotAtAPage' })
  return { ...principal, sessionId: principal.sessionId }
}
