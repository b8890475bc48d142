/** Errors of connections in sentences that a person can act on. */

/** By the code of the error. */
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens at this address: the connection was refused.',
  ECONNRESET: 'The connection was closed before an answer came.',
  EPIPE: 'The connection was closed before an answer came.',
  ETIMEDOUT: 'No answer came in time.',
  EHOSTUNREACH: 'This address cannot be reached: check the network.',
  ENETUNREACH: 'This address cannot be reached: check the network.',
  ENOTFOUND: 'The name of this address was not found: check the address and the network.',
  EAI_AGAIN: 'The name of this address was not found: check the address and the network.',
  CERT_HAS_EXPIRED: 'The certificate there has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate there is for another name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate there is signed by nobody that this machine trusts.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate there is signed by nobody that this machine trusts.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate there is signed by nobody that this machine trusts.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate there is signed by nobody that this machine trusts.',
}

/** @returns a sentence; the error's own message where its code is none of these */
export function networkFailure(error: Error): string {
  // Several addresses of one name were tried: each has an error of its own.
  const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [error]
  const { code = '' } = (first ?? error) as NodeJS.ErrnoException
  return SENTENCES[code] ?? error.message
}
