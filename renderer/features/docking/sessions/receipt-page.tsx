import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useDockReasons } from '../../../client/dock-reasons.ts'
import { useTranslation } from '../../../client/translate.ts'
import { DockReceipt, receiptAddress, receiptCommands } from '../../../../shared/docking/receipt.contract.ts'
import * as contract from '../../../../shared/docking/contract.ts'
import {
  commonReason,
  factsOf,
  outcomeOf,
  recordedWords,
  type ReceiptWords,
  verdictOf,
} from '../../../../shared/docking/receipt-text.ts'
import { addressOf } from '../../../client/api.ts'
import { useMay } from '../../../client/rights.ts'
import { useSession } from '../../../client/session.tsx'
import { useStation } from '../../../client/station.ts'
import { Button, LinkButton } from '../../../ui/button/button.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Note } from '../../../ui/note/note.tsx'
import '../../../ui/paper/paper.css'
import { Problem } from '../../../ui/problem/problem.tsx'
import { QrCode } from '../../../ui/qr/qr.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import { type Detail, useDockSession } from './queries.ts'
import styles from './receipt.module.css'

const PARTS = [
  ['receipt.json', 'partBody'],
  ['receipt.sig', 'partSignature'],
  ['key.pem', 'partKey'],
] as const

/** One page that says what was on a camera and what became of it; it prints as it stands. What it shows is receipt.json, as it was signed. */
export function DockReceiptPage({ dockSessionId: id }: { readonly dockSessionId: string }) {
  const { t } = useTranslation('dockReceipt')
  const { t: dock } = useTranslation('dockSessions')
  const may = useMay('ManageDevices')
  const { data: session, error, refetch } = useDockSession(id, may)
  const ready = session !== undefined && session.ReceiptSha256 !== null
  const receipt = useReceipt(id, ready)
  useEffect(() => {
    document.title = `${t('titleOf', { id })} · Sallyport`
  }, [t, id])
  const wrong = error ?? receipt.error
  return (
    <div className={styles['page']}>
      {!may ? (
        <EmptyState title={dock('barredTitle')}>{dock('barredBody')}</EmptyState>
      ) : wrong !== null ? (
        <Problem
          error={wrong}
          onRetry={() => {
            void refetch()
            void receipt.refetch()
          }}
        />
      ) : session !== undefined && !ready ? (
        <EmptyState title={t('notYetTitle')}>
          {t('notYetBody')}{' '}
          <Link to="/dock/sessions/$dockSessionId" params={{ dockSessionId: id }} className={styles['link']}>
            {t('backToSession')}
          </Link>
        </EmptyState>
      ) : session === undefined || receipt.data === undefined ? (
        <Skeleton lines={12} />
      ) : (
        <>
          <Tools id={id} />
          <Paper signed={receipt.data} session={session} />
        </>
      )}
    </div>
  )
}

interface Signed {
  readonly receipt: DockReceipt
  /** Base64. */
  readonly signature: string
  readonly key: string
}

/** Read as it was signed, with the signature and the key; each reading is an entry of the ledger. */
function useReceipt(id: string, ready: boolean) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['dock', 'receipt', tenant, id],
    enabled: ready,
    // It never changes.
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<Signed> => {
      const part = async (name: (typeof PARTS)[number][0]): Promise<Uint8Array<ArrayBuffer>> => {
        const params = { tenantId: tenant, dockSessionId: id, part: name }
        const address = addressOf(contract.getDockReceiptPart, { params, query: {} })
        const reply = await fetch(address, { signal, credentials: 'same-origin', cache: 'no-store' })
        if (!reply.ok) throw new Error(`The station answered ${reply.status}.`)
        return new Uint8Array(await reply.arrayBuffer())
      }
      const text = (bytes: Uint8Array<ArrayBuffer>): string => new TextDecoder().decode(bytes)
      return {
        receipt: DockReceipt.parse(JSON.parse(text(await part('receipt.json')))),
        signature: btoa(String.fromCharCode(...(await part('receipt.sig')))),
        key: text(await part('key.pem')).replaceAll(/-----[^-]+-----|\s/g, ''),
      }
    },
  })
}

