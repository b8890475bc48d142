import * as authorization from '../../../../shared/identity/authorization.contract.ts'
import { Fault, fault } from '../../../../shared/kernel/errors.ts'
import * as own from '../../../../shared/identity/own-access.contract.ts'
import * as contract from '../../../../shared/identity/tokens.contract.ts'
import type { Principal } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { BytesAnswer, BytesRequest } from '../../../http/bytes.ts'
import { type BoundRoute, bytes, type HttpCall, json } from '../../../http/handlers.ts'
import { leadingTo, NOT_KEPT, refusalAnswer } from './answers.ts'
import type { AtPage, Authorizations } from './authorizations.service.ts'
import { OAuthRefusal } from './refusal.ts'
import { fromForm, readParameters } from './request-form.ts'

/** What ends the session of a browser; the sessions have it. */
export interface SigningOut {
  /** Does nothing where there is no session. */
  signOut(call: Call, principal: Principal | null): Promise<void>
  clearCookie(origin: string): string
}

/** Programs that ask people (shared/identity/authorization.contract.ts), and signing out for them. */
export function authorizationRoutes(authorizations: Authorizations, signingOut: SigningOut): BoundRoute[] {
  const authorize = async (request: BytesRequest): Promise<BytesAnswer> =>
    leadingTo(authorizations.address(await parametersOf(request), request.origin))
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
        return { status: 200, headers: NOT_KEPT }
      }),
    ),
    json(authorization.getAuthorization, async ({ call, query }) => {
      atPage(call)
      const { client, redirectUri } = authorizations.look(query.request)
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

/** Of GET the query, of POST the form. @throws OAuthRefusal invalid_request */
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

/** OpenID Connect RP-Initiated Logout 1.0. What `id_token_hint` says is not needed: the browser's own session is what ends. */
function endSessionWith(authorizations: Authorizations, { signOut, clearCookie }: SigningOut): Handler {
  return async (request, call) => {
    const sent = await parametersOf(request)
    // A picture or a frame in somebody's page asks too; only a person who goes there signs out.
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
    return leadingTo(address, { 'Set-Cookie': clearCookie(request.origin) })
  }
}

/** A token must not beget others: they would outlive it. @throws Fault Forbidden */
function atPage({ principal }: HttpCall): AtPage {
  if (principal === null) throw fault('Unauthorized', 'Sign in first.')
  if (!('sessionId' in principal) || typeof principal.sessionId !== 'number')
    throw new Fault('Forbidden', 'Only a person at a page of the station decides this.', { reason: 'NotAtAPage' })
  return { ...principal, sessionId: principal.sessionId }
}
