import { Fault, fault } from '../../shared/contract/errors.ts'
import type { Authorize } from '../http/ports.ts'
import type { TokensService } from '../interfaces/tokens/tokens.service.ts'

/**
 * Rights for now: signed in or not. Every route names the permission it needs; levels and policies are judged from the case service
 * on. What is stricter already: operations for loopback or an administrator, and guests.
 */
export function createAuthorize(
  tokens: TokensService,
  isAdministrator: (principalId: string) => Promise<boolean>,
): Authorize {
  return async (route, request) => {
    const { permission } = route
    if (permission.kind === 'anyone' || permission.kind === 'signed-address') return { principal: null }
    const token = bearerOf(request.headers.authorization)
    if (permission.kind === 'loopback-or-administrator' && isLoopback(request.source) && token === null)
      return { principal: null }
    if (token === null)
      return {
        principal: null,
        refusal: fault('Unauthorized', 'Sign in first: send an access token as "Authorization: Bearer …".'),
      }
    let principal: Awaited<ReturnType<TokensService['verifyAccessToken']>>
    try {
      principal = await tokens.verifyAccessToken(token)
    } catch (error) {
      if (error instanceof Fault) return { principal: null, refusal: error }
      throw error
    }
    if (
      (permission.kind === 'administrator' || permission.kind === 'loopback-or-administrator') &&
      !(await isAdministrator(principal.id))
    ) {
      return { principal, refusal: fault('Forbidden', 'This needs an account administrator.') }
    }
    if (permission.kind === 'member' && !permission.guests && principal.guest)
      return { principal, refusal: fault('Forbidden', 'Guests may not do this.') }
    return { principal }
  }
}

function bearerOf(header: string | undefined): string | null {
  const match = /^Bearer +([^\s]+)$/i.exec(header ?? '')
  return match?.[1] ?? null
}

/** A connection from this very machine, in both ways the kernel writes it. */
const isLoopback = (source: string): boolean =>
  source === '::1' || source.startsWith('127.') || source.startsWith('::ffff:127.')
