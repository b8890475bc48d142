import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/devices/configurations.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { copyText } from '../../../ui/hash/copy.ts'
import { Note } from '../../../ui/note/note.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import type { Credential, Device } from '../queries.ts'
import styles from '../devices.module.css'
import { ActDialog, Problem } from '../problem.tsx'

/** With what a station signs in to it. Nothing of them is here before somebody asks, and nothing once they are put away. */
export function Credentials({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices')
  const { tenant } = useSession()
  const { busy, error, run } = useAct()
  const [shown, setShown] = useState<readonly Credential[] | null>(null)
  const { SerialNumber, Manufacturer } = device.DeviceIdentification
  const identification = { SerialNumber, Manufacturer }
  const ask = async (): Promise<void> =>
    setShown(await call(contract.getCredentials, { params: { tenantId: tenant }, body: { DeviceId: identification } }))
  if (shown === null)
    return (
      <>
        <div className={styles['acts']}>
          <Button icon="key" busy={busy} onPress={() => run(ask)}>
            {t('credentialsShow')}
          </Button>
        </div>
        {error !== null && <Problem error={error} title={t('credentialsFailed')} />}
      </>
    )
  return (
    <div className={styles['once']} role="group" aria-label={t('credentials')}>
      {shown.length === 0 ? (
        <p className="second">{t('credentialsNone')}</p>
      ) : (
        <>
          <Note state="attention" title={t('credentialsOnce')}>
            {t('credentialsOnceBody')}
          </Note>
          <ul className={styles['rows']}>
            {shown.map((one) => (
              <One
                key={one.DeviceCredential}
                credential={one}
                onFailed={() => setShown(shown.filter((other) => other !== one))}
                identification={identification}
              />
            ))}
          </ul>
        </>
      )}
      <div className={styles['acts']}>
        <Button autoFocus onPress={() => setShown(null)}>
          {t('credentialsAway')}
        </Button>
      </div>
    </div>
  )
}

interface OneProps {
  readonly credential: Credential
  readonly identification: { readonly SerialNumber: string; readonly Manufacturer: string }
  readonly onFailed: () => void
}

function One({ credential, identification, onFailed }: OneProps) {
  const { t } = useTranslation('devices')
  const { tenant } = useSession()
  const format = useFormat()
  const [copied, setCopied] = useState(false)
  const [asking, setAsking] = useState(false)
  const { DeviceCredential, State, AddedUtc } = credential
  const current = State === 'Current'
  const fail = async (): Promise<void> => {
    await call(contract.reportFailedCredentials, {
      params: { tenantId: tenant },
      body: { DeviceId: identification, Credentials: [{ DeviceCredential }] },
    })
    onFailed()
  }
  return (
    <li className={styles['item']}>
      <code className={`mono ${styles['secret'] ?? ''}`}>{visible(DeviceCredential)}</code>
      <span className={styles['itemFoot']}>
        <StateMark state={current ? 'ok' : 'waiting'} small>
          {t(current ? 'credentialCurrent' : 'credentialPending')}
        </StateMark>
        <span className="muted">{t('credentialAdded', { time: format.timeOrDay(AddedUtc) })}</span>
        <span className={styles['acts']}>
          <Button size="small" icon="copy" onPress={() => void copyText(DeviceCredential).then(setCopied)}>
            {t(copied ? 'copied' : 'copy')}
          </Button>
          <Button size="small" onPress={() => setAsking(true)}>
            {t('credentialFail')}
          </Button>
        </span>
      </span>
      {asking && (
        <ActDialog
          title={t('credentialFailTitle')}
          lead={t('credentialFailLead')}
          act={t('credentialFail')}
          failed={t('notDone')}
          danger
          onAct={fail}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}
