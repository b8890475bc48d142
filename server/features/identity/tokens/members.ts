import type { Principal } from '../../../../shared/kernel/principal.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { MemberRow } from './tokens.store.ts'

/** `{PrincipalId}@{TenantId}`: the subject of tokens and the client_id of a service. */
export const subjectOf = (member: MemberRow): string => `${member.principal_id}@${member.tenant_id}`

export const principalOf = (member: MemberRow): Principal => ({
  kind: member.kind as Principal['kind'],
  id: String(member.principal_id),
  name: member.name,
  kId: member.k_id,
})

export const secondsOf = (clock: Clock): number => Math.floor(clock.now() / 1000)
