import { langOf } from '../../client/station-sentences.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import * as contract from '../../../shared/integrity/contract.ts'
import { useAlarmReasons } from '../../client/alarm-reasons.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { useTextDraft } from '../../client/use-text-draft.ts'
import { useTextProblem } from '../../client/use-text-problem.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { Button } from '../../ui/button/button.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Hash } from '../../ui/hash/hash.tsx'
import { StateMark } from '../../ui/state/state.tsx'
import { Section } from '../../ui/layout/overview.tsx'
import { type Alarm, type Integrity, useRefreshed } from './queries.ts'
import styles from './integrity.module.css'

const KINDS = {
  changed: 'kindChanged',
  missing: 'kindMissing',
  untracked: 'kindUntracked',
  ledger: 'kindLedger',
  checkpoint: 'kindCheckpoint',
  backup: 'kindBackup',
  source: 'kindSource',
  forwarding: 'kindForwarding',
  validation: 'kindValidation',
} as const

/** Nothing is lost by a stranger, nor by a folder that is not there: what it holds waits, and somebody should look. */
const stateOf = (kind: Alarm['Kind']): 'attention' | 'danger' =>
  kind === 'untracked' || kind === 'source' ? 'attention' : 'danger'
const isHash = (subject: string): boolean => /^[0-9a-f]{64}$/.test(subject)
/** As many evidences as a line names. */
const MOST_LINKS = 5

export function Alarms({ integrity }: { readonly integrity: Integrity }) {
  const { t } = useTranslation('integrity')
  const [chosen, setChosen] = useState<Alarm | null>(null)
  const open = integrity.Alarms.filter(({ AcknowledgedTimeUtc }) => AcknowledgedTimeUtc === null)
  const known = integrity.Alarms.filter(({ AcknowledgedTimeUtc }) => AcknowledgedTimeUtc !== null)
  return (
    <Section title={t('alarms')}>
      {open.length === 0 ? (
        <Nothing title={t('alarmsNone')}>{t('alarmsNoneBody')}</Nothing>
      ) : (
        <ul className={styles['rows']}>
          {open.map((alarm) => (
            <OpenAlarm key={alarm.AlarmId} alarm={alarm} onAcknowledge={() => setChosen(alarm)} />
          ))}
        </ul>
      )}
      {known.length > 0 && <Known alarms={known} />}
      {chosen !== null && <Acknowledge alarm={chosen} onClose={() => setChosen(null)} />}
    </Section>
  )
}

/** What will stand here, and that nothing does. */
export function Nothing({ title, children }: { readonly title: string; readonly children: string }) {
  return (
    <p className={styles['nothing']}>
      <strong>{title}</strong> {children}
    </p>
  )
}

function OpenAlarm({ alarm, onAcknowledge }: { readonly alarm: Alarm; readonly onAcknowledge: () => void }) {
  const { t } = useTranslation('integrity')
  const format = useFormat()
  return (
    <li className={styles['item']}>
      <div className={styles['itemHead']}>
        <StateMark state={stateOf(alarm.Kind)}>{t(KINDS[alarm.Kind])}</StateMark>
        <span className={styles['when']} title={format.instant(alarm.RaisedTimeUtc)}>
          {t('alarmSince', { when: format.timeOrDay(alarm.RaisedTimeUtc) })}
        </span>
      </div>
      <Message of={alarm} />
      <div className={styles['itemFoot']}>
        <span className={styles['subject']}>
          {isHash(alarm.Subject) ? <Hash value={alarm.Subject} /> : <bdi>{alarm.Subject}</bdi>}
          {alarm.EvidenceIds.slice(0, MOST_LINKS).map((evidenceId) => (
            <Link key={evidenceId} to="/evidence/$evidenceId" params={{ evidenceId }} className={styles['link']}>
              {t('alarmEvidence', { id: evidenceId })}
            </Link>
          ))}
        </span>
        <Button size="small" onPress={onAcknowledge} aria-describedby={`alarm-${alarm.AlarmId}`}>
          {t('acknowledge')}
        </Button>
        <span id={`alarm-${alarm.AlarmId}`} hidden>
          {t('acknowledgeOf', { subject: alarm.Subject })}
        </span>
      </div>
    </li>
  )
}

/** What a check found may be in the words of the station, which are English. */
function Message({ of: { Message: message } }: { readonly of: Alarm }) {
  const said = useAlarmReasons()(message)
  return (
    <p className={styles['message']} lang={langOf(said, message)}>
      {said}
    </p>
  )
}

function Known({ alarms }: { readonly alarms: readonly Alarm[] }) {
  const { t } = useTranslation('integrity')
  const format = useFormat()
  return (
    <details className={styles['known']}>
      <summary>
        {t('acknowledged')} <span className={styles['second']}>{format.count(alarms.length)}</span>
      </summary>
      <ul className={styles['rows']}>
        {alarms.map((alarm) => (
          <li key={alarm.AlarmId} className={styles['item']}>
            <span>
              {t(KINDS[alarm.Kind])} · <bdi className={styles['cut']}>{alarm.Subject}</bdi>
            </span>
            <span className={styles['second']}>
              {t('acknowledgedBy', {
                who: alarm.AcknowledgedBy?.Name ?? '',
                when: format.timeOrDay(alarm.AcknowledgedTimeUtc ?? alarm.RaisedTimeUtc),
                reason: alarm.Reason ?? '',
              })}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Acknowledge({ alarm, onClose }: { readonly alarm: Alarm; readonly onClose: () => void }) {
  const { t } = useTranslation('integrity')
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const [reason, setReason, forgetReason] = useTextDraft(`alarm-${alarm.AlarmId}`)
  const wrong = useTextProblem(contract.isAlarmReason, reason, t('reasonHelp'))
  const [tried, setTried] = useState(false)
  return (
    <ActDialog
      title={t('acknowledgeTitle')}
      lead={t('acknowledgeLead')}
      act={t('acknowledge')}
      failed={t('acknowledgeFailed')}
      check={() => {
        setTried(true)
        return wrong === undefined
      }}
      onAct={() =>
        refreshed(
          call(contract.acknowledgeAlarm, {
            params: { tenantId: tenant, alarmId: alarm.AlarmId },
            body: { Reason: reason },
          }).then(forgetReason),
        )
      }
      onClose={onClose}
    >
      <Message of={alarm} />
      <TextArea
        label={t('reason')}
        description={t('reasonHelp')}
        value={reason}
        onChange={setReason}
        maxLength={contract.LONGEST_ALARM_REASON}
        required
        autoFocus
        error={tried ? wrong : undefined}
      />
    </ActDialog>
  )
}
