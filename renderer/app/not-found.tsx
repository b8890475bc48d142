import { Link } from '@tanstack/react-router'
import { useTranslation } from '../client/translate.ts'
import { EmptyState } from '../ui/empty/empty.tsx'

export function NotFound() {
  const { t } = useTranslation('frame')
  return (
    <>
      <h1 className="unseen">{t('notFoundTitle')}</h1>
      <EmptyState title={t('notFoundTitle')} action={<Link to="/evidence">{t('notFoundShow')}</Link>}>
        {t('notFoundBody')}
      </EmptyState>
    </>
  )
}
