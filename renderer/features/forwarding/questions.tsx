import { Link } from '@tanstack/react-router'
import * as contract from '../../../shared/forwarding/contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { useAct } from '../../ui/act/use-act.ts'
import { Button } from '../../ui/button/button.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Section } from '../../ui/layout/overview.tsx'
import { PageNote } from '../../ui/layout/page-frame.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { StateMark } from '../../ui/state/state.tsx'
import styles from './forwarding.module.css'
import { type Question, useQuestions, useRefreshed } from './queries.ts'

/** Fields that were changed here and at headquarters: both values, and whose stays. */
export function Questions() {
  const { t } = useTranslation('forwarding')
  const { data, error, refetch } = useQuestions(true)
  return (
    <PageNote>
      <Section title={t('questions')} lead={t('questionsLead')}>
        {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
        <ul className={styles['rows']}>
          {(data ?? []).map((question) => (
            <Asked key={question.QuestionId} question={question} />
          ))}
        </ul>
      </Section>
    </PageNote>
  )
}

const FIELDS = {
  Name: 'fieldName',
  Description: 'fieldDescription',
  Tags: 'fieldTags',
  Category: 'fieldCategory',
  StartTimeUtc: 'fieldStart',
  EndTimeUtc: 'fieldEnd',
  LocationText: 'fieldPlace',
  LocationWKT: 'fieldPosition',
  CustomFields: 'fieldCustom',
} as const

function Asked({ question }: { readonly question: Question }) {
  const { t } = useTranslation('forwarding')
  const format = useFormat()
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const { busy, error, run } = useAct()
  const { EvidenceId, Name, AskedTimeUtc, Fields, QuestionId } = question
  const settle = (Keep: 'ours' | 'theirs'): void =>
    run(() =>
      refreshed(
        call(contract.settleForwardingQuestion, {
          params: { tenantName: tenant, questionId: QuestionId },
          body: { Keep },
        }),
      ),
    )
  return (
    <li className={styles['item']}>
      <div className={styles['itemHead']}>
        <StateMark state="attention">{t('questionState')}</StateMark>
        <Link to="/evidence/$evidenceId" params={{ evidenceId: EvidenceId }} className={styles['link']}>
          <bdi>{visible(Name)}</bdi>
        </Link>
        <span className={styles['when']} title={format.instant(AskedTimeUtc)}>
          {format.timeOrDay(AskedTimeUtc)}
        </span>
      </div>
      <table className={styles['compare']}>
        <thead>
          <tr>
            <th scope="col">{t('columnField')}</th>
            <th scope="col">{t('columnOurs')}</th>
            <th scope="col">{t('columnTheirs')}</th>
          </tr>
        </thead>
        <tbody>
          {Fields.map(({ Field, Ours, Theirs }) => (
            <tr key={Field}>
              <th scope="row">{Object.hasOwn(FIELDS, Field) ? t(FIELDS[Field as keyof typeof FIELDS]) : Field}</th>
              <td>{Ours === null ? t('nothing') : visible(Ours)}</td>
              <td>{Theirs === null ? t('nothing') : visible(Theirs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {error !== null && <Problem error={error} title={t('notSettled')} />}
      <div className={styles['acts']}>
        <Button size="small" busy={busy} onPress={() => settle('ours')}>
          {t('keepOurs')}
        </Button>
        <Button size="small" busy={busy} onPress={() => settle('theirs')}>
          {t('keepTheirs')}
        </Button>
      </div>
    </li>
  )
}
