import { useState } from 'react'
import * as contract from '../../../../shared/identity/services.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { RadioGroup } from '../../../ui/field/radio-group.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Hash } from '../../../ui/hash/hash.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { ActButton } from '../act-button.tsx'
import { ActDialog } from '../act-dialog.tsx'
import { Panel, Part } from '../editing/panel.tsx'
import { InUse } from '../in-use.tsx'
import { type Service, useService } from '../people-queries.ts'
import styles from '../people.module.css'
import { Problem } from '../problem.tsx'
import { useRefresh } from '../queries.ts'
import { Access } from '../users/access.tsx'
import { Connection, type HandedOut } from './connection.tsx'

export function ServicePanel({ serviceId, onClose }: { readonly serviceId: string; readonly onClose: () => void }) {
  const { t } = useTranslation('administration')
  const { data: service, error, refetch } = useService(serviceId)
  if (service !== undefined) return <Known service={service} onClose={onClose} />
  return (
    <Panel title={t('service')} onClose={onClose}>
      {error === null ? <Skeleton lines={6} /> : <Problem error={error} onRetry={() => void refetch()} />}
    </Panel>
  )
}

function Known({ service, onClose }: { readonly service: Service; readonly onClose: () => void }) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const [rotating, setRotating] = useState<'file' | 'apiKey' | null>(null)
  const [handed, setHanded] = useState<HandedOut | null>(null)
  const one = { params: { tenantId: tenant, serviceId: service.PrincipalId } }
  const able = async (on: boolean, back: boolean): Promise<void> => {
    await call(on ? contract.enableService : contract.disableService, one)
    refresh('principals')
    const undo = () => able(!on, false)
    toasts.show({
      text: t(on ? 'enabledToast' : 'disabledToast', { name: service.Name }),
      ...(back ? { undo } : {}),
    })
  }
  return (
    <Panel title={visible(service.Name)} mark={service.Enabled ? null : <InUse enabled={false} />} onClose={onClose}>
      {handed !== null && <Connection name={service.Name} handed={handed} onDone={() => setHanded(null)} />}
      <p className="small second">
        {t('baseUrl')}: <bdi>{visible(service.BaseUrl ?? t('nothing'))}</bdi>
      </p>
      <Keys service={service} />
      <div className={styles['acts']}>
        <Button size="small" icon="key" onPress={() => setRotating('file')}>
          {t('rotateKey')}
        </Button>
        <Button size="small" icon="key" onPress={() => setRotating('apiKey')}>
          {t('rotateApiKey')}
        </Button>
        <ActButton
          key={String(service.Enabled)}
          label={t(service.Enabled ? 'disable' : 'enable')}
          failed={t('notDone')}
          onAct={() => able(!service.Enabled, true)}
        />
      </div>
      <Access user={service} />
      {rotating !== null && (
        <RotateDialog service={service} what={rotating} onHanded={setHanded} onClose={() => setRotating(null)} />
      )}
    </Panel>
  )
}

function Keys({ service }: { readonly service: Service }) {
  const { t } = useTranslation('administration')
  const format = useFormat()
  const ends = (at: string | null): string => (at === null ? '' : t('endsAt', { time: format.timeOrDay(at) }))
  return (
    <Part title={t('keys')}>
      <ul className={styles['lines']}>
        {service.Keys.map(({ Thumbprint, CreatedUtcTime, ExpiresUtc }) => (
          <li key={Thumbprint} className={styles['line']}>
            <span className={styles['two']}>
              <Hash value={Thumbprint} of={t('thumbprint')} />
              <span className={styles['second']}>
                {t('madeAt', { day: format.day(CreatedUtcTime) })} {ends(ExpiresUtc)}
              </span>
            </span>
          </li>
        ))}
        {service.ApiKeys.map(({ ApiKeyId, Name, CreatedUtcTime, ExpiresUtc }) => (
          <li key={ApiKeyId} className={styles['line']}>
            <span className={styles['two']}>
              <span>
                {t('apiKey')} {Name !== '' && <bdi>{visible(Name)}</bdi>}
              </span>
              <span className={styles['second']}>
                {t('madeAt', { day: format.day(CreatedUtcTime) })} {ends(ExpiresUtc)}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

interface RotateDialogProps {
  readonly service: Service
  readonly what: 'file' | 'apiKey'
  readonly onHanded: (handed: HandedOut) => void
  readonly onClose: () => void
}

const OVERLAPS = ['0', '60', '1440', '10080'] as const
const WORDS = { 0: 'overlapNone', 60: 'overlapHour', 1440: 'overlapDay', 10080: 'overlapWeek' } as const

/** The old one cannot be had back: how long it still works is settled here. */
function RotateDialog({ service, what, onHanded, onClose }: RotateDialogProps) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>('60')
  const rotate = async (): Promise<void> => {
    const given = {
      params: { tenantId: tenant, serviceId: service.PrincipalId },
      body: { OverlapMinutes: Number(overlap) },
    }
    if (what === 'file') onHanded({ file: (await call(contract.rotateKey, given)).Connection })
    else onHanded({ apiKey: (await call(contract.rotateApiKey, given)).APIKey })
    refresh()
  }
  return (
    <ActDialog
      title={t(what === 'file' ? 'rotateKeyTitle' : 'rotateApiKeyTitle', { name: service.Name })}
      lead={t(what === 'file' ? 'rotateKeyLead' : 'rotateApiKeyLead')}
      act={t(what === 'file' ? 'rotateKey' : 'rotateApiKey')}
      failed={t('notDone')}
      onAct={rotate}
      onClose={onClose}
    >
      <RadioGroup
        label={t('overlap')}
        value={overlap}
        onChange={setOverlap}
        options={OVERLAPS.map((id) => ({ id, label: t(WORDS[id]) }))}
      />
    </ActDialog>
  )
}
