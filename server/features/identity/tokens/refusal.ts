/** RFC 6749 4.1.2.1 and 5.2, OpenID Connect Core 3.1.2.6. */
export type OAuthError =
  | 'invalid_request'
  | 'invalid_grant'
  | 'invalid_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'interaction_required'

/** A refusal in OAuth's terms. `reason` is one word for the ledger. Neither text repeats any of the request. */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal'
  readonly error: OAuthError
  readonly reason: string
  constructor(error: OAuthError, reason: string, description: string) {
    super(description)
    this.error = error
    this.reason = reason
  }
}