function Tools({ id }: { readonly id: string }) {
  const { t, language } = useTranslation('dockReceipt')
  const { tenant } = useSession()
  const params = { tenantId: tenant, dockSessionId: id }
  return (
    <div className={styles['tools']} data-tools>
      <Link to="/dock/sessions/$dockSessionId" params={{ dockSessionId: id }} className={styles['link']}>
        {t('backToSession')}
      </Link>
      <span className={styles['parts']}>
        {PARTS.map(([part, words]) => (
          <LinkButton
            key={part}
            icon="download"
            size="small"
            kind="quiet"
            download={`${id}-${part}`}
            href={addressOf(contract.getDockReceiptPart, { params: { ...params, part }, query: {} })}
          >
            {t(words)}
          </LinkButton>
        ))}
        {(['a4', 'letter'] as const).map((paper) => (
          <LinkButton
            key={paper}
            icon="document"
            size="small"
            download={`${id}-receipt.pdf`}
            href={addressOf(contract.getDockReceiptPart, {
              params: { ...params, part: 'receipt.pdf' },
              query: { language, paper },
            })}
          >
            {t('pdf')} {t(paper)}
          </LinkButton>
        ))}
        <Button kind="main" icon="print" size="small" onPress={() => window.print()}>
          {t('print')}
        </Button>
      </span>
    </div>
  )
}

interface PaperProps {
  readonly receipt: DockReceipt
  readonly session: Detail
}

interface SignedProps extends Omit<PaperProps, 'receipt'> {
  readonly signed: Signed
}

/** Words and figures as this page's reader has them. */
function useReceiptWords(): ReceiptWords {
  const { t, language } = useTranslation('dockReceipt')
  const format = useFormat()
  const tell = useDockReasons()
  return useMemo(
    () => ({
      language,
      say: (word, values = {}) => {
        const { count } = values
        const all = typeof count === 'number' ? { ...values, shown: format.count(count) } : values
        return String(t(word as 'title', all))
      },
      bytes: format.bytes,
      count: format.count,
      time: (utc) => (utc === null ? '–' : format.instant(utc, { precision: 'second', zone: true })),
      length: (millis) => format.duration(Math.abs(millis) / 1000),
      tell,
    }),
    [t, language, tell, format],
  )
}

function Paper({ signed, session }: SignedProps) {
  const { receipt } = signed
  const words = useReceiptWords()
  const { say } = words
  const stayed = commonReason(receipt)
  const safe = receipt.totals.failed === 0 && receipt.totals.differs === 0
  return (
    <>
      <Compared session={session} words={words} />
      <article className={styles['paper']} data-paper aria-label={say('titleOf', { id: receipt.dockSessionId })}>
        <Head receipt={receipt} session={session} words={words} safe={safe} />
        <dl className={styles['facts']}>
          {factsOf(receipt, stayed, words).map(([label, text]) => (
            <div key={label}>
              <dt>{say(label)}</dt>
              <dd>{visible(text)}</dd>
            </div>
          ))}
        </dl>
        {receipt.recordings.length > 0 && <Recordings receipt={receipt} words={words} />}
        {receipt.files.length > 0 && <Files receipt={receipt} stayed={stayed} words={words} />}
        <Proof signed={signed} session={session} words={words} />
      </article>
    </>
  )
}

/** Whoever comes by the picture on the paper is told first whether the paper says what the station signed. */
function Compared({ session, words: { say } }: { readonly session: Detail; readonly words: ReceiptWords }) {
  const { sha256 } = useSearch({ from: '/dock/sessions/$dockSessionId/receipt' })
  if (sha256 === undefined) return null
  const same = sha256.toLowerCase() === session.ReceiptSha256
  return (
    <div data-tools>
      <Note state={same ? 'ok' : 'danger'} title={say(same ? 'paperSame' : 'paperOther')}>
        {same ? say('paperSameBody', { seq: String(session.ReceiptLedgerSeq ?? '–') }) : say('paperOtherBody')}
      </Note>
    </div>
  )
}

interface HeadProps extends PaperProps {
  readonly words: ReceiptWords
  readonly safe: boolean
}

