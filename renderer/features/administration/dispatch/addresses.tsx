import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { pushBatch, pushEvent } from '../../../../shared/dispatch/cad.contract.ts'
import { useSession } from '../../../client/session.tsx'
import { IconButton } from '../../../ui/button/button.tsx'
import { copyText } from '../../../ui/hash/copy.ts'
import { Note } from '../../../ui/note/note.tsx'
import { Select } from '../../../ui/select/select.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import styles from './cad.module.css'

const LOOPBACK = /^https?:\/\/(?:localhost|127\.|\[::1\])/

/** What is given to whoever runs the dispatch system: addresses, and a command that works with a key of theirs. */
export function Addresses({ origins }: { readonly origins: readonly string[] }) {
  const { t } = useTranslation('cad')
  const { tenant } = useSession()
  const away = origins.filter((origin) => !LOOPBACK.test(origin))
  const [chosen, setChosen] = useState<string | null>(null)
  const origin = chosen ?? away[0] ?? window.location.origin
  const at = (path: string): string => `${origin}${path.replace(':tenantId', encodeURIComponent(tenant))}`
  const event = { eventId: 'TEST-1', eventStartTimeUtc: '2026-11-20T02:00:00Z', name: 'Test of the connection' }
  const command = `curl -H 'X-Api-Key: ${t('keyStandIn')}' -H 'Content-Type: application/json' -d '${JSON.stringify(event)}' '${at(pushEvent.path)}'`
  return (
    <section className={styles['part']} aria-labelledby="cad-addresses">
      <h2 id="cad-addresses" className={styles['partTitle']}>
        {t('addresses')}
      </h2>
      <p className="muted">{t('addressesLead')}</p>
      {away.length === 0 && <Note title={t('loopbackOnly')} />}
      {origins.length > 1 && (
        <div className={styles['origin']}>
          <Select
            label={t('station')}
            value={origin}
            onChange={setChosen}
            options={[...new Set([origin, ...origins])].map((id) => ({ id, label: id }))}
          />
        </div>
      )}
      <dl className={styles['addresses']}>
        <Line label={t('addressOne')} text={`POST ${at(pushEvent.path)}`} copy={at(pushEvent.path)} />
        <Line label={t('addressMany')} text={`POST ${at(pushBatch.path)}`} copy={at(pushBatch.path)} />
        <Line label={t('tryIt')} text={command} copy={command} command />
      </dl>
    </section>
  )
}

interface LineProps {
  readonly label: string
  readonly text: string
  readonly copy: string
  readonly command?: boolean
}

function Line({ label, text, copy, command = false }: LineProps) {
  const { t } = useTranslation('cad')
  const take = (): void =>
    void copyText(copy).then((done) => {
      if (done) toasts.show({ text: t('copied') })
    })
  return (
    <div>
      <dt>{label}</dt>
      <dd className={styles['address']}>
        <code className="mono">{text}</code>
        <IconButton icon="copy" size="small" label={t(command ? 'copyCommand' : 'copyAddress')} onPress={take} />
      </dd>
    </div>
  )
}
