import { useTranslation } from '../../client/translate.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Note } from '../../ui/note/note.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { StateMark } from '../../ui/state/state.tsx'
import styles from './correlation.module.css'
import { type Pair, usePair, type Withdrawn } from './queries.ts'
import { Intervals } from './intervals.tsx'
import { checkWords, clockWords, CONFIDENCES, leadWords, RULES, stateOf } from './labels.ts'

interface Props {
  readonly caseId: string
  readonly evidenceId: string
  /** Where its state and first sentence stand beside it already. */
  readonly bare?: boolean
}

/** Why a recording is in a case, or why not: one sentence, the picture, and each step for whoever wants to know. */
export function Explanation({ caseId, evidenceId, bare = false }: Props) {
  const { data, error, refetch } = usePair(caseId, evidenceId)
  if (error !== null && data === undefined) return <Problem error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={5} />
  return <Explained pair={data} bare={bare} />
}

function Explained({ pair, bare }: { readonly pair: Pair; readonly bare: boolean }) {
  const { t } = useTranslation('correlation')
  const format = useFormat()
  const { state, words } = stateOf(pair, t)
  return (
    <div className={styles['explanation']}>
      {!bare && (
        <>
          <StateMark state={state}>{words}</StateMark>
          <p className={styles['lead']}>{leadWords(pair, t, format)}</p>
        </>
      )}
      <Intervals pair={pair} />
      {pair.Withdrawn !== null && <WithdrawnNote withdrawn={pair.Withdrawn} />}
      <details className={styles['details']} open={pair.Rule === null}>
        <summary>{t(pair.Rule === null ? 'stepsNot' : 'steps')}</summary>
        <ol className={styles['steps']}>
          {pair.Checks.map((check) => (
            <li key={check.Code}>
              <StateMark state={check.Holds ? 'ok' : 'attention'}>{t(check.Holds ? 'holds' : 'holdsNot')}</StateMark>
              <span>{checkWords(check, t, format)}</span>
            </li>
          ))}
        </ol>
        <Figures pair={pair} />
      </details>
    </div>
  )
}

function Figures({ pair }: { readonly pair: Pair }) {
  const { t } = useTranslation('correlation')
  const format = useFormat()
  if (pair.Checks.every(({ Code }) => Code !== 'Overlap')) return null
  return (
    <dl className={styles['figures']}>
      <dt>{t('rule')}</dt>
      <dd>{pair.Rule === null ? t('ruleNone') : t(RULES[pair.Rule])}</dd>
      <dt>{t('overlap')}</dt>
      <dd>{format.duration(pair.OverlapSeconds)}</dd>
      <dt>{t('clock')}</dt>
      <dd>{clockWords(pair, t, format)}</dd>
      {pair.Confidence !== null && (
        <>
          <dt>{t('confidence')}</dt>
          <dd>{t(CONFIDENCES[pair.Confidence])}</dd>
        </>
      )}
    </dl>
  )
}

/** It stays to be seen that the station took a link away, and what hangs on it. */
export function WithdrawnNote({ withdrawn }: { readonly withdrawn: Withdrawn }) {
  const { t } = useTranslation('correlation')
  const format = useFormat()
  return (
    <Note
      {...(withdrawn.Suspends ? { state: 'attention' as const } : {})}
      title={t('withdrawnTitle', { day: format.instant(withdrawn.WithdrawnUtc, { precision: 'minute' }) })}
    >
      <span lang="en">{visible(withdrawn.Reason)}</span> {withdrawn.Suspends && t('suspends')}
    </Note>
  )
}