function Head({ receipt, session, words, safe }: HeadProps) {
  const { say, count, bytes } = words
  const station = useStation()
  const { totals } = receipt
  const figures = [
    [say('onCamera'), count(totals.files), ''],
    [say('taken'), count(totals.taken), bytes(totals.bytesTaken)],
    [say('hereAlready'), count(totals.hereAlready), ''],
    [say('foreign'), count(totals.foreign), ''],
    [say('notTaken'), count(totals.failed), ''],
    [say('cleared'), count(totals.cleared), ''],
    ...(totals.differs === 0 ? [] : [[say('differs'), count(totals.differs), ''] as const]),
  ] as const
  const address = receiptAddress(window.location.origin, {
    id: receipt.dockSessionId,
    entry: session.ReceiptLedgerSeq,
    sha256: session.ReceiptSha256 ?? '',
  })
  return (
    <header className={styles['head']}>
      <div className={styles['said']}>
        <h1 className={styles['title']}>{say('title')}</h1>
        <p className={styles['second']}>
          {[station?.Name, say('session', { id: receipt.dockSessionId }), words.time(receipt.releasedUtc)]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <p className={styles['verdict']}>
          <StateMark state={safe ? 'ok' : 'attention'} wraps>
            {verdictOf(receipt, words)}
          </StateMark>
        </p>
        <dl className={styles['figures']}>
          {figures.map(([label, figure, more]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                {figure}
                {more !== '' && <small> {more}</small>}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <figure className={styles['code']}>
        <QrCode text={address} label={say('scan')} />
        <figcaption>{say('scan')}</figcaption>
      </figure>
    </header>
  )
}

function Recordings({ receipt, words }: { readonly receipt: DockReceipt; readonly words: ReceiptWords }) {
  const { say, time } = words
  return (
    <section className={styles['part']}>
      <h2>{say('recordings')}</h2>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">{say('recording')}</th>
            <th scope="col">{say('start')}</th>
            <th scope="col">{say('end')}</th>
            <th scope="col">{say('officer')}</th>
            <th scope="col">{say('evidence')}</th>
          </tr>
        </thead>
        <tbody>
          {receipt.recordings.map((one, at) => (
            <tr key={`${at} ${one.name}`}>
              <td>
                <bdi>{visible(one.name)}</bdi>
              </td>
              <td>
                {time(one.correctedStartUtc)}
                <small className={styles['recorded']}>{recordedWords(one, words)}</small>
              </td>
              <td>{time(one.correctedEndUtc)}</td>
              <td>
                <bdi>{visible(one.officer?.Username ?? '–')}</bdi>
              </td>
              <td>
                {one.evidenceId === null ? (
                  '–'
                ) : (
                  <Link to="/evidence/$evidenceId" params={{ evidenceId: one.evidenceId }} className={styles['link']}>
                    {one.evidenceId}
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** More rows would hold the page up: the rest stands in receipt.json, and the page says so. */
const MOST_FILES = 2_000

interface FilesProps {
  readonly receipt: DockReceipt
  readonly stayed: string | null
  readonly words: ReceiptWords
}

function Files({ receipt, stayed, words }: FilesProps) {
  const { say, bytes } = words
  const more = receipt.files.length - MOST_FILES
  return (
    <section className={styles['part']}>
      <h2>{say('fileList')}</h2>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">{say('file')}</th>
            <th scope="col" data-end>
              {say('size')}
            </th>
            <th scope="col">{say('outcome')}</th>
            <th scope="col">{say('sha256')}</th>
          </tr>
        </thead>
        <tbody>
          {receipt.files.slice(0, MOST_FILES).map((file, at) => {
            const { outcome, reason } = outcomeOf(file, stayed, words)
            const lost = file.outcome === 'failed' || file.outcome === 'gone'
            return (
              <tr key={`${at} ${file.path}`}>
                <td className={styles['path']}>
                  <bdi>{visible(file.path)}</bdi>
                </td>
                <td data-end>{bytes(file.bytes)}</td>
                <td>
                  {lost ? (
                    <StateMark state="attention" small>
                      {outcome}
                    </StateMark>
                  ) : (
                    outcome
                  )}
                  {reason !== '' && <small> {visible(reason)}</small>}
                </td>
                <td className={styles['hash']}>{file.sha256 ?? '–'}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {more > 0 && <p className={styles['second']}>{say('moreFiles', { count: more })}</p>}
    </section>
  )
}

function Proof({ signed, session, words: { say } }: SignedProps & { readonly words: ReceiptWords }) {
  const { receipt, signature, key } = signed
  const facts = [
    [say('receiptHash'), session.ReceiptSha256 ?? '–'],
    [say('signature'), signature],
    [say('key'), key],
    [say('head'), `${say('entryOf', { seq: String(receipt.ledgerHead.seq) })} ${receipt.ledgerHead.hash}`],
    [say('station'), receipt.station],
  ] as const
  return (
    <section className={styles['proof']}>
      <h2>{say('check')}</h2>
      <p>
        {say('checkBody', { seq: String(session.ReceiptLedgerSeq ?? '–') })} {say('checkFiles')}
      </p>
      <pre className={styles['command']} tabIndex={0}>
        {receiptCommands(receipt.dockSessionId).join('\n')}
      </pre>
      <dl className={styles['hashes']}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
