import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import type { z } from 'zod'
import * as contract from '../../../../shared/identity/passkeys.contract.ts'
import { call } from '../../../client/api.ts'
import { makePasskey, noPasskeysHere } from '../../../client/passkeys.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import styles from './account.module.css'
import { Part } from './part.tsx'
import { ProofForm } from './proof-form.tsx'

type Passkey = z.output<typeof contract.PasskeyModel>
type Doing = 'nothing' | 'add' | { readonly remove: string }

const PASSKEYS = ['account', 'passkeys'] as const
const WHY = { address: 'passkeyNoAddress', plain: 'passkeyNoPlain', browser: 'passkeyNoBrowser' } as const
const THIS_MACHINE = /^(127\.\d+\.\d+\.\d+|\[::1\])$/

/** Passkeys: both steps at sign-in in one, on a device that one holds. @param secondStep whether a code is asked for beside the password. */
export function PasskeysPart({ secondStep }: { readonly secondStep: boolean }) {
  const { t } = useTranslation('account')
  const queries = useQueryClient()
  const [doing, setDoing] = useState<Doing>('nothing')
  const { data, error } = useQuery({
    queryKey: PASSKEYS,
    queryFn: ({ signal }) => call(contract.listPasskeys, { signal }),
  })
  const then = async (said: string | null): Promise<void> => {
    setDoing('nothing')
    if (said !== null) toasts.show({ text: said })
    await queries.invalidateQueries({ queryKey: PASSKEYS })
  }
  const code = secondStep ? 'any' : null
  return (
    <Part title={t('passkeysTitle')}>
      <p className={styles['words']}>{t('passkeysWhat')}</p>
      {error !== null && (
        <Note state="attention" title={t('refused')}>
          {error.message}
        </Note>
      )}
      {data !== undefined && (
        <>
          <WhyNone none={data.None} />
          {data.Passkeys.length > 0 && (
            <ul className={styles['lines']} aria-label={t('passkeysTitle')}>
              {data.Passkeys.map((passkey) => (
                <PasskeyLine
                  key={passkey.PasskeyId}
                  passkey={passkey}
                  code={code}
                  removing={typeof doing === 'object' && doing.remove === passkey.PasskeyId}
                  onRemove={doing === 'nothing' ? () => setDoing({ remove: passkey.PasskeyId }) : undefined}
                  onDone={(said) => void then(said)}
                />
              ))}
            </ul>
          )}
          {data.None === null && noPasskeysHere() === null && doing === 'nothing' && (
            <Button icon="plus" onPress={() => setDoing('add')}>
              {t('passkeyAdd')}
            </Button>
          )}
          {doing === 'add' && (
            <ProofForm
              asks={{ name: t('passkeyNameHow'), password: true, code }}
              act={t('goOn')}
              onCancel={() => setDoing('nothing')}
              onProof={async ({ Name, ...proof }) => {
                await added(Name, withoutEmpty(proof))
                await then(t('passkeyAdded', { name: Name }))
              }}
            >
              <p className={styles['words']}>{t('passkeyAddHow')}</p>
            </ProofForm>
          )}
        </>
      )}
    </Part>
  )
}

/** What the station and this browser say, in words; nothing where there can be passkeys. */
function WhyNone({ none }: { readonly none: 'address' | 'plain' | null }) {
  const { t } = useTranslation('account')
  const why = none ?? noPasskeysHere()
  if (why === null) return null
  const { hostname, port } = window.location
  const local = why === 'address' && THIS_MACHINE.test(hostname)
  return (
    <Note title={t('passkeyNone')}>
      {t(WHY[why])} {local && t('passkeyLocalhost', { address: `http://localhost${port === '' ? '' : `:${port}`}` })}
    </Note>
  )
}

const withoutEmpty = ({ Password, Code }: { Password: string; Code: string }) => ({
  Password,
  ...(Code === '' ? {} : { Code }),
})

async function added(Name: string, proof: { Password: string; Code?: string }): Promise<void> {
  const { Options } = await call(contract.beginPasskey, { body: proof })
  const Response = (await makePasskey(Options)) as z.input<typeof contract.NewPasskeyResponse>
  await call(contract.registerPasskey, { body: { Name, Response } })
}

interface LineProps {
  readonly passkey: Passkey
  readonly code: 'any' | null
  readonly removing: boolean
  /** Not there while something else goes on. */
  readonly onRemove: (() => void) | undefined
  readonly onDone: (said: string | null) => void
}

function PasskeyLine({ passkey, code, removing, onRemove, onDone }: LineProps) {
  const { t } = useTranslation('account')
  const format = useFormat()
  const { PasskeyId, Name, CreatedUtc, LastUsedUtc, Synced, Here } = passkey
  const day = (at: string): string => format.instant(at, { precision: 'minute' })
  const said = [
    t('passkeyMade', { when: day(CreatedUtc) }),
    LastUsedUtc === null ? t('passkeyNeverUsed') : t('passkeyUsed', { when: day(LastUsedUtc) }),
    ...(Synced ? [t('passkeySynced')] : []),
    ...(Here ? [] : [t('passkeyElsewhere')]),
  ]
  return (
    <li className={styles['line']}>
      <span className={styles['two']}>
        <bdi id={`passkey-${PasskeyId}`} className="strong">
          {Name}
        </bdi>
        <span className={styles['second']}>{said.join(' · ')}</span>
      </span>
      {onRemove !== undefined && (
        <Button size="small" onPress={onRemove} aria-describedby={`passkey-${PasskeyId}`}>
          {t('passkeyRemove')}
        </Button>
      )}
      {removing && (
        <ProofForm
          asks={{ password: true, code }}
          act={t('passkeyRemoveAct')}
          danger
          onCancel={() => onDone(null)}
          onProof={async (proof) => {
            await call(contract.removePasskey, { params: { passkeyId: PasskeyId }, body: withoutEmpty(proof) })
            onDone(t('passkeyRemoved', { name: Name }))
          }}
        >
          <p className={styles['words']}>{t('passkeyRemoveHow', { name: Name })}</p>
        </ProofForm>
      )}
    </li>
  )
}
