import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { from, useItemPages } from '../../../client/pages.ts'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/evidence/acts.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import styles from '../acts/acts.module.css'
import type { Resource } from './queries.ts'
import { visible } from './text/visible.ts'

const AT_ONCE = '10'

interface DuplicatesProps {
  readonly evidenceId: string
  readonly resources: readonly Resource[]
}

/** Files of other evidence with the same bytes, as far as this person may see them. */
function useDuplicates(evidenceId: string) {
  const { tenant } = useSession()
  return useItemPages({
    queryKey: ['evidence', evidenceId, 'duplicates'],
    ask: (cursor, signal) =>
      call(contract.listDuplicates, {
        params: { tenantName: tenant, evidenceId },
        query: { count: AT_ONCE, ...from(cursor) },
        signal,
      }),
  })
}

/** Evidences that are named in the note at the top. */
const NAMED = 3

/** Says at the top of the page that the same bytes are elsewhere, with the way there; nothing where they are not. */
export function DuplicatesNote({ evidenceId }: Pick<DuplicatesProps, 'evidenceId'>) {
  const { t } = useTranslation('evidenceActs')
  const { rows, more } = useDuplicates(evidenceId)
  const others = new Map((rows ?? []).map((one) => [one.EvidenceId, visible(one.EvidenceName)]))
  if (others.size === 0) return null
  const named = [...others].slice(0, NAMED)
  const rest = others.size - named.length
  return (
    <div className={styles['notes']}>
      <Note icon="copy" title={t('duplicatesTop', { count: others.size })}>
        {named.map(([id, name], at) => (
          <Fragment key={id}>
            {at > 0 && ', '}
            <Link to="/evidence/$evidenceId" params={{ evidenceId: id }}>
              <bdi>{name}</bdi>
            </Link>
          </Fragment>
        ))}
        {(rest > 0 || more) && ` ${t('duplicatesRest')}`}
      </Note>
    </div>
  )
}

/** The list of them below the picture; nothing where there are none. */
export function Duplicates({ evidenceId, resources }: DuplicatesProps) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const { rows, more, busy, onMore } = useDuplicates(evidenceId)
  const found = rows ?? []
  if (found.length === 0) return null
  const several = new Set(found.map(({ ResourceId }) => ResourceId)).size > 1
  const nameOf = (id: string): string => visible(resources.find(({ ResourceId }) => ResourceId === id)?.Name ?? id)
  return (
    <section className={styles['copies']} aria-labelledby="same-bytes">
      <h2 id="same-bytes" className={styles['head']}>
        {t('duplicates')}
      </h2>
      <ul className={styles['list']}>
        {found.map((one) => (
          <li key={`${one.ResourceId} ${one.OtherResourceId}`} className={styles['copy']}>
            <Link to="/evidence/$evidenceId" params={{ evidenceId: one.EvidenceId }}>
              <bdi>{visible(one.EvidenceName)}</bdi>
            </Link>
            <span className="muted id">{one.EvidenceId}</span>
            <span className="muted">
              {[
                visible(one.Name),
                ...(one.UploadedTimeUtc === null
                  ? []
                  : [t('duplicateTaken', { time: format.instant(one.UploadedTimeUtc, { precision: 'minute' }) })]),
                ...(several ? [t('duplicateOf', { name: nameOf(one.ResourceId) })] : []),
              ].join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      <p className="muted">{t('duplicatesBody')}</p>
      {more && (
        <Button size="small" busy={busy} onPress={onMore}>
          {t('duplicatesMore')}
        </Button>
      )}
    </section>
  )
}
