import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { RadioGroup } from '../../../ui/field/radio-group.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Select } from '../../../ui/select/select.tsx'
import { choicesOf, RENAMEABLE, type TemplateDraft, type TemplateType, type TypedField } from './draft.ts'
import { fieldWords } from './field-labels.ts'
import styles from './templates.module.css'

/** The form as people will see it, while it is typed. What is put into it goes nowhere. */
export function Preview({ type, draft }: { readonly type: TemplateType; readonly draft: TemplateDraft }) {
  const { t } = useTranslation('administration')
  const named = (id: string): string => {
    const given = draft.renamed[id]?.trim() ?? ''
    return given === '' ? fieldWords(id, t) : given
  }
  return (
    <section className={styles['preview']} aria-labelledby="template-preview" data-region>
      <h2 id="template-preview" className={styles['partTitle']}>
        {t('preview')}
      </h2>
      <p className="small muted">{t(type === 'Case' ? 'previewCase' : 'previewEvidence')}</p>
      {RENAMEABLE[type].map((id) => (
        <Tried key={id} label={named(id)} field={null} />
      ))}
      {draft.fields.map((field) => (
        <Tried key={field.key} label={field.name.trim() === '' ? t('fieldNew') : field.name} field={field} />
      ))}
    </section>
  )
}

/** One field to be tried out. */
function Tried({ label, field }: { readonly label: string; readonly field: TypedField | null }) {
  const { t } = useTranslation('administration')
  const [value, setValue] = useState('')
  if (field?.type === 'Boolean')
    return (
      <RadioGroup
        label={label}
        inline
        value={value}
        onChange={setValue}
        options={[
          { id: 'true', label: t('yes') },
          { id: 'false', label: t('no') },
          { id: '', label: t('notSaid') },
        ]}
      />
    )
  if (field?.type === 'Choice') {
    const choices = [...new Set(choicesOf(field))]
    return (
      <Select
        label={label}
        value={choices.includes(value) ? value : null}
        placeholder={t('notSaid')}
        onChange={setValue}
        options={choices.map((choice) => ({ id: choice, label: choice }))}
      />
    )
  }
  const hint = field?.type === 'Number' ? '12.5' : field?.type === 'Date' ? '2026-11-20' : undefined
  return <TextField label={label} value={value} onChange={setValue} placeholder={hint} />
}
