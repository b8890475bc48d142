import { useState } from 'react'
import { useIsMember } from '../../../client/session.tsx'
import { useTemplate } from '../../../client/templates.ts'
import { useTranslation } from '../../../client/translate.ts'
import { PatchEvidenceModel } from '../../../../shared/evidence/change.contract.ts'
import { misfit } from '../../../../shared/templates/custom-fields.ts'
import { ComboBox } from '../../../ui/combobox/combobox.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { CustomInput } from '../../../ui/offered/offered.tsx'
import { OFFICER } from '../edit/parts.ts'
import { useOfficerOptions } from '../officer-options.ts'
import { visible } from '../page/text/visible.ts'
import { ActDialog } from './act-dialog.tsx'
import { officerChange, officersOf } from './changes.ts'
import type { Course } from './course.ts'
import type { ActDialogOf } from './protect-dialog.tsx'
import { type Named, toastOf } from './targets.ts'
import { useChangeMany } from './use-change-many.ts'

/** As many as fit beside the field. */
const NAMED = 5

/** Whose recordings they are, as the page of one evidence says it: somebody of the station, or a name that somebody types. */
export function OfficerDialog({ targets, leftOut, onClose, onDone }: ActDialogOf) {
  const { t } = useTranslation('evidenceActs')
  const { t: ui } = useTranslation('ui')
  const format = useFormat()
  const changeMany = useChangeMany()
  const { custom } = useTemplate('Evidence')
  const field = custom.find(({ name }) => name === OFFICER)
  const [typed, setTyped] = useState('')
  const officer = typed.trim()
  const by = officerChange(officer)
  const differs = targets.some((target) => by.patchOf(target) !== null)
  const fitting =
    PatchEvidenceModel.shape.CustomFields.safeParse({ [OFFICER]: officer }).success &&
    (field === undefined || misfit(field, officer) === null)
  const why =
    officer === '' ? t('officerMissing') : !fitting ? ui('notStorable') : differs ? undefined : t('officerSame')
  const run = async (left: readonly Named[], course: Course): Promise<void> => {
    const rest = targets.filter((target) => left.includes(target))
    const said = (changed: readonly Named[]): string =>
      t('officerToast', { ...toastOf(changed, format.count), officer: visible(officer) })
    await changeMany(rest, by, said, course)
    onDone?.()
  }
  const now = officersOf(targets)
  const officers = now
    .slice(0, NAMED)
    .map(({ tag, count }) =>
      t('officerOn', { officer: tag === '' ? t('officerNone') : visible(tag), count: format.count(count) }),
    )
  return (
    <ActDialog
      title={t('officerTitle')}
      lead={t('officerLead')}
      act={t('officerAct')}
      failed={t('officerNotSet')}
      why={why}
      check={() => why === undefined}
      targets={targets}
      leftOut={leftOut}
      onAct={run}
      onClose={onClose}
    >
      {field === undefined || field.type === 'Text' ? (
        <OfficerField value={typed} onChange={setTyped} />
      ) : (
        <CustomInput field={{ ...field, name: t('officer') }} value={typed} onChange={setTyped} offered={[]} />
      )}
      <p className="muted">
        {t('officerNow', { officers: [...officers, ...(now.length > NAMED ? ['…'] : [])].join(', ') })}
      </p>
    </ActDialog>
  )
}

interface FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

function OfficerField(props: FieldProps) {
  const { t } = useTranslation('evidenceActs')
  return useIsMember() ? <OfficerSearch {...props} /> : <TextField {...props} label={t('officer')} required autoFocus />
}

function OfficerSearch({ value, onChange }: FieldProps) {
  const { t } = useTranslation('evidenceActs')
  const { options, busy } = useOfficerOptions(value)
  return (
    <ComboBox
      label={t('officer')}
      description={t('officerHow')}
      free
      filtered
      loading={busy}
      options={options}
      value={options.find(({ label }) => label === value)?.id ?? null}
      text={value}
      onText={onChange}
      onChange={(id) => {
        const one = options.find((option) => option.id === id)
        if (one !== undefined) onChange(one.label)
      }}
      required
      autoFocus
    />
  )
}
