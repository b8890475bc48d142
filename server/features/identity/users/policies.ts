import { LEVELS, type Level, SECURITY_POLICIES, type SecurityPolicy } from '../../../../shared/kernel/permissions.ts'

export interface PolicyGrant {
  readonly policy: SecurityPolicy
  /** Only for the policies that carry one (decisions 3). */
  readonly level: Level | null
}

/** Policies "with a level" (decisions 3). */
export const WITH_LEVEL: ReadonlySet<SecurityPolicy> = new Set<SecurityPolicy>([
  'AccessUnassociatedFiles',
  'AccessFilesFromMyDevice',
])

/** The policies of Account Administrators from the first start: all, at the highest level if they carry one. */
export const ALL_POLICIES: readonly PolicyGrant[] = SECURITY_POLICIES.map((policy) => ({
  policy,
  level: WITH_LEVEL.has(policy) ? 'Manage' : null,
}))

/**
 * `CreateCases`, or `AccessUnassociatedFiles:Download` for the policies with a level (View unless said). Case matters, order does not,
 * a policy named twice is a problem.
 * @returns every problem, quoting the typed text.
 */
export function parsePolicies(texts: readonly string[]): { grants: PolicyGrant[]; problems: string[] } {
  const grants = new Map<SecurityPolicy, PolicyGrant>()
  const problems: string[] = []
  for (const text of texts) {
    const [name = '', level, ...more] = text.split(':')
    const policy = SECURITY_POLICIES.find((known) => known === name)
    if (policy === undefined) problems.push(`There is no policy "${name}"; there are ${SECURITY_POLICIES.join(', ')}.`)
    else if (grants.has(policy)) problems.push(`${policy} is named twice.`)
    else if (level !== undefined && !WITH_LEVEL.has(policy)) problems.push(`${policy} carries no level.`)
    else if (more.length > 0 || !isGrantable(level ?? 'View'))
      problems.push(`"${text}" names no level; there are ${GRANTABLE.join(', ')}.`)
    else grants.set(policy, { policy, level: WITH_LEVEL.has(policy) ? ((level ?? 'View') as Level) : null })
  }
  return { grants: [...grants.values()], problems }
}

const GRANTABLE: readonly string[] = LEVELS.filter((level) => level !== 'None')
const isGrantable = (level: string): boolean => GRANTABLE.includes(level)

/** As `parsePolicies` takes them. */
export const policyTexts = (
  given: readonly { readonly Policy: string; readonly Level?: string | null | undefined }[],
): string[] =>
  given.map(({ Policy, Level: level }) => (level === null || level === undefined ? Policy : `${Policy}:${level}`))
