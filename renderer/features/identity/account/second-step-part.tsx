import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import type { z } from 'zod'
import * as contract from '../../../../shared/identity/account.contract.ts'
import { call } from '../../../client/api.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import styles from './account.module.css'
import { Part } from './part.tsx'
import { ProofForm } from './proof-form.tsx'
import { NewCodes, NewKey } from './secrets.tsx'

/** What goes on at the page. Secrets live here alone and go with it: nothing of them is kept anywhere. */
type Doing =
  | { readonly what: 'nothing' | 'begin' | 'renew' | 'remove' }
  | { readonly what: 'confirm'; readonly secret: string; readonly uri: string }
  | { readonly what: 'codes'; readonly codes: readonly string[] }

const NOTHING: Doing = { what: 'nothing' }

interface Props {
  readonly account: z.output<typeof contract.AccountModel>
  /** Asks the station again. */
  readonly onChanged: () => Promise<void>
}

/** The second step at sign-in, and the codes for when the phone is gone. */
export function SecondStepPart({ account, onChanged }: Props) {
  const { t } = useTranslation('account')
  const format = useFormat()
  const [doing, setDoing] = useState<Doing>(NOTHING)
  const then = async (next: Doing): Promise<void> => {
    setDoing(next)
    await onChanged()
  }
  const rest = doing.what === 'nothing'
  return (
    <>
      <Part title={t('stepTitle')}>
        {account.SecondStepSinceUtc === null ? (
          <p className="strong">{t('off')}</p>
        ) : (
          <StateMark state="ok">{t('onSince', { when: format.instant(account.SecondStepSinceUtc) })}</StateMark>
        )}
        <p className={styles['words']}>{t('stepWhat')}</p>
        {rest && !account.SecondStep && (
          <Button icon="lock" onPress={() => setDoing({ what: 'begin' })}>
            {t('turnOn')}
          </Button>
        )}
        {rest && account.SecondStep && (
          <Button kind="danger" onPress={() => setDoing({ what: 'remove' })}>
            {t('turnOff')}
          </Button>
        )}
        <SecondStepForms doing={doing} then={then} />
      </Part>
      {(account.SecondStep || doing.what === 'codes') && (
        <Part title={t('codesTitle')}>
          <p className={styles['words']}>
            {t('codesLeft', { count: account.RecoveryCodesLeft })}. {t('codesWhat')}
          </p>
          {rest && <Button onPress={() => setDoing({ what: 'renew' })}>{t('codesRenew')}</Button>}
          <CodeForms doing={doing} then={then} />
        </Part>
      )}
    </>
  )
}

interface FormsProps {
  readonly doing: Doing
  readonly then: (next: Doing) => Promise<void>
}

function SecondStepForms({ doing, then }: FormsProps) {
  const { t } = useTranslation('account')
  const cancel = (): void => void then(NOTHING)
  switch (doing.what) {
    case 'begin':
      return (
        <ProofForm
          key="begin"
          asks={{ password: true, code: null }}
          act={t('goOn')}
          onCancel={cancel}
          onProof={async ({ Password }) => {
            const { Secret, Uri } = await call(contract.beginSecondStep, { body: { Password } })
            await then({ what: 'confirm', secret: Secret, uri: Uri })
          }}
        />
      )
    case 'confirm':
      return (
        <ProofForm
          key="confirm"
          asks={{ password: false, code: 'new' }}
          act={t('confirm')}
          onCancel={cancel}
          onProof={async ({ Code }) => {
            const { RecoveryCodes } = await call(contract.confirmSecondStep, { body: { Code } })
            await then({ what: 'codes', codes: RecoveryCodes })
          }}
        >
          <NewKey secret={doing.secret} uri={doing.uri} />
        </ProofForm>
      )
    case 'remove':
      return (
        <ProofForm
          key="remove"
          asks={{ password: true, code: 'any' }}
          act={t('turnOff')}
          danger
          onCancel={cancel}
          onProof={async (body) => {
            await call(contract.removeSecondStep, { body })
            toasts.show({ text: t('turnedOff') })
            await then(NOTHING)
          }}
        >
          <p className={styles['words']}>{t('turnOffBody')}</p>
        </ProofForm>
      )
    default:
      return null
  }
}

function CodeForms({ doing, then }: FormsProps) {
  const { t } = useTranslation('account')
  if (doing.what === 'codes') return <NewCodes codes={doing.codes} onKept={() => void then(NOTHING)} />
  if (doing.what !== 'renew') return null
  return (
    <ProofForm
      asks={{ password: true, code: 'any' }}
      act={t('codesRenew')}
      onCancel={() => void then(NOTHING)}
      onProof={async (body) => {
        const { RecoveryCodes } = await call(contract.renewRecoveryCodes, { body })
        await then({ what: 'codes', codes: RecoveryCodes })
      }}
    >
      <p className={styles['words']}>{t('codesRenewBody')}</p>
    </ProofForm>
  )
}
