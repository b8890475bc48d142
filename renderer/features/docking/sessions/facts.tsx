import { Fragment, type ReactNode } from 'react'
import { useDockReasons } from '../../../client/dock-reasons.ts'
import { useTranslation } from '../../../client/translate.ts'
import { readClearRule } from '../../../../shared/docking/docking.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Hash } from '../../../ui/hash/hash.tsx'
import type { Detail } from './queries.ts'
import { FactList } from '../../../ui/layout/fact-list.tsx'
import styles from './sessions.module.css'
import { isFolder } from './labels.ts'

/** Beside the list: what is known of the camera and of its time in the bay. */
export function SessionFacts({ session }: { readonly session: Detail }) {
  const { t } = useTranslation('dockSessions')
  return (
    <>
      <Device session={session} />
      <Times session={session} />
      <Clock session={session} />
      <Clearing session={session} />
      {session.Notes.length > 0 && (
        <Section title={t('notes')}>
          {session.Notes.map((note) => (
            <p key={note} className={styles['second']}>
              {visible(note)}
            </p>
          ))}
        </Section>
      )}
    </>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles['section']}>
      <h2 className={styles['sectionTitle']}>{title}</h2>
      {children}
    </section>
  )
}

function Facts({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <FactList>
      {rows.map(([label, value]) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </FactList>
  )
}

const CONFIGURATION = {
  seen: 'configurationSeen',
  unchanged: 'configurationUnchanged',
  committed: 'configurationCommitted',
  rejected: 'configurationRejected',
} as const

function Device({ session }: { readonly session: Detail }) {
  const { t } = useTranslation('dockSessions')
  const { t: paper } = useTranslation('dockReceipt')
  const tell = useDockReasons()
  const { Device: device, Configuration: configuration } = session
  const result = CONFIGURATION[configuration?.Result as keyof typeof CONFIGURATION]
  return (
    <Section title={t('device')}>
      <Facts
        rows={[
          [isFolder(session) ? t('folder') : paper('bay'), <bdi key="bay">{visible(session.Bay)}</bdi>],
          ...(device === null
            ? []
            : ([
                [
                  t('camera'),
                  <bdi key="of">{visible([device.Manufacturer, device.Model].filter(Boolean).join(' '))}</bdi>,
                ],
                [t('takeSerial'), <bdi key="serial">{visible(device.SerialNumber ?? '–')}</bdi>],
              ] as const)),
          [t('profile'), session.Profile ?? '–'],
          ...(configuration === null || result === undefined || isFolder(session)
            ? []
            : ([
                [
                  t('configuration'),
                  <span key="configuration">
                    {paper(result)}
                    {configuration.Reason !== null && (
                      <span className={styles['small']}> {visible(tell(configuration.Reason))}</span>
                    )}
                  </span>,
                ],
              ] as const)),
        ]}
      />
    </Section>
  )
}

function Times({ session }: { readonly session: Detail }) {
  const { t } = useTranslation('dockSessions')
  const format = useFormat()
  const at = (time: string | null): string => (time === null ? '–' : format.instant(time, { precision: 'second' }))
  return (
    <Section title={`${t('times')}, ${format.zoneLetters(session.DetectedTimeUtc)}`}>
      <Facts
        rows={[
          [t('putIn'), at(session.DetectedTimeUtc)],
          [t('firstByte'), at(session.FirstByteTimeUtc)],
          [t('lastByte'), at(session.LastByteTimeUtc)],
          [t('stored'), at(session.CommittedTimeUtc)],
          [t('released'), at(session.ReleasedTimeUtc)],
        ]}
      />
      {session.Rounds > 1 && <p className={styles['second']}>{t('rounds', { count: session.Rounds })}</p>}
      {session.ReceiptSha256 !== null ? (
        <Hash value={session.ReceiptSha256} of={t('receipt')} prefix={t('receipt')} />
      ) : (
        session.State !== 'refused' && <p className={styles['small']}>{t('receiptLater')}</p>
      )}
    </Section>
  )
}

/** One statement for each time that it was put in; the last one corrects. */
function Clock({ session }: { readonly session: Detail }) {
  const { t } = useTranslation('dockSessions')
  const tell = useDockReasons()
  const format = useFormat()
  if (session.Clock.length === 0) return null
  return (
    <Section title={t('clock')}>
      {session.Clock.map(({ Round, Camera }) => {
        if (Camera === null) return <p key={Round}>{t(isFolder(session) ? 'clockOfFolder' : 'clockNone')}</p>
        const { OffsetMilliseconds: offset } = Camera
        const values = {
          offset: format.duration(Math.abs(offset) / 1000),
          error: format.duration(Camera.UncertaintyMilliseconds / 1000),
        }
        return (
          <p key={Round}>
            {t(offset === 0 ? 'clockRight' : offset > 0 ? 'clockBehind' : 'clockAhead', values)}
            <br />
            <span className={styles['small']}>{t('clockHow', { how: visible(tell(Camera.How)) })}</span>
          </p>
        )
      })}
    </Section>
  )
}

const RULES = { never: 'ruleNever', 'at-once': 'ruleAtOnce', move: 'ruleMove' } as const

function Clearing({ session }: { readonly session: Detail }) {
  const { t } = useTranslation('dockSessions')
  const { t: paper } = useTranslation('dockReceipt')
  const rule = readClearRule(session.ClearRule)
  const words =
    rule?.kind === 'after'
      ? paper('ruleDays', { count: rule.days, shown: String(rule.days) })
      : paper(RULES[rule?.kind ?? 'never'])
  return (
    <Section title={t('clearing')}>
      <p>
        {session.Cleared === 0
          ? t('clearedNone')
          : t(rule?.kind === 'move' ? 'asideCount' : 'clearedCount', { count: session.Cleared })}
        <br />
        <span className={styles['small']}>{paper('clearRule', { rule: words })}</span>
      </p>
    </Section>
  )
}
