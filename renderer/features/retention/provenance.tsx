import { useTranslation } from '../../client/translate.ts'
import { useSession } from '../../client/session.tsx'
import { type Format, useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { StateShape } from '../../ui/state/state.tsx'
import type { Item } from './queries.ts'
import styles from './disposition.module.css'
import { nameOf, type Words } from './labels.ts'

type Approver = Item['Approvers'][number]

const ACTS = {
  Created: 'actCreated',
  PasswordReset: 'actPasswordReset',
  SecondStepReset: 'actSecondStepReset',
  PasskeysReset: 'actPasskeysReset',
  KeysReplaced: 'actKeysReplaced',
} as const satisfies Record<Approver['Acts'][number]['Act'], string>

/** Where the accounts come from of those who approve, and who controls them: the second person looks at both before agreeing. */
export function Provenance({ approvers }: { readonly approvers: readonly Approver[] }) {
  const { t } = useTranslation('disposition')
  const { session } = useSession()
  const format = useFormat()
  if (approvers.length === 0) return null
  return (
    <section className={styles['section']}>
      <h3 className={styles['sectionTitle']}>{t('provenance')}</h3>
      <ul className={styles['stays']}>
        {approvers.map((one) => (
          <li key={one.By.PrincipalId}>
            <StateShape state={one.Acts.length === 0 ? 'ok' : 'attention'} />
            <span className={styles['why']}>
              <bdi>
                {one.By.PrincipalId === session.User?.PrincipalId
                  ? t('provenanceYou', { name: nameOf(one.By, t) })
                  : nameOf(one.By, t)}
              </bdi>
              <small>{originOf(one, t, format)}</small>
              <small>{controlOf(one, t, format)}</small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Of several items every approver once. */
export const approversOf = (items: readonly Item[]): Approver[] => [
  ...new Map(items.flatMap(({ Approvers }) => Approvers).map((one) => [one.By.PrincipalId, one])).values(),
]

function originOf({ CreatedBy, CreatedUtc, InPolicySinceUtc }: Approver, t: Words, format: Format): string {
  const day = format.day(CreatedUtc)
  const created =
    CreatedBy === '' ? t('provenanceCreatedAlone', { day }) : t('provenanceCreated', { day, by: visible(CreatedBy) })
  return InPolicySinceUtc === null
    ? created
    : `${created} ${t('provenancePolicy', { day: format.day(InPolicySinceUtc) })}`
}

function controlOf({ Acts, ControlEndsUtc, ControlEndedUtc }: Approver, t: Words, format: Format): string {
  if (Acts.length === 0)
    return ControlEndedUtc === null ? t('provenanceOwn') : t('provenanceOwnSince', { day: format.day(ControlEndedUtc) })
  const acts = Acts.map(({ Act, By, TimeUtc }) => t(ACTS[Act], { by: visible(By), day: format.day(TimeUtc) })).join(
    '; ',
  )
  const end =
    ControlEndsUtc === null ? t('provenanceMissing') : t('provenanceEnds', { day: format.day(ControlEndsUtc) })
  return `${t('provenanceControlled', { acts })} ${end}`
}
