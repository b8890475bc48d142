/** The self-validation of the station: begin it, watch it, and read what it showed. */
import * as contract from '../../../../shared/validation/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Section } from '../../../ui/layout/overview.tsx'
import { Problem } from '../../../ui/problem/problem.tsx'
import { ProgressBar } from '../../../ui/progress/progress.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { Nothing } from '../alarms.tsx'
import styles from '../integrity.module.css'
import { useTold, useValidation, type ValidationState } from './queries.ts'
import { Earlier, Result } from './result.tsx'

export function Validation() {
  const { t } = useTranslation('validation')
  const { tenant } = useSession()
  const { state, error, retry } = useValidation()
  const told = useTold()
  const act = useAct()
  return (
    <Section
      title={t('title')}
      lead={t('lead')}
      act={
        state !== null &&
        state.Running === null && (
          <Button
            size="small"
            icon="play"
            busy={act.busy}
            onPress={() => act.run(() => told(call(contract.startValidation, { params: { tenantId: tenant } })))}
          >
            {t('start')}
          </Button>
        )
      }
    >
      {act.error !== null && <Problem error={act.error} title={t('startFailed')} />}
      {error !== null && <Problem error={error} onRetry={retry} />}
      {state === null ? error === null && <Skeleton lines={4} /> : <State state={state} />}
    </Section>
  )
}

function State({ state }: { readonly state: ValidationState }) {
  const { t } = useTranslation('validation')
  const { Running, Newest, Problem: problem } = state
  return (
    <>
      {Running !== null && <Run running={Running} />}
      {Running === null && problem !== null && (
        <p className={styles['message']}>
          <strong>{t('leftNone')}.</strong> <span lang="en">{problem}</span>
        </p>
      )}
      {Newest !== null ? (
        <Result newest={Newest} />
      ) : (
        Running === null && <Nothing title={t('none')}>{t('noneBody')}</Nothing>
      )}
      <Weekly state={state} />
      {Newest !== null && <Earlier newest={Newest.Name} />}
    </>
  )
}

function Run({ running }: { readonly running: NonNullable<ValidationState['Running']> }) {
  const { t } = useTranslation('validation')
  const format = useFormat()
  const { tenant } = useSession()
  const told = useTold()
  const act = useAct()
  return (
    <section className={styles['run']} aria-label={t('running')}>
      <div className={styles['runWords']}>
        <strong>{t('running')}</strong>
        <span className={styles['second']}>
          {t('runningBy', { who: running.By, when: format.timeOrDay(running.StartedTimeUtc) })}
        </span>
      </div>
      <ProgressBar label={t('running')} value={(running.Done / running.Total) * 100} />
      <div className={styles['runFoot']}>
        <span>
          {t('runningAt', {
            number: format.count(running.Done + 1),
            total: format.count(running.Total),
            check: t(running.Check),
          })}
        </span>
        <Button
          icon="stop"
          size="small"
          busy={act.busy}
          onPress={() => act.run(() => told(call(contract.stopValidation, { params: { tenantId: tenant } })))}
        >
          {t('stop')}
        </Button>
      </div>
      {act.error !== null && <Problem error={act.error} title={t('stopFailed')} />}
    </section>
  )
}

function Weekly({ state }: { readonly state: ValidationState }) {
  const { t } = useTranslation('validation')
  const format = useFormat()
  const { tenant } = useSession()
  const told = useTold()
  const act = useAct()
  const { Weekly: weekly, NextTimeUtc: next } = state
  return (
    <>
      <Checkbox
        checked={weekly}
        description={next === null ? undefined : t('weeklyNext', { when: format.timeOrDay(next) })}
        onChange={(Wanted) =>
          act.run(() =>
            told(call(contract.scheduleValidation, { params: { tenantId: tenant }, body: { Weekly: Wanted } })),
          )
        }
      >
        {t('weekly')}
      </Checkbox>
      {act.error !== null && <Problem error={act.error} title={t('weeklyFailed')} />}
    </>
  )
}
