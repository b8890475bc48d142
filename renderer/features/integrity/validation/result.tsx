import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { langOf } from '../../../client/station-sentences.ts'
import { useValidationReasons } from '../../../client/validation-reasons.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Hash } from '../../../ui/hash/hash.tsx'
import { FactList } from '../../../ui/layout/fact-list.tsx'
import { Problem } from '../../../ui/problem/problem.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { type State, StateMark } from '../../../ui/state/state.tsx'
import styles from '../integrity.module.css'
import { type KeptValidation, type NewestValidation, useKeptValidations, type ValidationCheck } from './queries.ts'

/** What cannot be tried here asks for somebody; what is not built does not. */
const STATES = {
  ok: 'ok',
  failed: 'danger',
  unknown: 'attention',
  'not-built': 'waiting',
} as const satisfies Readonly<Record<ValidationCheck['Result'], State>>

/** The newest result, with its signature beside what it says. */
export function Result({ newest }: { readonly newest: NewestValidation }) {
  const { t } = useTranslation('validation')
  const format = useFormat()
  return (
    <>
      <div className={styles['itemHead']}>
        <Verdict kept={newest} />
        <span className={styles['when']} title={format.instant(newest.EndedTimeUtc)}>
          {t('when', { when: format.timeOrDay(newest.EndedTimeUtc), who: newest.By })}
        </span>
      </div>
      <ul className={styles['rows']}>
        {newest.Checks.map((check) => (
          <Line key={check.Name} check={check} />
        ))}
      </ul>
      <div className={styles['itemHead']}>
        <StateMark state={newest.Signature === 'holds' ? 'sealed' : 'danger'} small wraps>
          {newest.Signature === 'holds' ? t('signedHolds') : t('signedBroken')}
        </StateMark>
        <Hash value={newest.Sha256} of={t('resultHash')} />
      </div>
      <span className={styles['second']}>
        {t('file', { file: `validations/${newest.Name}.json` })} ·{' '}
        {t('about', { program: newest.Program, host: newest.Host })}
      </span>
      <Figures newest={newest} />
    </>
  )
}

/** A failure first; what holds says how much was left out. */
function Verdict({ kept }: { readonly kept: KeptValidation }) {
  const { t } = useTranslation('validation')
  const { Ok, Failed, Unknown, NotBuilt } = kept.Counts
  const words = [
    ...(Failed > 0 ? [t('failed', { count: Failed })] : []),
    t('holds', { count: Ok }),
    ...(Unknown > 0 ? [t('unknownToo', { count: Unknown })] : []),
    ...(NotBuilt > 0 ? [t('notBuiltToo', { count: NotBuilt })] : []),
  ]
  return (
    <StateMark state={Failed > 0 ? 'danger' : 'ok'} wraps>
      {words.join(' · ')}
    </StateMark>
  )
}

function Line({ check }: { readonly check: ValidationCheck }) {
  const { t } = useTranslation('validation')
  return (
    <li className={styles['check']}>
      <span className={styles['checkName']}>
        <span>{t(check.Name)}</span>
        <span className={styles['second']}>{t(`${check.Name}What`)}</span>
      </span>
      <StateMark state={STATES[check.Result]} small>
        {t(check.Result)}
      </StateMark>
      <Why check={check} />
    </li>
  )
}

function Why({ check: { Problem: problem } }: { readonly check: ValidationCheck }) {
  const say = useValidationReasons()
  return problem === null ? null : (
    <p className={styles['checkProblem']} lang={langOf(say(problem), problem)}>
      {say(problem)}
    </p>
  )
}

/** The names of figures are those of the signed file. */
function Figures({ newest }: { readonly newest: NewestValidation }) {
  const { t } = useTranslation('validation')
  const format = useFormat()
  const say = useValidationReasons()
  return (
    <details className={styles['known']}>
      <summary>{t('figures')}</summary>
      <ul className={styles['rows']}>
        {newest.Checks.map((check) => (
          <li key={check.Name} className={styles['item']}>
            <span>
              {t(check.Name)} · {format.count(check.Milliseconds)} ms
            </span>
            <span className={styles['message']} lang={langOf(say(check.Done), check.Done)}>
              {say(check.Done)}
            </span>
            {Object.keys(check.Figures).length > 0 && (
              <FactList>
                {Object.entries(check.Figures).map(([name, value]) => (
                  <div key={name} className={styles['figure']}>
                    <dt>{name}</dt>
                    <dd>{String(value)}</dd>
                  </div>
                ))}
              </FactList>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

export function Earlier({ newest }: { readonly newest: string }) {
  const { t } = useTranslation('validation')
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles['known']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('earlier')}</summary>
      {isOpen && <EarlierList newest={newest} />}
    </details>
  )
}

function EarlierList({ newest }: { readonly newest: string }) {
  const { t } = useTranslation('validation')
  const format = useFormat()
  const { kept, error } = useKeptValidations()
  if (error !== null) return <Problem error={error} />
  if (kept === null) return <Skeleton lines={2} />
  const earlier = kept.filter(({ Name }) => Name !== newest)
  if (earlier.length === 0) return <p className={styles['nothing']}>{t('earlierNone')}</p>
  return (
    <ul className={styles['rows']}>
      {earlier.map((one) => (
        <li key={one.Name} className={styles['line']}>
          <Verdict kept={one} />
          {one.Signature === 'broken' && (
            <StateMark state="danger" small wraps>
              {t('signedBroken')}
            </StateMark>
          )}
          <span className={styles['when']} title={format.instant(one.EndedTimeUtc)}>
            {format.timeOrDay(one.EndedTimeUtc)}
          </span>
        </li>
      ))}
    </ul>
  )
}
