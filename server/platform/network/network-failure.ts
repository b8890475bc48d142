/** Errors of connections in sentences that a person can act on. */
import { connectionReason } from '../../../shared/messages/connection-reasons.ts'

/** By the code of the error, the name of its sentence. */
const SENTENCES = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  ETIMEDOUT: 'noAnswer',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOTFOUND: 'unknownName',
  EAI_AGAIN: 'unknownName',
  CERT_HAS_EXPIRED: 'certificateExpired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificateOther',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificateUntrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificateUntrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificateUntrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificateUntrusted',
} as const

const isKnown = (code: string): code is keyof typeof SENTENCES => Object.hasOwn(SENTENCES, code)

/** @returns a sentence; the error's own message where its code is none of these */
export function networkFailure(error: Error): string {
  // Several addresses of one name were tried: each has an error of its own.
  const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [error]
  const { code = '' } = (first ?? error) as NodeJS.ErrnoException
  return isKnown(code) ? connectionReason(SENTENCES[code]) : error.message
}
