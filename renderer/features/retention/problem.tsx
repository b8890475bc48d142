import { useTranslation } from '../../client/translate.ts'
import { Fault } from '../../client/api.ts'
import { Problem as Plain, type ProblemProps } from '../../ui/problem/problem.tsx'

/** With the words that disposition has for a refusal. */
export function Problem(props: Omit<ProblemProps, 'said'>) {
  const { t } = useTranslation('disposition')
  const { error, title = t('failedLoad') } = props
  const forbidden = error instanceof Fault && error.code === 'Forbidden'
  return <Plain {...props} title={title} said={forbidden ? t('refusedBody') : undefined} />
}
