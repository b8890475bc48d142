import { useState } from 'react'
import * as contract from '../../../shared/calls-board/contract.ts'
import { useTranslation } from '../../client/translate.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { TextField } from '../../ui/field/field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import styles from './calls.module.css'
import { type Shifts, useSetShifts } from './queries.ts'

const isStorable = (name: string): boolean => contract.ShiftName.safeParse(name.trim()).success

/** Where the day is split: times on the station's wall. */
export default function ShiftsDialog({ shifts, onClose }: { readonly shifts: Shifts; readonly onClose: () => void }) {
  const { t } = useTranslation('calls')
  const { t: ui } = useTranslation('ui')
  const { zoneLetters } = useFormat()
  const save = useSetShifts()
  const [rows, setRows] = useState(() => shifts.map((one, key) => ({ ...one, key })))
  const [asked, setAsked] = useState(false)
  const starts = rows.map(({ Start }) => Start.trim())
  const wrong = (start: string): boolean =>
    !contract.ShiftStart.safeParse(start).success || starts.filter((one) => one === start).length > 1
  const change = (key: number, what: Partial<Shifts[number]>): void =>
    setRows((now) => now.map((row) => (row.key === key ? { ...row, ...what } : row)))
  return (
    <ActDialog
      title={t('shiftsTitle')}
      lead={t('shiftsLead', { zone: zoneLetters() })}
      act={t('shiftsSave')}
      failed={t('shiftsFailed')}
      check={() => {
        setAsked(true)
        return !starts.some(wrong) && rows.every(({ Name }) => isStorable(Name))
      }}
      onAct={() => save(rows.map(({ Start, Name }) => ({ Start: Start.trim(), Name: Name.trim() })))}
      onClose={onClose}
    >
      {rows.map((row) => (
        <div key={row.key} className={styles['shiftRow']}>
          <TextField
            label={t('shiftStart')}
            value={row.Start}
            onChange={(Start) => change(row.key, { Start })}
            maxLength={5}
            error={asked && wrong(row.Start.trim()) ? t('shiftsWrong') : undefined}
          />
          <TextField
            label={t('shiftName')}
            value={row.Name}
            onChange={(Name) => change(row.key, { Name })}
            maxLength={contract.LONGEST_SHIFT_NAME}
            error={asked && !isStorable(row.Name) ? ui('notStorable') : undefined}
          />
          <IconButton
            kind="quiet"
            icon="trash"
            label={t('shiftRemove', { start: row.Start })}
            why={rows.length === 1 ? t('shiftsLead', { zone: zoneLetters() }) : undefined}
            onPress={() => setRows((now) => now.filter(({ key }) => key !== row.key))}
          />
        </div>
      ))}
      {rows.length < contract.MOST_SHIFTS && (
        <div>
          <Button
            size="small"
            icon="plus"
            onPress={() =>
              setRows((now) => [...now, { Start: '', Name: '', key: Math.max(0, ...now.map(({ key }) => key)) + 1 }])
            }
          >
            {t('shiftAdd')}
          </Button>
        </div>
      )}
    </ActDialog>
  )
}
