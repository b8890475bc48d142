import { Link } from '@tanstack/react-router'
import { useCadReasons } from '../../../client/cad-reasons.ts'
import { langOf } from '../../../client/station-sentences.ts'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/dispatch/cad-messages.contract.ts'
import { type Answer, call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Hash } from '../../../ui/hash/hash.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { Panel, Part } from '../editing/panel.tsx'
import { Problem } from '../problem.tsx'
import { usePlace } from '../search-state.ts'
import styles from './cad.module.css'
import { type Message, type Receipt, useMessage, useRefreshCad } from './queries.ts'
import { fieldWords, LOOKS, problemWords, reasonLang, reasonWords, valueWords } from '../cad/labels.ts'

type Whole = Answer<typeof contract.getMessage>

/** One message: what became of it and why, what it changed, and itself as it came. */
export function MessagePanel({ messageId, onClose }: { readonly messageId: string; readonly onClose: () => void }) {
  const { t } = useTranslation('cad')
  const { rows, more, busy, onMore, error, retry } = useMessage(messageId)
  const [message] = rows ?? []
  if (message === undefined)
    return (
      <Panel title={t('message')} onClose={onClose}>
        {error === null ? <Skeleton lines={8} /> : <Problem error={error} onRetry={retry} />}
      </Panel>
    )
  const waits = message.state === 'unreadable' || message.state === 'review'
  return (
    <Panel
      title={message.eventId === null ? t('message') : visible(message.eventId)}
      mark={
        <StateMark state={LOOKS[message.state]} small>
          {t(message.state)}
        </StateMark>
      }
      onClose={onClose}
      foot={waits ? <Again message={message} /> : undefined}
    >
      {error !== null && <Problem error={error} onRetry={retry} />}
      <Became message={message} />
      {!waits && <ReceiptPart receipt={message.receipt} applied={message.state === 'applied'} />}
      <Facts message={message} />
      <Raw
        text={(rows ?? []).map(({ body }) => body).join('')}
        whole={message.bodyCharacters}
        busy={busy}
        onMore={more ? onMore : null}
      />
    </Panel>
  )
}

function Became({ message }: { readonly message: Whole }) {
  const { t } = useTranslation('cad')
  const { change } = usePlace()
  const say = useCadReasons()
  const { state, problems, caseId } = message
  const waits = state === 'unreadable' || state === 'review'
  return (
    <>
      <Note
        state={waits ? LOOKS[state] : undefined}
        title={<span lang={reasonLang(message, say)}>{reasonWords(message, t, say)}</span>}
      >
        {waits && t(state === 'unreadable' ? 'doUnreadable' : 'doReview')}
      </Note>
      {state === 'unreadable' && (
        <div>
          <Button
            size="small"
            icon="settings"
            onPress={() => change({ view: 'mapping', open: undefined, q: message.messageId })}
          >
            {t('changeReading')}
          </Button>
        </div>
      )}
      {problems.length > 0 && (
        <Part title={t(state === 'unreadable' ? 'reason' : 'notes')}>
          <ul className={styles['problems']}>
            {problems.map((one, at) => (
              <li key={at}>
                <bdi lang={langOf(say(one.message), one.message)}>{problemWords(one, say)}</bdi>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {caseId !== null && (
        <p>
          <Link to="/cases/$caseId" params={{ caseId }}>
            {t('openCase')}
          </Link>
        </p>
      )}
    </>
  )
}

/** What stands in the case since then, field by field. */
function ReceiptPart({ receipt, applied }: { readonly receipt: Receipt | null; readonly applied: boolean }) {
  const { t } = useTranslation('cad')
  const format = useFormat()
  const changes = receipt?.changes ?? []
  const left = receipt?.left ?? []
  return (
    <Part title={t('receipt')}>
      {changes.length === 0 && (
        <p className="muted">{t(!applied ? 'receiptNone' : receipt === null ? 'receiptUnknown' : 'receiptSame')}</p>
      )}
      {changes.length > 0 && (
        <dl className={styles['changes']}>
          {changes.map(({ field, before, after }) => (
            <div key={field}>
              <dt>
                <bdi>{fieldWords(field, t)}</bdi>
              </dt>
              <dd>
                {before !== null && (
                  <del>
                    <span className="unseen">{t('before')}: </span>
                    <bdi>{valueWords(field, before, format)}</bdi>
                  </del>
                )}
                {after !== null && (
                  <ins>
                    <span className="unseen">{t('after')}: </span>
                    <bdi>{valueWords(field, after, format)}</bdi>
                  </ins>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {left.length > 0 && (
        <p className="small">
          {t('leftAlone')}: <bdi>{left.map((field) => fieldWords(field, t)).join(', ')}</bdi>
        </p>
      )}
    </Part>
  )
}

function Facts({ message }: { readonly message: Whole }) {
  const { t } = useTranslation('cad')
  const format = useFormat()
  const tried = { count: message.attempts, shown: format.count(message.attempts) }
  return (
    <Part title={t('facts')}>
      <dl className={styles['facts']}>
        <dt>{t('received')}</dt>
        <dd>{format.instant(message.receivedUtc, { zone: true })}</dd>
        <dt>{t('sentBy')}</dt>
        <dd>
          <bdi>{visible(message.sentBy.name)}</bdi>
        </dd>
        {message.transactionId !== null && (
          <>
            <dt>{t('transaction')}</dt>
            <dd>
              <bdi>{visible(message.transactionId)}</bdi>
            </dd>
          </>
        )}
        <dt>{t('attempts')}</dt>
        <dd>{t('triedTimes', { ...tried, time: format.relative(message.triedUtc) })}</dd>
        <dt>{t('fingerprint')}</dt>
        <dd>
          <Hash value={message.sha256} of={t('fingerprint')} />
        </dd>
      </dl>
    </Part>
  )
}

interface RawProps {
  readonly text: string
  /** In characters. */
  readonly whole: number
  readonly busy: boolean
  readonly onMore: (() => void) | null
}

/** Text and nothing else, whatever stands in it. */
function Raw({ text, whole, busy, onMore }: RawProps) {
  const { t } = useTranslation('cad')
  const format = useFormat()
  return (
    <Part title={t('raw')}>
      <p className="small muted">{t('rawHow')}</p>
      <pre className={styles['raw']} dir="ltr" tabIndex={0} role="group" aria-label={t('raw')}>
        {visible(text)}
      </pre>
      {onMore !== null && (
        <div className={styles['line']}>
          <Button size="small" busy={busy} onPress={onMore}>
            {t('rawMore')}
          </Button>
          <span className="small muted">
            {t('rawPart', { shown: format.count(text.length), whole: format.count(whole) })}
          </span>
        </div>
      )}
    </Part>
  )
}

function Again({ message }: { readonly message: Message }) {
  const { t } = useTranslation('cad')
  const { tenant } = useSession()
  const refresh = useRefreshCad()
  const { busy, error, run } = useAct()
  const again = async (): Promise<void> => {
    const now = await call(contract.retryMessage, { params: { tenantId: tenant, messageId: message.messageId } })
    refresh()
    const still = now.state === 'unreadable' || now.state === 'review'
    toasts.show({
      text: still
        ? t('stillNot', { reason: visible(now.reason ?? '') })
        : now.state === 'applied'
          ? t('nowApplied')
          : t('nowSettled', { state: t(now.state) }),
    })
  }
  return (
    <>
      {error !== null && <Problem error={error} title={t('tryFailed')} />}
      <Button kind="main" icon="retry" busy={busy} onPress={() => run(again)}>
        {t('tryAgain')}
      </Button>
    </>
  )
}
