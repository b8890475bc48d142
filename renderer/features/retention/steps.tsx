import { useTranslation } from '../../client/translate.ts'
import { type Format, useFormat } from '../../ui/format/use-format.tsx'
import { Icon } from '../../ui/icon/icon.tsx'
import type { Item } from './queries.ts'
import styles from './steps.module.css'
import { nameOf, type Words } from './labels.ts'

interface Step {
  readonly id: string
  readonly name: string
  readonly lines: readonly string[]
  readonly at: 'done' | 'now' | 'ahead'
}

/** Where the selected items are, from the request to the certificate. */
export function Steps({ items, hours, days }: { items: readonly Item[]; hours: number; days: number }) {
  const { t } = useTranslation('disposition')
  const format = useFormat()
  const [first] = items
  if (first === undefined) return null
  if (items.some((item) => placeOf(item) !== placeOf(first)))
    return <p className={styles['mixed']}>{t('whereMixed')}</p>
  return (
    <ol className={styles['steps']} aria-label={t('where')}>
      {stepsOf(first, { hours, days }, t, format).map(({ id, name, lines, at }, index) => (
        <li
          key={id}
          className={styles['step']}
          data-at={at}
          {...(at === 'now' ? { 'aria-current': 'step' as const } : {})}
        >
          <span className={styles['mark']} aria-hidden="true">
            {at === 'done' ? <Icon name="check" size="small" /> : index + 1}
          </span>
          <b className={styles['name']}>{name}</b>
          {lines.map((line, at) => (
            <small key={`${id} ${at}`}>{line}</small>
          ))}
        </li>
      ))}
    </ol>
  )
}

const placeOf = ({ Stage, Approvals }: Item): string => `${Stage} ${Approvals.length}`

function stepsOf(item: Item, times: { hours: number; days: number }, t: Words, format: Format): Step[] {
  const { Stage, Approvals, UntilUtc, RequestedBy, QueuedUtc } = item
  const reached = Stage === 'Waiting' ? 1 + Approvals.length : Stage === 'CoolingOff' ? 3 : 4
  const when = (utc: string): string => format.instant(utc, { year: false, precision: 'minute' })
  const until = UntilUtc === null ? [] : [t('stepTo', { day: format.day(UntilUtc, false) })]
  const approval = (index: number): string[] => {
    const found = Approvals[index]
    if (found !== undefined) return [nameOf(found.By, t), when(found.TimeUtc)]
    return index === Approvals.length ? [t(item.WhyNot === null ? 'stepYouNow' : 'stepOpen')] : []
  }
  const hours = t('hours', { count: times.hours })
  const days = t('days', { count: times.days })
  const all: Omit<Step, 'at'>[] = [
    { id: 'requested', name: t('stepRequested'), lines: [nameOf(RequestedBy, t), when(QueuedUtc)] },
    { id: 'first', name: t('stepFirst'), lines: approval(0) },
    { id: 'second', name: t('stepSecond'), lines: approval(1) },
    { id: 'cooling', name: t('stepCooling'), lines: [hours, ...(Stage === 'CoolingOff' ? until : [])] },
    { id: 'bin', name: t('stepBin'), lines: [days, ...(Stage === 'RecycleBin' ? until : [])] },
    { id: 'destroyed', name: t('stepDestroyed'), lines: [t('stepCertificate')] },
  ]
  return all.map((step, index) => ({ ...step, at: index < reached ? 'done' : index === reached ? 'now' : 'ahead' }))
}
