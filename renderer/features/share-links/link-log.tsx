import { useJobReasons } from '../../client/job-reasons.ts'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import * as contract from '../../../shared/share-links/contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { SHARE_LINKS } from '../../client/share-links/share-links.ts'
import { useTranslation } from '../../client/translate.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import styles from './links.module.css'

type Detail = z.output<(typeof contract.getShareLink)['responses'][200]>

/** The files of a link with their copies, and everything that was done with it. */
export function LinkLog({ linkId }: { readonly linkId: string }) {
  const { t } = useTranslation('shareLinks')
  const { tenant } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: [...SHARE_LINKS, tenant, 'link', linkId],
    staleTime: 0,
    queryFn: ({ signal }) => call(contract.getShareLink, { params: { tenantId: tenant, linkId }, signal }),
  })
  if (error !== null) return <Problem error={error} title={t('notListed')} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={4} />
  return (
    <>
      <section aria-labelledby={`files-${linkId}`}>
        <h3 id={`files-${linkId}`} className={styles['heading']}>
          {t('files')}
        </h3>
        <ul className={styles['lines']}>
          {data.Items.map((item) => (
            <li key={item.No}>
              <bdi>{visible(item.Name === '' ? `${item.No}` : item.Name)}</bdi>{' '}
              <span className={styles['second']}>
                <CopyWord item={item} isOpen={data.Link.State === 'open'} />
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby={`log-${linkId}`}>
        <h3 id={`log-${linkId}`} className={styles['heading']}>
          {t('log')}
        </h3>
        {data.Log.every(({ Action }) => Action === 'shareLink.made') && <p>{t('logEmpty')}</p>}
        <ol className={styles['lines']}>
          {data.Log.map((entry) => (
            <Entry key={`${entry.TimeUtc} ${entry.Action} ${entry.Object} ${entry.Source}`} entry={entry} />
          ))}
        </ol>
      </section>
    </>
  )
}

const COPY_WORDS = { ready: 'copyReady', making: 'copyMaking', none: 'copyNone' } as const

function CopyWord({ item, isOpen }: { readonly item: Detail['Items'][number]; readonly isOpen: boolean }) {
  const { t } = useTranslation('shareLinks')
  const say = useJobReasons()
  if (item.Withheld) return t('withheldNow')
  if (!isOpen) return null
  return item.Copy === 'failed' ? t('copyFailed', { reason: say(item.Message) }) : t(COPY_WORDS[item.Copy])
}

const LOGGED = [
  'shareLink.made',
  'shareLink.opened',
  'shareLink.refused',
  'shareLink.locked',
  'shareLink.codeRenewed',
  'shareLink.recalled',
  'shareLink.closed',
  'resource.linkViewed',
  'resource.linkDownloaded',
] as const

function Entry({ entry }: { readonly entry: Detail['Log'][number] }) {
  const { t } = useTranslation('shareLinks')
  const format = useFormat()
  const action = LOGGED.find((one) => one === entry.Action)
  const who = entry.Actor === 'anonymous' ? t('anonymous') : visible(entry.Actor)
  return (
    <li>
      <time dateTime={entry.TimeUtc}>{format.instant(entry.TimeUtc, { precision: 'second' })}</time>{' '}
      <strong>
        <bdi>{action === undefined ? entry.Action : t(`log-${action}`, { name: visible(entry.Object) })}</bdi>
      </strong>{' '}
      <span className={styles['second']}>
        <bdi>{who}</bdi>, {t('from', { source: entry.Source })}
      </span>
    </li>
  )
}
