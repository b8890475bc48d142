import { useQuery } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import type { z } from 'zod'
import * as lists from '../../../shared/cases/case-list.contract.ts'
import { call } from '../../client/api.ts'
import { useLinkDropped } from '../../client/case-drop.ts'
import { type DraggedEvidence, EVIDENCE_TYPE } from '../../client/evidence-drag.ts'
import { recentVisits } from '../../client/recent.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { visible } from '../../ui/format/visible.ts'
import { Icon } from '../../ui/icon/icon.tsx'
import { Spinner } from '../../ui/progress/progress.tsx'
import styles from './case-strip.module.css'

type Case = z.output<typeof lists.CaseListItem>

const MOST = 8

/**
 * Slides in while evidence is dragged: the cases that one looked at, follows and has, open and to be edited. Letting go on one links the
 * evidence to it. By keys the same is *Link to case* (C).
 */
export default function CaseStrip({ dragged }: { readonly dragged: DraggedEvidence }) {
  const { t } = useTranslation('frame')
  const { cases, loading } = useOfferedCases()
  return (
    <aside className={styles['strip']} aria-label={t('dropCases')}>
      <p className={styles['title']}>{t('dropOn', { count: dragged.count })}</p>
      {loading && <Spinner>{t('dropLooking')}</Spinner>}
      {!loading && cases.length === 0 && <p className={styles['none']}>{t('dropNoCase')}</p>}
      {cases.map((one) => (
        <CaseTile key={one.CaseId} of={one} dragged={dragged} />
      ))}
    </aside>
  )
}

function CaseTile({
  of: { CaseId, Title, Ordinal },
  dragged,
}: {
  readonly of: Case
  readonly dragged: DraggedEvidence
}) {
  const link = useLinkDropped()
  const [over, setOver] = useState(false)
  const fits = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(EVIDENCE_TYPE)
  return (
    <div
      className={styles['case']}
      data-case={CaseId}
      {...(over ? { 'data-over': '' } : {})}
      onDragOver={(event) => {
        if (!fits(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'link'
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!fits(event)) return
        event.preventDefault()
        setOver(false)
        link({ caseId: CaseId, title: Title }, dragged)
      }}
    >
      <Icon name="cases" />
      <span className={styles['words']}>
        <bdi className={styles['name']}>{visible(Title)}</bdi>
        <span className={`${styles['ordinal']} id`}>{Ordinal}</span>
      </span>
    </div>
  )
}

/** Those one looked at since the window was opened come first, then those one follows, then one's own, newest first. */
function useOfferedCases() {
  const { tenant, session } = useSession()
  const ask = (mark: 'following' | 'mine') => ({
    queryKey: ['case-list', tenant, 'to-drop-on', mark],
    staleTime: 30_000,
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly Case[]> =>
      (
        await call(lists.listCases, {
          params: { tenantId: tenant },
          query: { state: 'Open', [mark]: 'true', count: '50' },
          signal,
        })
      ).Items,
  })
  const following = useQuery(ask('following'))
  const mine = useQuery(ask('mine'))
  const editable = [...(following.data ?? []), ...(mine.data ?? [])].filter(({ AccessorPermissions }) =>
    AccessorPermissions.includes('Edit'),
  )
  const visits = recentVisits(session.User?.PrincipalId ?? '').filter(({ kind }) => kind === 'case')
  const looked = visits.flatMap(({ id }) => editable.find(({ CaseId }) => CaseId === id) ?? [])
  const cases = [...new Map([...looked, ...editable].map((one) => [one.CaseId, one])).values()].slice(0, MOST)
  return { cases, loading: (following.isPending || mine.isPending) && cases.length === 0 }
}
