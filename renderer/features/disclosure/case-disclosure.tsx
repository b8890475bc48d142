import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useDisclosures } from '../../client/disclosure/disclosure.ts'
import { useTranslation } from '../../client/translate.ts'
import { IconButton } from '../../ui/button/button.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { DiscloseDialog } from './acts.tsx'
import styles from './disclosure.module.css'
import { StateMark } from '../../ui/state/state.tsx'
import { openRequests } from './request-list.tsx'
import { DueList, RecordList } from './record-list.tsx'

/** In the column of a case; the page of its disclosures has the others. */
const SHOWN = 3

interface Props {
  readonly caseId: string
  /** Of its evidence, those that this person can view. */
  readonly evidence: readonly { readonly EvidenceId: string; readonly Name: string | null }[]
}

/** What was disclosed of a case and what is due, for those who can edit it. */
export function CaseDisclosure({ caseId, evidence }: Props) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  const { data, error, refetch } = useDisclosures(caseId)
  const [isOpen, setIsOpen] = useState(false)
  const names = useMemo(
    () => new Map(evidence.flatMap(({ EvidenceId, Name }) => (Name === null ? [] : [[EvidenceId, Name] as const]))),
    [evidence],
  )
  const total = data?.Items.length ?? 0
  const forMe = (data?.Proposals ?? []).filter(({ State, WhyNot }) => State === 'waiting' && WhyNot === null)
  const asked = data === undefined ? [] : openRequests(data)
  return (
    <section className={styles['panel']} aria-labelledby="case-disclosure">
      <header className={styles['panelHead']}>
        <h2 id="case-disclosure" className={styles['panelTitle']}>
          {t('disclosure')} {total > 0 && <span className={styles['count']}>{format.count(total)}</span>}
        </h2>
        {data !== undefined && (
          <IconButton icon="plus" size="small" label={t('recordDots')} onPress={() => setIsOpen(true)} />
        )}
      </header>
      {data === undefined &&
        (error === null ? (
          <Skeleton lines={2} />
        ) : (
          <Problem error={error} title={t('notListed')} onRetry={() => void refetch()} />
        ))}
      {data !== undefined && (
        <>
          {total === 0 && forMe.length + asked.length === 0 && <p className={styles['none']}>{t('none')}</p>}
          {forMe.length > 0 && (
            <StateMark state="attention" wraps>
              {t('proposalsForYou', { count: forMe.length, shown: format.count(forMe.length) })}
            </StateMark>
          )}
          {asked.length > 0 && (
            <StateMark state="waiting" wraps>
              {t('requestsOpen', { count: asked.length, shown: format.count(asked.length) })}
            </StateMark>
          )}
          {data.Due.length > 0 && <DueList known={data} names={names} most={SHOWN} />}
          {total > 0 && <RecordList known={data} records={data.Items.toReversed().slice(0, SHOWN)} inCase />}
          {total + forMe.length + asked.length > 0 && (
            <Link to="/cases/$caseId/disclosure" params={{ caseId }} className={styles['link']}>
              {t('allOfCase')}
            </Link>
          )}
          {isOpen && (
            <DiscloseDialog caseId={caseId} mode={{ kind: 'new' }} known={data} onClose={() => setIsOpen(false)} />
          )}
        </>
      )}
    </section>
  )
}
