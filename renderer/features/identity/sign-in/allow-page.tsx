import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/identity/authorization.contract.ts'
import { call } from '../../../client/api.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import styles from './allow.module.css'
import { refusalOf } from './refusal.ts'

const requested = (): string => new URLSearchParams(window.location.search).get('request') ?? ''

/**
 * A program asks to work in somebody's name (decisions 9). Asked each time: what the program says it is, nothing proves, so a person has
 * to know that they have just started it (RFC 8252 8.6).
 */
export function AllowPage() {
  const { t } = useTranslation('signIn')
  const format = useFormat()
  const [request] = useState(requested)
  const [deciding, setDeciding] = useState<boolean | null>(null)
  const [done, setDone] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { data, error } = useQuery({
    queryKey: ['authorization', request],
    queryFn: ({ signal }) => call(contract.getAuthorization, { query: { request }, signal }),
    enabled: request !== '',
  })
  const name = data?.Client.Name ?? ''
  const title = data === undefined ? t('allowRefused') : t('allowTitle', { name })
  useEffect(() => {
    document.title = `${title} · Sallyport`
  }, [title])
  const decide = async (Allow: boolean): Promise<void> => {
    setDeciding(Allow)
    setRefusal(null)
    try {
      const { RedirectTo } = await call(contract.decideAuthorization, { body: { Request: request, Allow } })
      setDone(true)
      window.location.assign(RedirectTo)
    } catch (failure) {
      setRefusal(refusalOf(failure, t, format.duration))
    } finally {
      setDeciding(null)
    }
  }
  if (data === undefined) {
    const problem = request === '' || error !== null
    return (
      <div className={styles['page']}>
        {problem && (
          <Note state="attention" title={t('allowRefused')}>
            {error === null ? null : refusalOf(error, t, format.duration)}
          </Note>
        )}
      </div>
    )
  }
  return (
    <div className={styles['page']}>
      <h1 className={styles['title']}>{title}</h1>
      {done ? (
        <Note state="ok" title={t('allowDone')} />
      ) : (
        <>
          <p>{t('allowLead', { name })}</p>
          <p className="strong">{t('allowUnasked')}</p>
          <p className="small muted">{t('allowReturns', { address: data.ReturnsTo })}</p>
          <div aria-live="assertive">{refusal !== null && <Note state="attention" title={refusal} />}</div>
          <div className={styles['acts']}>
            <Button onPress={() => void decide(false)} busy={deciding === false} autoFocus>
              {t('deny')}
            </Button>
            <Button kind="main" onPress={() => void decide(true)} busy={deciding === true}>
              {t('allow')}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
