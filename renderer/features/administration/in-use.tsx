import { useTranslation } from '../../client/translate.ts'
import { StateMark } from '../../ui/state/state.tsx'

/** Nothing to see in what is as usual; what is out of use says so. */
export function InUse({ enabled }: { readonly enabled: boolean }) {
  const { t } = useTranslation('administration')
  if (enabled) return <>{t('inUse')}</>
  return (
    <StateMark state="waiting" small>
      {t('disabled')}
    </StateMark>
  )
}
