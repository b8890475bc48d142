import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/network/contract.ts'
import { call, Fault } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { ActDialog } from '../../../ui/act/act-dialog.tsx'
import { Badge } from '../../../ui/badge/badge.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Section } from '../../../ui/layout/overview.tsx'
import { Problem } from '../../../ui/problem/problem.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useRefresh } from '../queries.ts'
import { Refusal } from './change-dialog.tsx'
import { isHere, type Moving } from './queries.ts'
import styles from './network.module.css'

interface Props {
  readonly hosts: readonly Moving[] | null
  readonly error: Error | null
  readonly retry: () => void
}

/** Who is there, since when, and what is under way; asked every few seconds. */
export function Hosts({ hosts, error, retry }: Props) {
  const { t } = useTranslation('network')
  const [ending, setEnding] = useState<Moving | null>(null)
  return (
    <Section title={t('hosts')} lead={t('hostsLead')}>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {hosts === null && error === null && <Skeleton lines={2} />}
      {hosts?.length === 0 && (
        <p className={styles['nothing']}>
          <strong>{t('hostsNone')}</strong> {t('hostsNoneBody')}
        </p>
      )}
      {hosts !== null && hosts.length > 0 && (
        <div className={styles['scroll']}>
          <table className={styles['table']} aria-label={t('hosts')}>
            <thead>
              <tr>
                <th scope="col">{t('host')}</th>
                <th scope="col">{t('hostPeople')}</th>
                <th scope="col">{t('hostSince')}</th>
                <th scope="col">{t('hostLast')}</th>
                <th scope="col" data-end>
                  {t('hostRequests')}
                </th>
                <th scope="col">{t('hostWay')}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {hosts.map((host) => (
                <Row key={host.Address} host={host} onEnd={() => setEnding(host)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {ending !== null && <Disconnect host={ending} onClose={() => setEnding(null)} />}
    </Section>
  )
}

function Row({ host, onEnd }: { readonly host: Moving; readonly onEnd: () => void }) {
  const { t } = useTranslation('network')
  const format = useFormat()
  const { Address, HostName, People, SinceUtc, LastRequestTimeUtc, LastRequest, Requests, Connections } = host
  return (
    <tr>
      <th scope="row">
        <span className={styles['withAct']}>
          <bdi className={styles['strong']}>{Address}</bdi>
          {isHere(host) && <Badge>{t('hostYou')}</Badge>}
        </span>
        {HostName !== null && <span className={styles['under']}>{t('hostBy', { name: visible(HostName) })}</span>}
      </th>
      <td>
        {People.length === 0 ? (
          <span className={styles['second']}>{t('hostNobody')}</span>
        ) : (
          People.map(({ PrincipalId, Name }) => (
            <bdi key={PrincipalId} className={styles['person']}>
              {visible(Name)}
            </bdi>
          ))
        )}
      </td>
      <td title={format.instant(SinceUtc)}>{format.timeOrDay(SinceUtc)}</td>
      <td>
        {LastRequestTimeUtc !== null && (
          <span title={format.instant(LastRequestTimeUtc)}>{format.timeOfDay(LastRequestTimeUtc, 'second')}</span>
        )}
        {LastRequest !== null && <span className={styles['under']}>{visible(LastRequest)}</span>}
      </td>
      <td data-end>
        {format.count(Requests)}
        <span className={styles['under']}>{t('hostConnections', { count: Connections })}</span>
      </td>
      <td>
        <UnderWay host={host} />
      </td>
      <td data-end>
        <Button size="small" kind="quiet" onPress={onEnd}>
          {t('disconnect')} <span className="unseen">{Address}</span>
        </Button>
      </td>
    </tr>
  )
}

/** Slower is what a page that is only looked at makes by itself. */
const MOVES = 20_000

function UnderWay({ host }: { readonly host: Moving }) {
  const { t } = useTranslation('network')
  const format = useFormat()
  const { RequestsUnderWay, BytesReceived, BytesSent, speed } = host
  const speeds =
    speed === null
      ? []
      : [
          ...(speed.in > MOVES ? [t('hostReceives', { speed: format.speed(speed.in) })] : []),
          ...(speed.out > MOVES ? [t('hostSends', { speed: format.speed(speed.out) })] : []),
        ]
  return (
    <>
      {RequestsUnderWay > 0 ? (
        <StateMark state="working">{[t('hostWay', { count: RequestsUnderWay }), ...speeds].join(', ')}</StateMark>
      ) : (
        <span className={styles['second']}>{t('hostWayNone')}</span>
      )}
      <span className={styles['under']}>
        {t('hostTraffic', { received: format.bytes(BytesReceived), sent: format.bytes(BytesSent) })}
      </span>
    </>
  )
}

function Disconnect({ host, onClose }: { readonly host: Moving; readonly onClose: () => void }) {
  const { t } = useTranslation('network')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const { Address } = host
  const here = isHere(host)
  return (
    <ActDialog
      title={t('disconnectTitle', { address: Address })}
      lead={t('disconnectLead')}
      act={t('disconnect')}
      failed={t('disconnectFailed')}
      danger
      problem={(error) => <Refusal error={error} title={t('disconnectFailed')} />}
      onAct={async () => {
        await call(contract.disconnectLanHost, { params: { tenantId: tenant }, body: { Address } }).catch(
          (error: unknown) => {
            // To end one's own connections ends the one that would have brought the answer.
            if (!here || error instanceof Fault) throw error
          },
        )
        toasts.show({ text: t('disconnected', { address: Address }) })
        refresh()
      }}
      onClose={onClose}
    >
      <p>{here ? t('disconnectYou') : t('disconnectAgain')}</p>
    </ActDialog>
  )
}
