/** The stations whose checkpoints are kept here, and the act that accepts one that was restored from a snapshot. */
import { useId, useState } from 'react'
import * as contract from '../../../shared/integrity/contract.ts'
import { langOf } from '../../client/station-sentences.ts'
import { useAlarmReasons } from '../../client/alarm-reasons.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { useTextDraft } from '../../client/use-text-draft.ts'
import { useTextProblem } from '../../client/use-text-problem.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { Button } from '../../ui/button/button.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Hash } from '../../ui/hash/hash.tsx'
import { StateMark } from '../../ui/state/state.tsx'
import { Section } from '../../ui/layout/overview.tsx'
import styles from './integrity.module.css'
import { type Integrity, type KnownStation, useRefreshed } from './queries.ts'

export function KnownStations({ integrity }: { readonly integrity: Integrity }) {
  const { t } = useTranslation('integrity')
  const { Received } = integrity.Checkpoints
  if (Received.length === 0) return null
  return (
    <Section title={t('stations')} lead={t('stationsLead')}>
      <ul className={styles['rows']}>
        {Received.map((station) => (
          <Station key={station.Origin} station={station} />
        ))}
      </ul>
    </Section>
  )
}

type Presented = NonNullable<KnownStation['Presented']>

function Station({ station }: { readonly station: KnownStation }) {
  const { t } = useTranslation('integrity')
  const format = useFormat()
  const say = useAlarmReasons()
  const about = useId()
  // As it was read when somebody opened the decision: what is presented meanwhile must not slip under it.
  const [chosen, setChosen] = useState<KnownStation | null>(null)
  const { Origin, Size, ReceivedTimeUtc, RefusedTimeUtc, Presented, Branch, Ended } = station
  return (
    <li className={styles['item']}>
      <div className={styles['itemHead']}>
        <StateMark state={Presented === null ? 'ok' : 'danger'}>
          {t(Presented === null ? 'stationContinues' : 'stationRefused')}
        </StateMark>
        <bdi id={about} className={styles['address']} title={Origin}>
          {Origin}
        </bdi>
      </div>
      <span className={styles['second']}>
        {t('receivedUpTo', { count: Size, when: format.timeOrDay(ReceivedTimeUtc) })}
        {Ended.length > 0 && ` · ${t('stationBranch', { branch: Branch })}`}
        {Presented === null &&
          RefusedTimeUtc !== null &&
          ` · ${t('receivedRefused', { when: format.timeOrDay(RefusedTimeUtc) })}`}
      </span>
      {Presented !== null && (
        <>
          <p className={styles['message']}>
            {t('presentedWords', {
              count: Presented.Size,
              when: format.timeOrDay(Presented.PresentedTimeUtc),
              from: Presented.Source,
              by: Presented.By.Name,
            })}{' '}
            <span lang={langOf(say(Presented.Reason), Presented.Reason)}>{say(Presented.Reason)}</span>
          </p>
          {Presented.SameKey ? (
            <div className={styles['acts']}>
              <Button size="small" aria-describedby={about} onPress={() => setChosen(station)}>
                {t('acceptStation')}
              </Button>
            </div>
          ) : (
            <p className={styles['message']}>{t('presentedOtherKey')}</p>
          )}
        </>
      )}
      {Ended.map((one) => (
        <span key={one.Branch} className={styles['second']}>
          {t('branchEnded', {
            branch: one.Branch,
            count: one.Size,
            who: one.AcceptedBy.Name,
            when: format.timeOrDay(one.AcceptedTimeUtc),
            reason: one.Reason,
          })}
        </span>
      ))}
      {chosen !== null && chosen.Presented !== null && (
        <AcceptDialog station={chosen} presented={chosen.Presented} onClose={() => setChosen(null)} />
      )}
    </li>
  )
}

interface AcceptDialogProps {
  readonly station: KnownStation
  readonly presented: Presented
  readonly onClose: () => void
}

/** Both heads side by side, and why the older one is the station. */
function AcceptDialog({ station, presented, onClose }: AcceptDialogProps) {
  const { t } = useTranslation('integrity')
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const [reason, setReason, forgetReason] = useTextDraft(`accept-${station.Origin}`)
  const wrong = useTextProblem(contract.isAcceptReason, reason, t('acceptReasonNeeded'))
  const [tried, setTried] = useState(false)
  return (
    <ActDialog
      title={t('acceptTitle')}
      lead={t('acceptLead')}
      act={t('acceptDo')}
      failed={t('acceptFailed')}
      danger
      check={() => {
        setTried(true)
        return wrong === undefined
      }}
      onAct={() =>
        refreshed(
          call(contract.acceptRestoredStation, {
            params: { tenantId: tenant },
            body: {
              Origin: station.Origin,
              Known: { Size: station.Size, Root: station.Root },
              Presented: { Size: presented.Size, Root: presented.Root },
              Reason: reason,
            },
          }).then(forgetReason),
        )
      }
      onClose={onClose}
    >
      <bdi className={styles['address']}>{station.Origin}</bdi>
      <Heads station={station} presented={presented} />
      <TextArea
        label={t('reason')}
        description={t('acceptReasonHelp')}
        value={reason}
        onChange={setReason}
        maxLength={contract.LONGEST_ACCEPT_REASON}
        required
        error={tried ? wrong : undefined}
      />
    </ActDialog>
  )
}

function Heads({ station, presented }: Pick<AcceptDialogProps, 'station' | 'presented'>) {
  const { t } = useTranslation('integrity')
  const format = useFormat()
  return (
    <table className={styles['heads']}>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('headKnown')}</th>
          <th scope="col">{t('headPresented')}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t('headEntries')}</th>
          <td>{format.count(station.Size)}</td>
          <td>{format.count(presented.Size)}</td>
        </tr>
        <tr>
          <th scope="row">{t('headRoot')}</th>
          <td>
            <Hash value={digitsOf(station.Root)} of={t('headKnown')} />
          </td>
          <td>
            <Hash value={digitsOf(presented.Root)} of={t('headPresented')} />
          </td>
        </tr>
        <tr>
          <th scope="row">{t('headWhen')}</th>
          <td>{format.instant(station.ReceivedTimeUtc)}</td>
          <td>{format.instant(presented.PresentedTimeUtc)}</td>
        </tr>
        <tr>
          <th scope="row">{t('headFrom')}</th>
          <td />
          <td>{t('headFromBy', { from: presented.Source, by: presented.By.Name })}</td>
        </tr>
      </tbody>
    </table>
  )
}

/** From base64 to hexadecimal digits. */
const digitsOf = (root: string): string =>
  [...atob(root)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
