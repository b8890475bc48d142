import { useTranslation } from '../../client/translate.ts'
import { Fault } from '../../client/api.ts'
import { Problem as Plain, type ProblemProps } from '../../ui/problem/problem.tsx'

/** With the words that cases have for a refusal. */
export function Problem(props: Omit<ProblemProps, 'said'>) {
  const { t } = useTranslation('cases')
  const forbidden = props.error instanceof Fault && props.error.code === 'Forbidden'
  return <Plain {...props} said={forbidden ? t('refusedBody') : undefined} />
}
