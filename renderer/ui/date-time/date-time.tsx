import { Button } from 'react-aria-components/Button'
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
} from 'react-aria-components/Calendar'
import { DateInput, DatePicker, DateSegment } from 'react-aria-components/DatePicker'
import { Dialog } from 'react-aria-components/Dialog'
import { Group } from 'react-aria-components/Group'
import { Heading } from 'react-aria-components/Heading'
import { Popover } from 'react-aria-components/Popover'
import { useTranslation } from 'react-i18next'
import { now } from '@internationalized/date'
import { FieldFoot, FieldLabel, type FieldProps, fieldProps } from '../field/frame.tsx'
import field from '../field/field.module.css'
import { zoneLetters } from '../format/times.ts'
import { cx, given } from '../given.ts'
import { Icon } from '../icon/icon.tsx'
import surface from '../popover/popover.module.css'
import { toIso, toZoned } from './zoned.ts'
import styles from './date-time.module.css'

export interface DateTimeFieldProps extends FieldProps {
  /** ISO 8601 in UTC, or null while nothing is chosen. */
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  /** IANA name of the station's zone: what is typed is its wall clock. */
  readonly zone: string
  readonly precision?: 'day' | 'minute' | 'second' | undefined
  readonly min?: string | undefined
  readonly max?: string | undefined
}

/** Day and time typed part by part or chosen from a month; arrows step each part. The zone stands at its end. */
export function DateTimeField({ value, onChange, zone, precision = 'minute', min, max, ...props }: DateTimeFieldProps) {
  const { t } = useTranslation('ui')
  const zoned = toZoned(value, zone)
  return (
    <DatePicker
      {...fieldProps(props)}
      granularity={precision}
      hourCycle={24}
      hideTimeZone
      shouldForceLeadingZeros
      placeholderValue={now(zone).set({ second: 0, millisecond: 0 })}
      value={zoned}
      onChange={(next) => onChange(next === null ? null : toIso(next))}
      {...given({
        minValue: toZoned(min ?? null, zone) ?? undefined,
        maxValue: toZoned(max ?? null, zone) ?? undefined,
      })}
    >
      <FieldLabel field={props} />
      <Group className={field['box'] ?? ''}>
        <DateInput className={styles['parts'] ?? ''}>
          {(segment) => <DateSegment segment={segment} className={styles['part'] ?? ''} />}
        </DateInput>
        <span className={field['suffix']}>{zoneLetters(zone, value ?? Date.now())}</span>
        <Button className={field['inside'] ?? ''} aria-label={t('openCalendar')}>
          <Icon name="calendar" />
        </Button>
      </Group>
      <FieldFoot field={props} />
      <Popover className={surface['popover'] ?? ''} placement="bottom end" offset={4}>
        <Dialog className={surface['dialog'] ?? ''}>
          <Month />
        </Dialog>
      </Popover>
    </DatePicker>
  )
}

function Month() {
  const { t } = useTranslation('ui')
  return (
    <Calendar>
      <header className={styles['head']}>
        <Button slot="previous" className={cx(field['inside'], styles['turn'])} aria-label={t('previousMonth')}>
          <Icon name="chevron-left" />
        </Button>
        <Heading className={styles['month'] ?? ''} level={2} />
        <Button slot="next" className={cx(field['inside'], styles['turn'])} aria-label={t('nextMonth')}>
          <Icon name="chevron-right" />
        </Button>
      </header>
      <CalendarGrid weekdayStyle="short" className={styles['grid'] ?? ''}>
        <CalendarGridHeader>
          {(day) => <CalendarHeaderCell className={styles['weekday'] ?? ''}>{day}</CalendarHeaderCell>}
        </CalendarGridHeader>
        <CalendarGridBody>{(date) => <CalendarCell date={date} className={styles['day'] ?? ''} />}</CalendarGridBody>
      </CalendarGrid>
    </Calendar>
  )
}

export interface DateTimeRangeProps {
  readonly label: string
  readonly value: { readonly from: string | null; readonly to: string | null }
  readonly onChange: (value: { readonly from: string | null; readonly to: string | null }) => void
  readonly zone: string
  readonly precision?: 'day' | 'minute' | 'second' | undefined
  readonly error?: string | undefined
}

/** Two ends, each of which may be open. The caller says in `error` when the end is before the start. */
export function DateTimeRange({ label, value, onChange, zone, precision, error }: DateTimeRangeProps) {
  const { t } = useTranslation('ui')
  return (
    <div role="group" aria-label={label} className={styles['range']}>
      <DateTimeField
        label={t('from')}
        value={value.from}
        onChange={(from) => onChange({ ...value, from })}
        {...{ zone, precision }}
      />
      <DateTimeField
        label={t('to')}
        value={value.to}
        onChange={(to) => onChange({ ...value, to })}
        {...{ zone, precision, error }}
      />
    </div>
  )
}
