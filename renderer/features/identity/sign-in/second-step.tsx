import { useState } from 'react'
import { LONGEST_CODE } from '../../../../shared/identity/sign-in.ts'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Note } from '../../../ui/note/note.tsx'
import styles from './door.module.css'

interface Props {
  readonly busy: boolean
  readonly refusal: string | null
  readonly onCode: (code: string) => void
  readonly onBack: () => void
}

/** After the password, of whoever has a second step: the code of the moment, or one of those kept for a lost phone. */
export function SecondStep({ busy, refusal, onCode, onBack }: Props) {
  const { t } = useTranslation('signIn')
  const [recovery, setRecovery] = useState(false)
  const [code, setCode] = useState('')
  const [tried, setTried] = useState(false)
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (code === '' || busy) return
        setCode('')
        setTried(false)
        onCode(code)
      }}
      noValidate
    >
      <div>
        <h1 className={styles['heading']}>{t('stepTitle')}</h1>
        <p className={styles['sub']}>{t(recovery ? 'stepLeadRecovery' : 'stepLead')}</p>
      </div>
      <div aria-live="assertive">
        {refusal !== null && (
          <Note state="attention" title={refusal}>
            {t('lockRule')}
          </Note>
        )}
      </div>
      <TextField
        key={recovery ? 'recovery' : 'code'}
        label={t(recovery ? 'recoveryCode' : 'code')}
        name="code"
        autoComplete={recovery ? 'off' : 'one-time-code'}
        value={code}
        onChange={setCode}
        spellCheck={false}
        maxLength={LONGEST_CODE}
        autoFocus
        required
        error={tried && code === '' ? t('needed') : undefined}
      />
      <Button kind="main" type="submit" busy={busy}>
        {t('stepButton')}
      </Button>
      <Button
        kind="quiet"
        onPress={() => {
          setRecovery(!recovery)
          setCode('')
        }}
      >
        {t(recovery ? 'useCode' : 'useRecovery')}
      </Button>
      <Button kind="quiet" onPress={onBack}>
        {t('backToPassword')}
      </Button>
      <p className="small muted">{t('noPhone')}</p>
    </form>
  )
}
