import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../client/translate.ts'
import { useAct } from '../../ui/act/use-act.ts'
import { Button } from '../../ui/button/button.tsx'
import { Icon } from '../../ui/icon/icon.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { StateMark } from '../../ui/state/state.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import { isShown, STEPS } from './labels.ts'
import { type Checklist, type Today, useDismissChecklist } from './queries.ts'
import { Section } from './section.tsx'
import styles from './today.module.css'

/** What makes a new station ready for work. It goes when all is done, or when an administrator dismisses it. */
export function SetUpSection({ checklist }: { readonly checklist: Today['Checklist'] }) {
  return isShown(checklist) ? <Steps checklist={checklist} /> : null
}

function Steps({ checklist: { Steps: steps } }: { readonly checklist: Checklist }) {
  const { t } = useTranslation('today')
  const dismiss = useDismissChecklist()
  const { busy, error, run } = useAct()
  const done = steps.filter(({ Done }) => Done).length
  const onDismiss = (): void =>
    run(
      () => dismiss(true),
      () => toasts.show({ text: t('setUpDismissed'), undo: () => dismiss(false) }),
    )
  return (
    <Section
      title={t('setUp')}
      act={
        <Button size="small" kind="quiet" busy={busy} onPress={onDismiss}>
          {t('setUpDismiss')}
        </Button>
      }
    >
      <p className={styles['sum']}>{t('setUpLead', { done, total: steps.length })}</p>
      {error !== null && <Problem error={error} title={t('setUpNot')} />}
      <ol className={styles['lines']}>
        {steps.map(({ Step, Done }) => (
          <li key={Step}>
            <StepLine step={Step} done={Done} />
          </li>
        ))}
      </ol>
    </Section>
  )
}

interface StepProps {
  readonly step: Checklist['Steps'][number]['Step']
  readonly done: boolean
}

function StepLine({ step, done }: StepProps) {
  const { t } = useTranslation('today')
  const { name, how, to } = STEPS[step]
  const words = (
    <>
      <StateMark small state={done ? 'ok' : 'waiting'}>
        {t(done ? 'done' : 'open')}
      </StateMark>
      <span className={styles['main']}>
        <span className={styles['name']}>{t(name)}</span>
        {!done && <span className={styles['how']}>{t(how)}</span>}
      </span>
      {to !== null && <Icon name="chevron-right" size="small" className={styles['icon']} />}
    </>
  )
  // The name stands in the settings with which the station is started.
  if (to === null) return <div className={styles['step']}>{words}</div>
  return (
    <Link to={to} className={styles['step']} data-line={step}>
      {words}
    </Link>
  )
}
