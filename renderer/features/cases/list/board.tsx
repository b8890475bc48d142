import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/cases/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { Tag } from '../../../ui/badge/badge.tsx'
import { Button, IconButton } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Icon } from '../../../ui/icon/icon.tsx'
import { Menu } from '../../../ui/popover/menu.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type CaseItem, useRefreshCase } from '../queries.ts'
import { Problem } from '../problem.tsx'
import { holds } from '../rights.ts'
import styles from './board.module.css'
import { whenOf } from './columns.tsx'
import { type CaseQuery, STATES } from './search.ts'
import { useCases } from './use-cases.ts'

/** Cases side by side by their state. Moving one is closing or opening it again, with a way back. */
export function Board({ query }: { readonly query: CaseQuery }) {
  return (
    <div className={styles['board']} data-board>
      {STATES.map((state) => (
        <Lane key={state} state={state} query={query} />
      ))}
    </div>
  )
}

function Lane({ state, query }: { readonly state: (typeof STATES)[number]; readonly query: CaseQuery }) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const name = useId()
  const { rows: items, more, busy, onMore, error, retry } = useCases({ ...query, state })
  const count = items?.length ?? 0
  return (
    <section className={styles['lane']} aria-labelledby={name}>
      <h2 id={name} className={styles['head']}>
        <Icon name={state === 'Open' ? 'cases' : 'check'} size="small" />
        {t(state === 'Open' ? 'stateOpen' : 'stateClosed')}
        {items !== null && (
          <span className={styles['count']}>
            {more ? t('orMore', { shown: format.count(count) }) : format.count(count)}
          </span>
        )}
      </h2>
      <div className={styles['scroll']} tabIndex={0} role="group" aria-labelledby={name}>
        {error !== null && <Problem error={error} onRetry={retry} />}
        {items === null && error === null && <Skeleton lines={5} />}
        {items !== null && items.length === 0 && (
          <p className={styles['none']}>{t(state === 'Open' ? 'boardNoneOpen' : 'boardNoneClosed')}</p>
        )}
        <ul className={styles['cards']}>
          {(items ?? []).map((item) => (
            <li key={item.CaseId}>
              <Card item={item} />
            </li>
          ))}
        </ul>
        {more && (
          <Button size="small" busy={busy} onPress={onMore}>
            {t('older')}
          </Button>
        )}
      </div>
    </section>
  )
}

function Card({ item }: { readonly item: CaseItem }) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const when = whenOf(item, t, format)
  const facts = [when, visible(item.LocationText ?? '')].filter((said) => said !== '')
  return (
    <article className={styles['card']}>
      <div className={styles['top']}>
        <Link to="/cases/$caseId" params={{ caseId: item.CaseId }} className={styles['name']}>
          <bdi>{visible(item.Title)}</bdi>
        </Link>
        {holds(item, 'Manage') && <CardMenu item={item} />}
      </div>
      {facts.length > 0 && <p className={styles['facts']}>{facts.join(' · ')}</p>}
      {item.Tags.length > 0 && (
        <ul className={styles['tags']}>
          {item.Tags.slice(0, 3).map((tag) => (
            <li key={tag}>
              <Tag>{visible(tag)}</Tag>
            </li>
          ))}
        </ul>
      )}
      <p className={styles['foot']}>
        <span className="id">{item.Ordinal}</span>
        <span>{t('evidenceCount', { count: item.EvidenceCount, shown: format.count(item.EvidenceCount) })}</span>
        {item.Following && <Icon name="flag" size="small" label={t('following')} />}
        {item.LifecycleState === 'Protected' && (
          <StateMark state="sealed" small>
            {t('stateProtected')}
          </StateMark>
        )}
      </p>
    </article>
  )
}

function CardMenu({ item }: { readonly item: CaseItem }) {
  const { t } = useTranslation('cases')
  const { tenant } = useSession()
  const refresh = useRefreshCase(item.CaseId)
  const params = { tenantId: tenant, caseId: item.CaseId }
  const move = async (to: CaseItem['State'], back: boolean): Promise<void> => {
    await call(to === 'Closed' ? contract.closeCase : contract.reopenCase, { params })
    refresh()
    const undo = (): void => void move(to === 'Closed' ? 'Open' : 'Closed', false).catch(toasts.problem)
    toasts.show({
      text: t(to === 'Closed' ? 'closedToast' : 'reopenedToast', { title: visible(item.Title) }),
      ...(back ? { undo } : {}),
    })
  }
  const open = item.State === 'Open'
  return (
    <Menu
      label={t('more')}
      trigger={
        <IconButton icon="more" size="small" label={t('moreOf', { title: visible(item.Title) })} tooltip={false} />
      }
      sections={[
        {
          items: [
            {
              id: 'move',
              label: t(open ? 'close' : 'reopen'),
              icon: open ? 'check' : 'undo',
              onAction: () => void move(open ? 'Closed' : 'Open', true).catch(toasts.problem),
            },
          ],
        },
      ]}
    />
  )
}
