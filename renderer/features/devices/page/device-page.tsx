import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { useMay } from '../../../client/rights.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { StatePill } from '../../../ui/state/state.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { Barred, usePageTitle } from '../barred.tsx'
import { ConfigurationTab } from '../configuration/configuration-tab.tsx'
import { type Device, useDevice } from '../queries.ts'
import styles from '../devices.module.css'
import { Problem } from '../problem.tsx'
import type { Tab } from '../search-state.ts'
import { warningBody, warningsOf, warningWords } from '../warnings.ts'
import { reasonOf, secondOf, titleOf, typeWords } from '../labels.ts'
import { ActiveButton } from './active-button.tsx'
import { Negotiations } from './negotiations.tsx'
import { Officers } from './officers.tsx'
import { Overview } from './overview.tsx'

const EditDialog = lazyOpened(async () => (await import('../add-dialog.tsx')).EditDialog)

export function DevicePage({ deviceId }: { readonly deviceId: string }) {
  return useMay('ManageDevices') ? <Page deviceId={deviceId} /> : <Barred />
}

function Page({ deviceId }: { readonly deviceId: string }) {
  const { t } = useTranslation('devices')
  const { data: device, error, refetch, dataUpdatedAt } = useDevice(deviceId)
  usePageTitle(device === undefined ? t('device') : titleOf(device))
  if (device === undefined)
    return (
      <div className={styles['page']}>
        {error === null ? <Skeleton lines={8} /> : <Problem error={error} onRetry={() => void refetch()} />}
      </div>
    )
  return (
    <div className={styles['page']}>
      <Head device={device} />
      <Warnings device={device} now={dataUpdatedAt} />
      <Faces device={device} now={dataUpdatedAt} />
    </div>
  )
}

function Head({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices')
  const [editing, setEditing] = useState(false)
  const active = device.State === 'Active'
  return (
    <header className={styles['deviceHead']}>
      <div className={styles['headline']}>
        <h1 className={styles['title']}>
          <bdi>{titleOf(device)}</bdi>
        </h1>
        <StatePill state={active ? 'ok' : 'waiting'}>{t(active ? 'active' : 'inactive')}</StatePill>
        <div className={styles['acts']}>
          <Button icon="edit" onPress={() => setEditing(true)}>
            {t('edit')}
          </Button>
          <ActiveButton key={device.State} device={device} />
        </div>
      </div>
      <p className="second">
        <bdi>{secondOf(device)}</bdi> · <bdi>{typeWords(device.DeviceType, t)}</bdi>
      </p>
      {editing && <EditDialog device={device} onClose={() => setEditing(false)} />}
    </header>
  )
}

/** What needs somebody, in words that say what to do. */
function Warnings({ device, now }: { readonly device: Device; readonly now: number }) {
  const { t } = useTranslation('devices')
  const warnings = warningsOf(device, now)
  if (warnings.length === 0) return null
  return (
    <div className={styles['warnings']}>
      {warnings.map((one) => (
        <Note key={one.id} state={one.state} title={warningWords(one, t)}>
          {one.id === 'rejected' && said(device) !== '' && <>{t('saidReason', { reason: said(device) })} </>}
          {warningBody(one, t)}
        </Note>
      ))}
    </div>
  )
}

const said = ({ Transaction }: Device): string => (Transaction === null ? '' : reasonOf(Transaction))

function Faces({ device, now }: { readonly device: Device; readonly now: number }) {
  const { t } = useTranslation('devices')
  const navigate = useNavigate({ from: '/devices/$deviceId' })
  const { tab = 'overview' } = useSearch({ from: '/devices/$deviceId' })
  return (
    <Tabs<Tab>
      label={t('faces')}
      value={tab}
      onChange={(next) => void navigate({ search: { tab: next === 'overview' ? undefined : next }, replace: true })}
      tabs={[
        { id: 'overview', label: t('overview'), content: <Overview device={device} now={now} /> },
        { id: 'officers', label: t('officers'), content: <Officers device={device} /> },
        { id: 'configuration', label: t('configuration'), content: <ConfigurationTab deviceId={device.Id} /> },
        {
          id: 'negotiations',
          label: t('negotiations'),
          count: device.Negotiations.length,
          content: <Negotiations device={device} />,
        },
      ]}
    />
  )
}
