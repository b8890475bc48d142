import { useCadReasons } from '../../../client/cad-reasons.ts'
import { langOf } from '../../../client/station-sentences.ts'
import { useTranslation } from '../../../client/translate.ts'
import type { z } from 'zod'
import { isCaseField } from '../../../../shared/cases/fields.ts'
import * as contract from '../../../../shared/dispatch/case-dispatch.contract.ts'
import { call } from '../../../client/api.ts'
import { from, useItemPages } from '../../../client/pages.ts'
import { useSession } from '../../../client/session.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import type { IconName } from '../../../ui/icon/icon.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { Thread } from '../../../ui/thread/thread.tsx'
import type { Case } from '../queries.ts'
import { type FieldName, useCaseFields } from '../labels.ts'
import { Problem } from '../problem.tsx'
import styles from './history.module.css'

type Message = z.output<typeof contract.DispatchMessageModel>

const ICONS = {
  Applied: 'check',
  Repeated: 'copy',
  Older: 'clock',
  Review: 'waiting',
  Unreadable: 'attention',
} as const satisfies Record<Message['State'], IconName>
const WORDS = {
  Applied: 'applied',
  Repeated: 'repeated',
  Older: 'older',
  Review: 'review',
  Unreadable: 'unreadable',
} as const satisfies Record<Message['State'], string>

function useDispatch(caseId: string) {
  const { tenant } = useSession()
  return useItemPages({
    queryKey: ['case', caseId, 'dispatch'],
    ask: (cursor, signal) =>
      call(contract.getCaseDispatch, { params: { tenantId: tenant, caseId }, query: from(cursor), signal }),
  })
}

/** The messages of dispatch that made the case, and what each of them changed in it. */
export function DispatchPanel({ record }: { readonly record: Case }) {
  const { t } = useTranslation('cad')
  const format = useFormat()
  const { rows, error, retry, more, onMore, busy } = useDispatch(record.CaseId)
  return (
    <section className={styles['panel']} aria-labelledby="case-dispatch">
      <h2 id="case-dispatch" className={styles['title']}>
        {t('ofCase')}
      </h2>
      {rows === null ? (
        error === null ? (
          <Skeleton lines={3} />
        ) : (
          <Problem error={error} onRetry={retry} />
        )
      ) : rows.length === 0 ? (
        <p className={styles['none']}>{t('ofCaseNone')}</p>
      ) : (
        <Thread
          label={t('ofCase')}
          entries={rows.map((message) => ({
            id: message.MessageId,
            icon: ICONS[message.State],
            act: t(WORDS[message.State]),
            time: format.timeOrDay(message.ReceivedUtc),
            at: message.ReceivedUtc,
            exact: format.instant(message.ReceivedUtc, { zone: true }),
            detail: <Detail message={message} />,
          }))}
        />
      )}
      {more && (
        <Button size="small" busy={busy} onPress={onMore}>
          {t('ofCaseOlder')}
        </Button>
      )}
    </section>
  )
}

function Detail({ message }: { readonly message: Message }) {
  const { t } = useTranslation('cad')
  const say = useCadReasons()
  const format = useFormat()
  const nameOf = useFieldNames()
  const words = (field: string, value: string): string => {
    const time = field === 'OccurredOn' || field === 'EndedOn' ? format.instant(value, { zone: true }) : ''
    return time === '' ? visible(value) : time
  }
  const { State, Changes, Left, Notes, Reason, SentBy } = message
  const changes = Changes ?? []
  return (
    <>
      <bdi>{visible(SentBy)}</bdi>
      {State === 'Repeated' || State === 'Older' ? (
        <p>{t(State === 'Repeated' ? 'repeatedHow' : 'olderHow')}</p>
      ) : (
        Reason !== null && <p lang={langOf(say(Reason), Reason)}>{visible(say(Reason))}</p>
      )}
      {State === 'Applied' && changes.length === 0 && <p>{t(Changes === null ? 'receiptUnknown' : 'receiptSame')}</p>}
      {changes.length > 0 && (
        <dl className={styles['diff']}>
          {changes.map(({ Field, Before, After }) => (
            <div key={Field}>
              <dt>
                <bdi>{nameOf(Field)}</bdi>
              </dt>
              <dd>
                {Before !== null && (
                  <del className={styles['was']}>
                    <span className="unseen">{t('before')}: </span>
                    <bdi>{words(Field, Before)}</bdi>
                  </del>
                )}
                {After !== null && (
                  <ins className={styles['now']}>
                    <span className="unseen">{t('after')}: </span>
                    <bdi>{words(Field, After)}</bdi>
                  </ins>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {Notes.map((note) => (
        <p key={note}>
          <bdi lang={langOf(say(note), note)}>{visible(say(note))}</bdi>
        </p>
      ))}
      {Left.length > 0 && (
        <p>
          {t('leftAlone')}: <bdi>{Left.map(nameOf).join(', ')}</bdi>
        </p>
      )}
    </>
  )
}

/** What a receipt calls otherwise than this station does. */
const CALLED: Readonly<Record<string, FieldName>> = {
  Location: 'Position',
  Category: 'CategoryId',
  PersonnelRelations: 'Personnel',
}

function useFieldNames(): (field: string) => string {
  const { label } = useCaseFields()
  return (field) => {
    const known = isCaseField(field) ? field : Object.hasOwn(CALLED, field) ? CALLED[field] : undefined
    return known === undefined ? visible(field.replace(/^CustomFields\./, '')) : label(known)
  }
}
