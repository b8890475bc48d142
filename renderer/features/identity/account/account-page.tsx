import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import * as contract from '../../../../shared/identity/account.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import styles from './account.module.css'
import { NoticesPart } from './notices-part.tsx'
import { Part } from './part.tsx'
import { PasskeysPart } from './passkeys-part.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProgramsPart } from './programs-part.tsx'
import { SecondStepPart } from './second-step-part.tsx'
import { SessionsPart } from './sessions-part.tsx'

const ACCOUNT = ['account', 'own'] as const

/** One's own account: how one comes in, where one is, and who works in one's name (decisions 9 and 10). */
export function AccountPage() {
  const { t } = useTranslation('account')
  const format = useFormat()
  const { session } = useSession()
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ACCOUNT,
    queryFn: ({ signal }) => call(contract.getAccount, { signal }),
  })
  useEffect(() => {
    document.title = `${t('title')} · Sallyport`
  }, [t])
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ACCOUNT })
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1 className={styles['title']}>{t('title')}</h1>
        <p className={styles['words']}>
          {[...new Set(session.User === null ? [] : [format.person(session.User), session.User.Username])].join(' · ')}
        </p>
      </header>
      {error !== null && (
        <Note state="attention" title={t('refused')}>
          {error.message}
        </Note>
      )}
      {data !== undefined && (
        <div className={styles['columns']}>
          <div className={styles['column']}>
            <SecondStepPart account={data} onChanged={refresh} />
            <PasskeysPart secondStep={data.SecondStep} />
          </div>
          <div className={styles['column']}>
            <PasswordPart />
            <NoticesPart />
            <SessionsPart />
            <ProgramsPart />
          </div>
        </div>
      )}
    </div>
  )
}

/** One's own password, changed by whoever knows it. */
function PasswordPart() {
  const { t } = useTranslation('account')
  const queries = useQueryClient()
  const [changing, setChanging] = useState(false)
  const done = async (): Promise<void> => {
    setChanging(false)
    toasts.show({ text: t('passwordChanged') })
    await queries.invalidateQueries({ queryKey: ['account'] })
  }
  return (
    <Part title={t('passwordTitle')}>
      <p className={styles['words']}>{t('passwordWhat')}</p>
      {changing ? (
        <PasswordForm onChanged={done} onCancel={() => setChanging(false)} />
      ) : (
        <Button icon="key" onPress={() => setChanging(true)}>
          {t('passwordChange')}
        </Button>
      )}
    </Part>
  )
}
