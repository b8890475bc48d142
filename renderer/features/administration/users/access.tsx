import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../client/translate.ts'
import { levelWords } from '../departments/access-field.tsx'
import { Part } from '../editing/panel.tsx'
import styles from '../people.module.css'
import type { User } from '../people-queries.ts'
import { policyWords } from '../policies/policy-labels.ts'
import { nameOf } from '../labels.ts'

/** The groups one is in, and every right with where it comes from. */
export function Access({ user }: { readonly user: Pick<User, 'Groups' | 'Policies'> }) {
  const { t } = useTranslation('administration')
  return (
    <>
      <Part title={t('groups')}>
        {user.Groups.length === 0 ? (
          <p className="small muted">{t('inNoGroup')}</p>
        ) : (
          <ul className={styles['lines']}>
            {user.Groups.map((group) => (
              <li key={group.PrincipalId} className={styles['line']}>
                <Link to="/administration/groups" search={{ open: group.PrincipalId ?? '' }}>
                  <bdi>{nameOf(group, t)}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Part>
      <Part title={t('policies')}>
        {user.Policies.length === 0 ? (
          <p className="small muted">{t('noRights')}</p>
        ) : (
          <ul className={styles['lines']}>
            {user.Policies.map(({ Policy, Level, Through }) => (
              <li key={`${Policy} ${Through?.PrincipalId ?? ''}`} className={styles['line']}>
                <span className={styles['two']}>
                  <span>
                    {policyWords(Policy, t)}
                    {Level !== null && `: ${levelWords(Level, t)}`}
                  </span>
                  <span className={styles['second']}>
                    {Through === null ? t('direct') : t('throughGroup', { name: nameOf(Through, t) })}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
        <Link to="/administration/policies" className="small">
          {t('toPolicies')}
        </Link>
      </Part>
    </>
  )
}
