/** Tables of people and programs: accounts, keys, tokens, sessions and credentials. */
import type { Generated } from 'kysely'

export interface TenantsTable {
  tenant_id: string
  name_key: string
  created_utc: string
}

export interface PrincipalsTable {
  principal_id: Generated<number>
  tenant_id: string
  kind: string
  name: string
  name_key: string
  k_id: string
  first_name: Generated<string>
  last_name: Generated<string>
  badge: Generated<string>
  email: Generated<string>
  guest: Generated<number>
  built_in: Generated<number>
  enabled: Generated<number>
  password_hash: string | null
  /** 1 when another person chose the password. The owner must then change it before anything else. */
  password_due: Generated<number>
  base_url: string | null
  created_utc: string
  created_by: string
  /** Search text of people: names and badge, folded (users/search-key.ts). */
  search_key: Generated<string>
  /** Time of the last sign-in in milliseconds since 1970; set by a trigger. */
  last_sign_in_at: number | null
  /** For a deleted group. Its row stays for references to it, under a name key that frees the name. */
  deleted_utc: string | null
}

export interface MembershipsTable {
  group_id: number
  member_id: number
  /** Milliseconds since 1970; null when unknown. It then proves no time in a policy. */
  since_at: number | null
}

export interface PolicyMembersTable {
  policy: string
  principal_id: number
  level: string | null
  /** As of memberships. */
  since_at: number | null
}

export interface ServiceKeysTable {
  service_key_id: Generated<number>
  principal_id: number
  thumbprint: string
  jwk: string
  not_before_utc: string | null
  expires_utc: string | null
  created_utc: string
  revoked_utc: string | null
}

export interface ApiKeysTable {
  api_key_id: Generated<number>
  principal_id: number
  key_hash: string
  created_utc: string
  revoked_utc: string | null
  /** End of the validity of a replaced key. */
  expires_utc: string | null
  /** People's name for the key; empty for the key of a connection file. */
  name: Generated<string>
  /** Accurate to a few seconds. */
  last_used_utc: string | null
}

export interface UsedAssertionsTable {
  client_id: string
  assertion_id: string
  expires_at: number
}

export interface SessionsTable {
  session_id: Generated<number>
  token_hash: string
  principal_id: number
  source: string
  notice: string
  /** Milliseconds since 1970, as all of these. */
  created_at: number
  active_at: number
  locked_at: number | null
  ended_at: number | null
}

export interface SignInFailuresTable {
  subject: string
  failures: number
  first_at: number
  last_at: number
  locked_until: number | null
}

/** Addresses from which a person signed in before. */
export interface FamiliarSourcesTable {
  principal_id: number
  source: string
  used_at: number
}

/** One failed sign-in from an address that is not familiar for the account. */
export interface UnfamiliarFailuresTable {
  account: string
  source: string
  failed_at: number
}

/** The number of lock-outs of an account, and its lock for all unfamiliar addresses. */
export interface AccountLocksTable {
  account: string
  /** Null when no account has this name. */
  principal_id: number | null
  locked_until: number | null
  lock_outs: number
  last_at: number
}

/** One person's authorisation of one program, from its code until sign-out, a long idle time, or detected misuse. */
export interface TokenFamiliesTable {
  family_id: Generated<number>
  principal_id: number
  client_id: string
  scope: string
  /** Milliseconds since 1970, as all of these. */
  created_at: number
  used_at: number
  ended_at: number | null
}

/** A token with `used_at` was exchanged for the next one. Its second use shows that it was copied. */
export interface RefreshTokensTable {
  token_hash: string
  family_id: number
  used_at: number | null
}

export interface AuthorizationCodesTable {
  code_hash: string
  principal_id: number
  client_id: string
  redirect_uri: string
  /** BASE64URL(SHA-256(verifier)), RFC 7636 4.2. */
  challenge: string
  scope: string
  nonce: string | null
  signed_in_at: number
  created_at: number
  used_at: number | null
  family_id: number | null
}

export interface SecondStepsTable {
  principal_id: number
  /** The seed of RFC 6238, sealed by the station's secrets key. */
  sealed: string
  created_at: number
  confirmed_at: number | null
  /** Time step of the last accepted code. Codes of this or an earlier step are refused. */
  last_step: number
}

export interface RecoveryCodesTable {
  principal_id: number
  code_hash: string
  used_at: number | null
}

export interface PeopleTables {
  tenants: TenantsTable
  principals: PrincipalsTable
  memberships: MembershipsTable
  policy_members: PolicyMembersTable
  service_keys: ServiceKeysTable
  api_keys: ApiKeysTable
  used_assertions: UsedAssertionsTable
  sessions: SessionsTable
  sign_in_failures: SignInFailuresTable
  familiar_sources: FamiliarSourcesTable
  unfamiliar_failures: UnfamiliarFailuresTable
  account_locks: AccountLocksTable
  token_families: TokenFamiliesTable
  refresh_tokens: RefreshTokensTable
  authorization_codes: AuthorizationCodesTable
  second_steps: SecondStepsTable
  recovery_codes: RecoveryCodesTable
}
