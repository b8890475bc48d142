import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { getCase } from '../../../shared/cases/contract.ts'
import { Fault } from '../../../shared/kernel/errors.ts'
import { call } from '../../client/api.ts'
import { type Disclosures, toDoOf, useDisclosures } from '../../client/disclosure/disclosure.ts'
import { useIsMember, useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Overview, OverviewHead, Section } from '../../ui/layout/overview.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { DiscloseDialog, RecordSheet } from './acts.tsx'
import styles from './disclosure.module.css'
import { ProposalList, proposalsShown } from './proposal-list.tsx'
import { openRequests, RequestDialog, RequestList } from './request-list.tsx'
import { DueList, RecordList } from './record-list.tsx'
import { type Names, nameOf } from './labels.ts'

/** Everything that was disclosed of one case, what is due, and what of it may not leave. */
export function CaseDisclosurePage({ caseId }: { readonly caseId: string }) {
  const { t } = useTranslation('disclosure')
  const member = useIsMember()
  return (
    <Overview title={t('disclosure')}>
      {member ? (
        <Ledger caseId={caseId} />
      ) : (
        <>
          <OverviewHead title={t('disclosure')} lead={t('lead')} />
          <EmptyState title={t('notForGuests')}>{t('notForGuestsBody')}</EmptyState>
        </>
      )}
    </Overview>
  )
}

function Ledger({ caseId }: { readonly caseId: string }) {
  const { t } = useTranslation('disclosure')
  const { data, error, refetch } = useDisclosures(caseId)
  const { title, names } = useCaseWords(caseId)
  const [isOpen, setIsOpen] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const ask = (
    <Button icon="plus" onPress={() => setIsAsking(true)}>
      {t('requestDots')}
    </Button>
  )
  const begin = (
    <Button kind="main" icon="plus" onPress={() => setIsOpen(true)}>
      {t('recordDots')}
    </Button>
  )
  return (
    <>
      <OverviewHead
        title={t('disclosure')}
        lead={t('lead')}
        standing={
          <Link to="/cases/$caseId" params={{ caseId }} className={styles['link']}>
            <bdi>{title ?? t('toCase')}</bdi>
          </Link>
        }
        acts={
          data !== undefined && (
            <>
              {!isBare(data) && <RecordSheet caseId={caseId} />}
              {ask}
              {!isBare(data) && begin}
            </>
          )
        }
      />
      {data === undefined &&
        (error === null ? (
          <Skeleton lines={8} />
        ) : (
          <Problem
            error={error}
            title={t('notListed')}
            {...(error instanceof Fault && error.code === 'Forbidden' ? {} : { onRetry: () => void refetch() })}
          >
            {toDoOf(error)}
          </Problem>
        ))}
      {data !== undefined && isBare(data) && (
        <EmptyState title={t('noneTitle')} action={begin}>
          {t('noneBody')}
        </EmptyState>
      )}
      {data !== undefined && <Parts known={data} names={names} />}
      {isAsking && <RequestDialog caseId={caseId} onClose={() => setIsAsking(false)} />}
      {isOpen && data !== undefined && (
        <DiscloseDialog caseId={caseId} mode={{ kind: 'new' }} known={data} onClose={() => setIsOpen(false)} />
      )}
    </>
  )
}

/** Nothing was given, proposed or asked for yet. */
const isBare = (known: Disclosures): boolean =>
  known.Items.length + proposalsShown(known).length + openRequests(known).length === 0

function useCaseWords(caseId: string): { readonly title: string | null; readonly names: Names } {
  const { tenant } = useSession()
  const { data } = useQuery({
    queryKey: ['case', caseId, 'record'],
    queryFn: ({ signal }) => call(getCase, { params: { tenantId: tenant, caseId }, query: {}, signal }),
  })
  return useMemo(
    () => ({
      title: data === undefined ? null : `${visible(data.Title)}, ${data.Ordinal}`,
      names: new Map(
        (data?.Evidences ?? []).flatMap(({ EvidenceId, Name }) => (Name === null ? [] : [[EvidenceId, Name] as const])),
      ),
    }),
    [data],
  )
}

const MOST_CHANGES = 50

function Parts({ known, names }: { readonly known: Disclosures; readonly names: Names }) {
  const { t } = useTranslation('disclosure')
  const proposals = proposalsShown(known)
  const requests = openRequests(known)
  return (
    <>
      {proposals.length > 0 && (
        <Section title={t('proposals')} lead={t('proposalsLead')}>
          <ProposalList proposals={proposals} known={known} />
        </Section>
      )}
      {requests.length > 0 && (
        <Section title={t('requests')} lead={t('requestsLead')}>
          <RequestList requests={requests} known={known} />
        </Section>
      )}
      {known.Items.length > 0 && (
        <Section title={t('due')} lead={t('dueLead')}>
          {known.Due.length === 0 ? (
            <p className={styles['none']}>{t('nothingDue')}</p>
          ) : (
            <DueList known={known} names={names} most={MOST_CHANGES} />
          )}
        </Section>
      )}
      {known.Items.length > 0 && (
        <Section title={t('records')}>
          <RecordList known={known} records={known.Items.toReversed()} inCase={false} />
        </Section>
      )}
      {known.Restricted.length > 0 && (
        <Section title={t('restricted')} lead={t('restrictedLead')}>
          <ul className={styles['changes']}>
            {known.Restricted.map(({ EvidenceId, Kinds }) => (
              <li key={EvidenceId}>
                <Link to="/evidence/$evidenceId" params={{ evidenceId: EvidenceId }} className={styles['link']}>
                  <bdi>{nameOf(names, EvidenceId, t)}</bdi>
                </Link>{' '}
                <span className={styles['second']}>{Kinds.map((kind) => t(kind)).join(', ')}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}
