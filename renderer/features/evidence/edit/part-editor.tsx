/** The field of each part, by what it holds. */
import { useId, useState } from 'react'
import type { CustomField } from '../../../../shared/templates/custom-fields.ts'
import { useCategories } from '../../../client/categories.ts'
import { useIsMember } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { ComboBox } from '../../../ui/combobox/combobox.tsx'
import { DateTimeField } from '../../../ui/date-time/date-time.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { TextArea, TextField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { CustomInput } from '../../../ui/offered/offered.tsx'
import { Select } from '../../../ui/select/select.tsx'
import { useOfficerOptions } from '../officer-options.ts'
import { visible } from '../page/text/visible.ts'
import type { Draft } from './drafts.ts'
import { useEditing } from './editing.tsx'
import styles from './edit.module.css'
import { SaveButtons } from './failure.tsx'
import { useKeptWords } from './fields.ts'
import { InPlace } from './in-place.tsx'
import { customName, needsReason, OFFICER, type Part, type TimePart } from './parts.ts'

interface EditorProps {
  readonly draft: Draft
}

export function PartEditor({ draft }: EditorProps) {
  const { fields } = useEditing()
  const { part } = draft
  const name = customName(part)
  const field = fields.custom.find((one) => one.name === name)
  if (name === OFFICER && (field === undefined || field.type === 'Text')) return <OfficerEditor draft={draft} />
  if (name !== null)
    return <CustomEditor draft={draft} field={field ?? { name, type: 'Text' }} isKnown={field !== undefined} />
  switch (part) {
    case 'CategoryId':
      return <CategoryEditor draft={draft} />
    case 'StartTimeUtc':
    case 'EndTimeUtc':
      return <TimeEditor draft={draft} part={part} />
    case 'Description':
      return <AreaEditor draft={draft} />
    default:
      return <LineEditor draft={draft} />
  }
}

/** What is wrong with a part, in words; undefined before somebody tried to save it. */
export function useWrongWords(): (part: Part) => string | undefined {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const { wrongOf } = useEditing()
  return (part) => {
    const wrong = wrongOf(part)
    if (wrong === null) return undefined
    return wrong.problem === 'tooLong'
      ? t('tooLong', { most: format.count(wrong.most), length: format.count(wrong.length) })
      : t(wrong.problem)
  }
}

/** Line ends and tabs of a pasted table are spaces in a line. */
const inOneLine = (text: string): string => text.replaceAll(/[\t\r\n\u2028\u2029]+/g, ' ')

export function LineEditor({ draft: { part, value }, bare = false }: EditorProps & { readonly bare?: boolean }) {
  const { t } = useTranslation('evidencePage')
  const { fields, type, opened } = useEditing()
  const wrong = useWrongWords()
  return (
    <InPlace part={part} keys="line" className={bare ? styles['titleField'] : undefined}>
      <TextField
        label={fields.label(part)}
        hideLabel={bare}
        value={value}
        onChange={(typed) => type(part, part === 'Name' ? inOneLine(typed) : typed)}
        description={t(part === 'Position' ? 'positionHow' : 'editHowLine')}
        error={wrong(part)}
        required={part === 'Name' && !bare}
        autoFocus={opened === part}
      />
    </InPlace>
  )
}

const LONG_TEXT = 200

function AreaEditor({ draft: { part, value, was } }: EditorProps) {
  const { t } = useTranslation('evidencePage')
  const { fields, type, opened } = useEditing()
  const wrong = useWrongWords()
  return (
    <InPlace part={part} keys="area">
      <TextArea
        label={fields.label(part)}
        value={value}
        onChange={(typed) => type(part, typed)}
        rows={was.length > LONG_TEXT ? 10 : 5}
        description={t('editHowArea')}
        error={wrong(part)}
        autoFocus={opened === part}
      />
    </InPlace>
  )
}

/** No id can be called so. */
const NONE = 'none'

function CategoryEditor({ draft: { part, value } }: EditorProps) {
  const { t } = useTranslation('evidencePage')
  const { fields, save, opened } = useEditing()
  const { data: categories = [] } = useCategories()
  const keptWords = useKeptWords()
  const options = categories
    .filter((one) => one.Enabled || one.CategoryId === value)
    .map((one) => ({
      id: one.CategoryId,
      label: visible(one.Name),
      note: one.Enabled ? keptWords(one.RetentionDays) : t('categoryDisabled'),
    }))
  return (
    <InPlace part={part} keys="choice">
      <Select
        label={fields.label(part)}
        value={value === '' ? NONE : value}
        onChange={(id) => save(part, id === NONE ? '' : id)}
        options={[{ id: NONE, label: t('categoryNone'), note: t('categoryNoneNote') }, ...options]}
        autoFocus={opened === part}
      />
      <SaveButtons part={part} />
    </InPlace>
  )
}

