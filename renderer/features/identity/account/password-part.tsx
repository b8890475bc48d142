import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import styles from './account.module.css'
import { Part } from './part.tsx'
import { PasswordForm } from './password-form.tsx'

/** One's own password, changed by whoever knows it. */
export function PasswordPart() {
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
