import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import * as contract from '../../../shared/share-links/contract.ts'
import type { ShareLinkState } from '../../../shared/share-links/rules.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { saidOf, type ShareLink, useShareLinksChanged } from '../../client/share-links/share-links.ts'
import { useTranslation } from '../../client/translate.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { Button } from '../../ui/button/button.tsx'
import { TextField } from '../../ui/field/field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Problem } from '../../ui/problem/problem.tsx'
import { type State, StateMark } from '../../ui/state/state.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { LinkLog } from './link-log.tsx'
import styles from './links.module.css'

const MARKS: Readonly<Record<ShareLinkState, State>> = {
  open: 'ok',
  expired: 'waiting',
  locked: 'danger',
  recalled: 'waiting',
}
const STATE_WORDS = {
  open: 'stateOpen',
  expired: 'stateExpired',
  locked: 'stateLocked',
  recalled: 'stateRecalled',
} as const

/** One link: for whom, how it stands, what it holds, who opened it, and its recall. */
export function LinkRow({ link }: { readonly link: ShareLink }) {
  const { t } = useTranslation('shareLinks')
  const format = useFormat()
  const [isLogShown, showLog] = useState(false)
  const [isRecalling, recall] = useState(false)
  const [isRenewing, renew] = useState(false)
  const { session } = useSession()
  // A link works by the rights of its maker: nobody else lets anybody in by it.
  const mayRenew =
    (link.State === 'open' || link.State === 'locked') && link.MadeBy.PrincipalId === session.User?.PrincipalId
  const title = `link-${link.LinkId}`
  const log = `link-log-${link.LinkId}`
  const { Recipient, OpenedCount, LastOpenedTimeUtc } = link
  const time = (at: string) => format.instant(at, { precision: 'minute' })
  return (
    <li className={styles['link']} aria-labelledby={title}>
      <div className={styles['about']}>
        <h2 id={title} className={styles['name']}>
          <bdi>
            {[Recipient.Name, Recipient.Organisation]
              .filter((one) => one !== '')
              .map(visible)
              .join(', ')}
          </bdi>
        </h2>
        <p>
          {t('number', { id: link.LinkId })} · {t(link.Mode)} · {t('until', { time: time(link.ExpiresTimeUtc) })}
        </p>
        <Evidence link={link} />
        <p className={styles['second']}>
          <bdi>{t('madeBy', { name: visible(link.MadeBy.Username), time: time(link.MadeTimeUtc) })}</bdi>
        </p>
        {link.Note !== '' && <p className={styles['second']}>{visible(link.Note)}</p>}
      </div>
      <div className={styles['standing']}>
        <StateMark state={MARKS[link.State]}>{t(STATE_WORDS[link.State])}</StateMark>
        <p>
          {OpenedCount === 0 || LastOpenedTimeUtc === null
            ? t('neverOpened')
            : t('opened', { count: OpenedCount, shown: format.count(OpenedCount), time: time(LastOpenedTimeUtc) })}
        </p>
        <Copies link={link} />
        <div className={styles['acts']}>
          <Button size="small" aria-expanded={isLogShown} aria-controls={log} onPress={() => showLog(!isLogShown)}>
            {t(isLogShown ? 'hideLog' : 'showLog')}
          </Button>
          {mayRenew && (
            <Button size="small" onPress={() => renew(true)}>
              {t('renew')}
            </Button>
          )}
          {link.State === 'open' && (
            <Button size="small" kind="danger" onPress={() => recall(true)}>
              {t('recall')}
            </Button>
          )}
        </div>
      </div>
      {isLogShown && (
        <div id={log} className={styles['whole']}>
          <LinkLog linkId={link.LinkId} />
        </div>
      )}
      {isRecalling && <RecallDialog link={link} onClose={() => recall(false)} />}
      {isRenewing && <CodeDialog link={link} onClose={() => renew(false)} />}
    </li>
  )
}

const MOST_NAMED = 3

function Evidence({ link: { Evidence: seen, EvidenceCount } }: { readonly link: ShareLink }) {
  const { t } = useTranslation('shareLinks')
  const format = useFormat()
  const unseen = EvidenceCount - seen.length
  return (
    <p>
      {t('items', { count: EvidenceCount, shown: format.count(EvidenceCount) })}
      {seen.slice(0, MOST_NAMED).map(({ EvidenceId, Name }, at) => (
        <span key={EvidenceId}>
          {at === 0 ? ': ' : ', '}
          <Link to="/evidence/$evidenceId" params={{ evidenceId: EvidenceId }}>
            <bdi>{visible(Name)}</bdi>
          </Link>
        </span>
      ))}
      {seen.length > MOST_NAMED && ', …'}
      {unseen > 0 && ` ${t('unseen', { count: unseen, shown: format.count(unseen) })}`}
    </p>
  )
}

function Copies({ link: { Copies: copies, State: state } }: { readonly link: ShareLink }) {
  const { t } = useTranslation('shareLinks')
  const format = useFormat()
  if (state !== 'open') return null
  return (
    <>
      {copies.Making > 0 && (
        <StateMark state="working" small>
          {t('making', { count: copies.Making, shown: format.count(copies.Making) })}
        </StateMark>
      )}
      {copies.Failed > 0 && (
        <StateMark state="attention" small>
          {t('failed', { count: copies.Failed, shown: format.count(copies.Failed) })}
        </StateMark>
      )}
    </>
  )
}

function RecallDialog({ link, onClose }: { readonly link: ShareLink; readonly onClose: () => void }) {
  const { t } = useTranslation('shareLinks')
  const { tenant } = useSession()
  const changed = useShareLinksChanged()
  const [reason, setReason] = useState('')
  const { LinkId: id } = link
  const recall = async (): Promise<void> => {
    await call(contract.recallShareLink, { params: { tenantId: tenant, linkId: id }, body: { Reason: reason } })
    changed()
    toasts.show({ text: t('recalled', { id }) })
  }
  return (
    <ActDialog
      title={t('recallTitle', { id, name: visible(link.Recipient.Name) })}
      lead={t('recallLead')}
      act={t('recallAct')}
      failed={t('notRecalled')}
      danger
      problem={(error) => {
        const said = saidOf(error)
        return <Problem error={error} title={t('notRecalled')} {...(said === null ? {} : { said: t(said) })} />
      }}
      onAct={recall}
      onClose={onClose}
    >
      <TextField label={t('reason')} value={reason} onChange={setReason} maxLength={2000} />
    </ActDialog>
  )
}
