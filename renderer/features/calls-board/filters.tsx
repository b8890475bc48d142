import { dayAfter } from '../../../shared/kernel/days.ts'
import { Suspense, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { useMay } from '../../client/rights.ts'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { Filters as Row, OneFilter, PickFilter } from '../../ui/filter/filter.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import styles from './calls.module.css'
import { type Board, useShifts } from './queries.ts'
import { type CallsSearch, callsSearch, isFiltered } from './search.ts'
import { officerInList, STATES, stateWords } from './labels.ts'
import { lazyPart } from '../../client/load-chunk.ts'

const DayForm = lazyPart(() => import('./day-form.tsx'))
const ShiftsDialog = lazyPart(() => import('./shifts-dialog.tsx'))

interface Props {
  readonly board: Board
  readonly search: CallsSearch
  readonly change: (what: Partial<CallsSearch>) => void
}

/** `22:00 to 06:00`, with its name before where it has one. */
export function useShiftWords(): (shift: Board['Shifts'][number]) => string {
  const { t } = useTranslation('calls')
  const format = useFormat()
  return ({ Name, FromUtc, ToUtc }) => {
    const hours = t('untilEnd', { from: format.timeOfDay(FromUtc), to: format.timeOfDay(ToUtc) })
    return Name === '' ? hours : `${visible(Name)}, ${hours}`
  }
}

/** Day and shift are always said; unit, officer and state where somebody looks for them. */
export function Filters({ board, search, change }: Props) {
  const { t } = useTranslation('calls')
  const format = useFormat()
  const shiftWords = useShiftWords()
  const { unit, officer, state } = callsSearch.usual
  return (
    <Row
      label={t('filters')}
      clear={t('clearAll')}
      onClear={isFiltered(search) ? () => change({ unit, officer, state }) : undefined}
    >
      <PickFilter
        name={t('day')}
        words={format.day(board.FromUtc)}
        set={search.date !== ''}
        onClear={() => change({ date: '', shift: '' })}
      >
        {(close) => (
          <Suspense fallback={<div className={styles['pick']} />}>
            <DayForm
              value={board.FromUtc}
              onChange={(date) => {
                change({ date, shift: search.shift === '' ? 'all' : search.shift })
                close()
              }}
            />
          </Suspense>
        )}
      </PickFilter>
      <OneFilter
        name={t('shift')}
        options={[
          ...board.Shifts.map((shift) => ({ id: String(shift.Index), label: shiftWords(shift) })),
          { id: 'all', label: t('wholeDay') },
        ]}
        chosen={search.shift}
        any={search.date === '' ? t('shiftNow') : t('wholeDay')}
        onChange={(shift) => change(shift === '' ? { shift } : { shift, date: board.Date })}
      />
      <OneFilter
        name={t('unit')}
        options={board.Units.map((one) => ({ id: one, label: visible(one) }))}
        chosen={search.unit}
        onChange={(chosen) => change({ unit: chosen })}
      />
      <OneFilter
        name={t('officer')}
        options={board.Officers.map((one) => ({ id: one.PrincipalId, label: officerInList(one, format) })).sort(
          (one, other) => one.label.localeCompare(other.label, format.locale),
        )}
        chosen={search.officer}
        onChange={(chosen) => change({ officer: chosen })}
      />
      <OneFilter
        name={t('state')}
        options={STATES.map((id) => ({ id, label: stateWords(id, t) }))}
        chosen={search.state}
        onChange={(chosen) => change({ state: chosen as CallsSearch['state'] })}
      />
      <ShiftsButton />
    </Row>
  )
}

/** For whoever may say where the day is split. */
function ShiftsButton() {
  const { t } = useTranslation('calls')
  const may = useMay('ManageConfiguration')
  const [open, setOpen] = useState(false)
  const { data } = useShifts(may && open)
  if (!may) return null
  return (
    <>
      <Button kind="quiet" size="small" icon="settings" onPress={() => setOpen(true)}>
        {t('shifts')}
      </Button>
      {open && data !== undefined && (
        <Suspense fallback={null}>
          <ShiftsDialog shifts={data.Shifts} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** One shift on or back; from a whole day a whole day. */
export function ShiftSteps({ board, change }: Omit<Props, 'search'>) {
  const { t } = useTranslation('calls')
  const { Date: date, Shift: shift, Shifts: shifts } = board
  const go = (by: number): void => {
    if (shift === null) return change({ date: dayAfter(date, by), shift: 'all' })
    const next = shift + by
    if (next < 0) return change({ date: dayAfter(date, -1), shift: String(shifts.length - 1) })
    if (next >= shifts.length) return change({ date: dayAfter(date, 1), shift: '0' })
    change({ date, shift: String(next) })
  }
  return (
    <span className={styles['steps']}>
      <IconButton
        size="small"
        icon="chevron-left"
        label={t(shift === null ? 'dayBefore' : 'shiftBefore')}
        onPress={() => go(-1)}
      />
      <IconButton
        size="small"
        icon="chevron-right"
        label={t(shift === null ? 'dayNext' : 'shiftAfter')}
        onPress={() => go(1)}
      />
    </span>
  )
}
