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
import { useTranslation } from '../../client/translate.ts'
import { now } from '@internationalized/date'
import { FieldFoot, FieldLabel, fieldProps } from '../field/frame.tsx'
import field from '../field/field.module.css'
import { zoneLetters } from '../format/times.ts'
import { cx, given } from '../given.ts'
import { Icon } from '../icon/icon.tsx'
import surface from '../popover/popover.module.css'
import type { DateTimeFieldProps } from './date-time-props.ts'
import { toIso, toZoned } from './zoned.ts'
import styles from './date-time.module.css'

/** The parts of a day and a time, and the month to choose from. */
export default function DateTimeParts({
  value,
  onChange,
  zone,
  precision = 'minute',
  min,
  max,
  ...props
}: DateTimeFieldProps) {
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
