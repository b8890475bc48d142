/** What somebody without an account opens (docs/decisions/0037): the code first, then what the link holds. It has nothing of the station's frame. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import * as contract from '../../../../shared/share-links/contract.ts'
import { call, Fault } from '../../../client/api.ts'
import { Brand, Choices } from '../../../client/outside.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { FormatProvider } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import styles from './guest.module.css'
import { Held } from './held.tsx'
import { forgetOpened, isOpened, keepOpened, tokenInAddress } from './opened.ts'

const LINK = ['guest-link'] as const
/** While copies are made. */
const LOOKS_AGAIN_MS = 3_000

type Face = 'code' | 'held' | 'closed'

export default function GuestPage() {
  const { t } = useTranslation('guestLink')
  const token = tokenInAddress()
  const queries = useQueryClient()
  // The cookie may be that of another link, which this address must not show.
  const [face, setFace] = useState<Face>(() => (token !== null && isOpened(token) ? 'held' : 'code'))
  useEffect(() => {
    document.title = `${t('title')} · Sallyport`
  }, [t])
  useEffect(() => {
    const reload = (): void => window.location.reload()
    window.addEventListener('hashchange', reload)
    return () => window.removeEventListener('hashchange', reload)
  }, [])
  const close = async (): Promise<void> => {
    await call(contract.endGuestSession, {}).catch(() => {})
    forgetOpened()
    queries.removeQueries({ queryKey: LINK })
    setFace('closed')
  }
  return (
    <div className={styles['page']}>
      <header className={styles['top']}>
        <Brand />
        <Choices />
      </header>
      <main className={styles['main']}>
        {token === null ? (
          <EmptyState title={t('noToken')}>{t('noTokenBody')}</EmptyState>
        ) : face === 'closed' ? (
          <EmptyState title={t('closed')} action={<Button onPress={() => setFace('code')}>{t('codeTitle')}</Button>}>
            {t('closedBody')}
          </EmptyState>
        ) : face === 'code' ? (
          <CodeForm
            token={token}
            onOpen={(link) => {
              keepOpened(token)
              queries.setQueryData(LINK, link)
              setFace('held')
            }}
          />
        ) : (
          <Opened onClose={() => void close()} onOver={() => setFace('code')} />
        )}
      </main>
    </div>
  )
}

type GuestLink = Awaited<ReturnType<typeof call<typeof contract.getGuestLink>>>

function Opened({ onClose, onOver }: { readonly onClose: () => void; readonly onOver: () => void }) {
  const { t, language } = useTranslation('guestLink')
  const { data, error, refetch } = useQuery({
    queryKey: LINK,
    queryFn: ({ signal }) => call(contract.getGuestLink, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.Items.some(({ Copy }) => Copy === 'making') === true ? LOOKS_AGAIN_MS : 60_000,
  })
  const isOver = error instanceof Fault && error.code === 'Unauthorized'
  useEffect(() => {
    if (!isOver) return
    forgetOpened()
    onOver()
  }, [isOver, onOver])
  if (error !== null && data === undefined)
    return (
      <Note state="attention" title={t('failed')} action={<Button onPress={() => void refetch()}>{t('again')}</Button>}>
        {t('failedBody')}
      </Note>
    )
  if (data === undefined) return <Skeleton lines={10} />
  return (
    <FormatProvider locale={language} zone={data.TimeZone}>
      <Held link={data} onClose={onClose} />
    </FormatProvider>
  )
}

interface CodeFormProps {
  readonly token: string
  readonly onOpen: (link: GuestLink) => void
}

function CodeForm({ token, onOpen }: CodeFormProps) {
  const { t } = useTranslation('guestLink')
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>(null)
  const send = async (): Promise<void> => {
    setBusy(true)
    setRefusal(null)
    try {
      onOpen(await call(contract.openShareLink, { body: { Token: token, Code: code } }))
    } catch (error) {
      setRefusal(error)
      setCode('')
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className={styles['code']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (code.trim() !== '' && !busy) void send()
      }}
    >
      <h1 className={styles['title']}>{t('codeTitle')}</h1>
      <p>{t('codeLead')}</p>
      <div aria-live="assertive">{refusal !== null && <Refusal error={refusal} />}</div>
      <TextField
        label={t('code')}
        description={t('codeWhat')}
        value={code}
        onChange={setCode}
        type="tel"
        autoComplete="one-time-code"
        autoFocus
      />
      <Button kind="main" size="large" type="submit" busy={busy}>
        {t('open')}
      </Button>
      <p className={styles['second']}>
        {t('recorded')} {t('wrongLimit')}
      </p>
    </form>
  )
}

function Refusal({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('guestLink')
  const code = error instanceof Fault ? error.code : null
  if (code === 'ShareLinkRefused' || code === 'InvalidModel')
    return (
      <Note state="attention" title={t('refused')}>
        {t('refusedBody')}
      </Note>
    )
  if (code === 'ShareLinkEnded')
    return (
      <Note state="attention" title={t('ended')}>
        {t('endedBody')}
      </Note>
    )
  if (error instanceof Fault && error.retryAfter !== undefined)
    return <Note state="attention" title={t('wait', { seconds: error.retryAfter })} />
  return (
    <Note state="attention" title={t('failed')}>
      {t('failedBody')}
    </Note>
  )
}
