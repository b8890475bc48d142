import { useTranslation } from '../../../client/translate.ts'
import { LinkButton } from '../../../ui/button/button.tsx'
import styles from '../people.module.css'
import { useRights } from '../rights.ts'
import { Part } from '../editing/panel.tsx'

/** The way to what the ledger says of somebody; absent without the right to read it. */
export function HistoryLink({ userId }: { readonly userId: string }) {
  const { t } = useTranslation('administration')
  const may = useRights()
  if (!may('AccessAuditTrail')) return null
  return (
    <Part title={t('history')}>
      <p className="small muted">{t('historyHow')}</p>
      <div className={styles['acts']}>
        <LinkButton size="small" href={`/administration/users/${userId}/history`}>
          {t('historyOpen')}
        </LinkButton>
      </div>
    </Part>
  )
}
