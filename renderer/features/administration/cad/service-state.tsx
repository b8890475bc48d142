import { useTranslation } from '../../../client/translate.ts'
import { StateMark } from '../../../ui/state/state.tsx'
import type { Service } from '../dispatch/queries.ts'

/** Whether an integration may push at all. */
export function Standing({ service: { enabled, mayPush } }: { readonly service: Service }) {
  const { t } = useTranslation('cad')
  if (!enabled) return <StateMark state="waiting">{t('serviceDisabled')}</StateMark>
  return <StateMark state={mayPush ? 'ok' : 'attention'}>{t(mayPush ? 'serviceReady' : 'serviceNoRight')}</StateMark>
}