interface CustomProps extends EditorProps {
  readonly field: CustomField
  readonly isKnown: boolean
}

/** By the type that the template gives it: a choice saves at once, a date by its button, a text as every text. */
function CustomEditor({ draft: { part, value }, field, isKnown }: CustomProps) {
  const { t } = useTranslation('evidencePage')
  const { fields, type, save, opened } = useEditing()
  const wrong = useWrongWords()
  if (!isKnown || field.type === 'Text' || field.type === 'Number')
    return (
      <InPlace part={part} keys="line">
        <TextField
          label={fields.label(part)}
          value={value}
          onChange={(typed) => type(part, typed)}
          description={t(fields.known && !isKnown ? 'editNotTemplate' : 'editHowLine')}
          error={wrong(part)}
          autoFocus={opened === part}
        />
      </InPlace>
    )
  const chosen = field.type === 'Boolean' || field.type === 'Choice'
  return (
    <InPlace part={part} keys="choice">
      <CustomInput
        field={{ ...field, name: fields.label(part) }}
        value={value}
        onChange={(next) => (chosen ? save(part, next) : type(part, next))}
        offered={[]}
      />
      <SaveButtons part={part} />
    </InPlace>
  )
}

/** Somebody of the station, or a name that somebody types. */
function OfficerEditor(props: EditorProps) {
  return useIsMember() ? <OfficerSearch {...props} /> : <LineEditor {...props} />
}

function OfficerSearch({ draft: { part, value } }: EditorProps) {
  const { t } = useTranslation('evidencePage')
  const { fields, type, save, opened } = useEditing()
  const { options, busy } = useOfficerOptions(value)
  return (
    <InPlace part={part} keys="line">
      <ComboBox
        label={fields.label(part)}
        description={t('officerHow')}
        free
        filtered
        loading={busy}
        options={options}
        value={null}
        text={value}
        onText={(typed) => type(part, typed)}
        onChange={(id) => {
          const one = options.find((option) => option.id === id)
          if (one !== undefined) save(part, one.label)
        }}
        autoFocus={opened === part}
      />
    </InPlace>
  )
}

/** A time, why it is another one, and what was recorded beside it (I12). */
function TimeEditor({ draft: { part, value, was, beside }, part: time }: EditorProps & { readonly part: TimePart }) {
  const { t } = useTranslation('evidencePage')
  const { fields, type, beside: putBeside, wrongOf, evidence, opened } = useEditing()
  const format = useFormat()
  const words = useWrongWords()
  const [now] = useState(() => Date.now())
  const id = useId()
  const recorded = evidence.Clock.DeviceTimeUtc
  const isStart = time === 'StartTimeUtc'
  const missing = wrongOf(part)?.problem === 'reasonMissing'
  const changed = value !== was
  return (
    <InPlace part={part} keys="choice">
      <DateTimeField
        label={fields.label(part)}
        precision="second"
        zone={format.zone}
        value={value === '' ? null : value}
        onChange={(at) => type(part, at ?? '')}
        description={isStart ? t('timeEmptyHow') : undefined}
        error={missing ? undefined : words(part)}
        autoFocus={opened === part}
      />
      {value !== '' && Date.parse(value) > now && <p className={styles['restored']}>{t('timeFuture')}</p>}
      {isStart && recorded !== null && (
        <p className={styles['beside']} id={id}>
          {t('timeRecorded', { time: format.instant(recorded, { precision: 'second', zone: true }) })}
        </p>
      )}
      {isStart && evidence.EndTimeUtc !== null && was !== '' && (
        <Checkbox checked={beside.moveEnd === true} onChange={(moveEnd) => putBeside(part, { moveEnd })}>
          {t('timeMoveEnd')}
        </Checkbox>
      )}
      {(changed || (beside.reason ?? '') !== '') && needsReason(evidence, time) && (
        <TextField
          label={t('timeReason')}
          value={beside.reason ?? ''}
          onChange={(reason) => putBeside(part, { reason: inOneLine(reason) })}
          description={t('timeReasonHow')}
          error={missing ? words(part) : undefined}
          required
        />
      )}
      <SaveButtons part={part} />
    </InPlace>
  )
}
