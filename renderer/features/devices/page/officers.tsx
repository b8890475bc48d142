import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { useSession } from '../../../client/session.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { type State, StateMark } from '../../../ui/state/state.tsx'
import { type Association, type Device, useAssociations } from '../queries.ts'
import styles from '../devices.module.css'
import { Problem } from '../problem.tsx'
import { nameOf, type Words } from '../labels.ts'
import { AssociateDialog, ChangeDialog, ConfirmDialog, EndDialog, RemoveDialog } from './association-dialogs.tsx'
import { Timeline } from './timeline.tsx'

type Asked = 'end' | 'change' | 'confirm' | 'remove'

/** Whose it was, is and will be: what it records then is that officer's. */
export function Officers({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices')
  const { data, error, refetch, dataUpdatedAt } = useAssociations(device.Id)
  const [adding, setAdding] = useState(false)
  const active = device.State === 'Active'
  if (data === undefined)
    return error === null ? <Skeleton lines={6} /> : <Problem error={error} onRetry={() => void refetch()} />
  return (
    <div className={styles['stack']}>
      <div className={styles['bar']}>
        <p className="second">{t('officersLead')}</p>
        <div className={styles['acts']}>
          <Button icon="plus" onPress={() => setAdding(true)}>
            {t('associate')}
          </Button>
        </div>
      </div>
      {!active && <p className="second">{t('officersInactive')}</p>}
      {data.length === 0 ? (
        <EmptyState title={t('officersNone')}>{t('officersNoneBody')}</EmptyState>
      ) : (
        <>
          <Timeline associations={data} activity={device.Activity} now={dataUpdatedAt} />
          <Table device={device} associations={data} now={dataUpdatedAt} />
        </>
      )}
      {adding && <AssociateDialog device={device} onClose={() => setAdding(false)} />}
    </div>
  )
}

interface TableProps {
  readonly device: Device
  readonly associations: readonly Association[]
  readonly now: number
}

function Table({ device, associations, now }: TableProps) {
  const { t } = useTranslation('devices')
  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label={t('officers')}>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">{t('officer')}</th>
            <th scope="col">{t('from')}</th>
            <th scope="col">{t('to')}</th>
            <th scope="col">{t('access')}</th>
            <th scope="col">
              <span className="unseen">{t('acts')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {associations.map((one) => (
            <Row key={one.AssociationId} device={device} one={one} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  readonly device: Device
  readonly one: Association
  readonly now: number
}

function Row({ device, one, now }: RowProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  const dialog = { device, one, onClose: close }
  const over = one.ToUtc !== null && Date.parse(one.ToUtc) <= now
  const time = (at: string): string => format.instant(at, { precision: 'minute' })
  return (
    <tr>
      <th scope="row">
        <span className={styles['two']}>
          <bdi>{nameOf(one.Officer, t)}</bdi>
          <span className="muted">
            {t('madeBy', { who: nameOf(one.CreatedBy, t), time: format.timeOrDay(one.CreatedUtcTime) })}
          </span>
        </span>
      </th>
      <td>{time(one.FromUtc)}</td>
      <td>{one.ToUtc === null ? t('noEnd') : time(one.ToUtc)}</td>
      <td>
        <Access one={one} />
      </td>
      <td>
        <span className={styles['rowActs']}>
          {one.Access === 'Pending' && <ConfirmButton one={one} onPress={() => setAsked('confirm')} />}
          {!over && (
            <Button size="small" onPress={() => setAsked('end')}>
              {t('end')}
            </Button>
          )}
          <Button size="small" onPress={() => setAsked('change')}>
            {t('change')}
          </Button>
          <Button size="small" onPress={() => setAsked('remove')}>
            {t('remove')}
          </Button>
        </span>
        {asked === 'end' && <EndDialog {...dialog} />}
        {asked === 'change' && <ChangeDialog {...dialog} />}
        {asked === 'confirm' && <ConfirmDialog {...dialog} />}
        {asked === 'remove' && <RemoveDialog {...dialog} />}
      </td>
    </tr>
  )
}

/** Whoever changed the past sees why it waits for somebody else. */
function ConfirmButton({ one, onPress }: { readonly one: Association; readonly onPress: () => void }) {
  const { t } = useTranslation('devices')
  const { session } = useSession()
  const mine = one.ChangedBy.includes(session.User?.PrincipalId ?? '')
  return (
    <Button size="small" kind="main" why={mine ? t('confirmMine') : undefined} onPress={onPress}>
      {t('confirm')}
    </Button>
  )
}

const ACCESS = {
  Given: ['ok', 'accessGiven'],
  Pending: ['attention', 'accessPending'],
  Withheld: ['waiting', 'accessWithheld'],
} as const satisfies Readonly<Record<Association['Access'], readonly [State, string]>>

export const accessWords = (one: Association, t: Words): string => t(ACCESS[one.Access][1])

function Access({ one }: { readonly one: Association }) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const [state] = ACCESS[one.Access]
  return (
    <span className={styles['two']}>
      <StateMark state={state} small>
        {accessWords(one, t)}
      </StateMark>
      {one.ConfirmedBy !== null && one.ConfirmedUtc !== null && (
        <span className="muted">
          {t('confirmedBy', { who: nameOf(one.ConfirmedBy, t), time: format.timeOrDay(one.ConfirmedUtc) })}
        </span>
      )}
      {one.Access === 'Pending' && <span className="muted">{t('accessPendingBody')}</span>}
      {one.Access === 'Withheld' && <span className="muted">{t('accessWithheldBody')}</span>}
    </span>
  )
}
