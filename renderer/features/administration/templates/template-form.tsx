import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/templates/contract.ts'
import { call, Fault } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useRefresh } from '../queries.ts'
import { ConflictDialog, type FieldWords } from '../editing/conflict-dialog.tsx'
import { Restored, SaveFoot } from '../editing/save-foot.tsx'
import { type Editing, useDraft } from '../editing/use-draft.ts'
import { useSave } from '../editing/use-save.ts'
import { Problem } from '../problem.tsx'
import type { Who, Words } from '../labels.ts'
import {
  RENAMEABLE,
  type Template,
  type TemplateDraft,
  type TemplateType,
  templateDraft,
  templateMembers,
  wrongInTemplate,
} from './draft.ts'
import { FieldList } from './field-list.tsx'
import { fieldTypeWords, fieldWords } from './field-labels.ts'
import { Preview } from './preview.tsx'
import styles from './templates.module.css'

const NOTHING_WRONG: ReturnType<typeof wrongInTemplate> = new Map()

interface TemplateFormProps {
  readonly type: TemplateType
  readonly template: Template | null
}

export function TemplateForm({ type, template }: TemplateFormProps) {
  const { t } = useTranslation('administration')
  const editing = useDraft(`template-${type}`, template, templateDraft)
  const { draft, set, base, begin, changed } = editing
  const [tried, setTried] = useState(false)
  const saving = useTemplateSave(type, editing)
  const wrong = wrongInTemplate(type, draft)
  const shown = tried ? wrong : NOTHING_WRONG
  const { theirs } = saving
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!saving.busy && changed && wrong.size === 0) saving.run(draft, base)
      }}
    >
      <div className={styles['work']}>
        <div className={styles['edit']}>
          {editing.restored && <Restored onDrop={() => begin(template)} />}
          <section className={styles['part']} aria-labelledby="template-fields">
            <h2 id="template-fields" className={styles['partTitle']}>
              {t('ownFields')}
            </h2>
            <FieldList fields={draft.fields} onChange={(fields) => set({ fields })} wrong={shown} />
          </section>
          <Names type={type} renamed={draft.renamed} onChange={(renamed) => set({ renamed })} wrong={shown} />
        </div>
        <Preview type={type} draft={draft} />
      </div>
      <footer className={styles['foot']}>
        <div className={styles['said']} aria-live="polite">
          {saving.error !== null && <Problem error={saving.error} title={t('notSaved')} />}
        </div>
        <SaveFoot
          save={t('save')}
          busy={saving.busy && theirs === null}
          why={changed ? undefined : t('nothingChanged')}
          onDrop={changed ? () => begin(template) : undefined}
        />
      </footer>
      {theirs !== null && (
        <ConflictDialog
          key={theirs.lastModifiedUtc}
          was={templateDraft(base)}
          theirs={templateDraft(theirs)}
          yours={draft}
          fields={wordsOf(t)}
          by={lastBy(theirs)}
          at={theirs.lastModifiedUtc}
          busy={saving.busy}
          onSave={(chosen) => saving.run(chosen, theirs)}
          onClose={saving.dismiss}
        />
      )}
    </form>
  )
}

const lastBy = ({ lastModifiedBy: by }: Template): Who => ({
  Name: `${by.firstName} ${by.lastName}`.trim() || by.username,
})

interface NamesProps {
  readonly type: TemplateType
  readonly renamed: TemplateDraft['renamed']
  readonly onChange: (renamed: TemplateDraft['renamed']) => void
  readonly wrong: typeof NOTHING_WRONG
}

function Names({ type, renamed, onChange, wrong }: NamesProps) {
  const { t } = useTranslation('administration')
  return (
    <section className={styles['part']} aria-labelledby="template-names">
      <h2 id="template-names" className={styles['partTitle']}>
        {t('renamedFields')}
      </h2>
      <div className={styles['names']}>
        {RENAMEABLE[type].map((id) => (
          <TextField
            key={id}
            label={fieldWords(id, t)}
            value={renamed[id] ?? ''}
            onChange={(name) => onChange({ ...renamed, [id]: name })}
            placeholder={t('asUsual')}
            maxLength={contract.LONGEST_NAME}
            error={wrong.has(id) ? t('nameWrong') : undefined}
          />
        ))}
      </div>
    </section>
  )
}

/** Templates carry no version: who saved last is looked at right before, so that nobody's work is written over unseen. */
function useTemplateSave(type: TemplateType, editing: Editing<Template | null, TemplateDraft>) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const params = { tenantName: tenant }
  const now = async (): Promise<Template | null> =>
    (await call(contract.listTemplates, { params })).find((one) => one.type === type) ?? null
  return useSave<Template | null, TemplateDraft>({
    save: async (typed, onto) => {
      if ((await now())?.lastModifiedUtc !== onto?.lastModifiedUtc) throw new Fault('ConcurrentWritingError', '')
      const saved = await call(contract.putTemplate, { params, body: templateMembers(type, typed) })
      editing.begin(saved)
      refresh('templates')
      toasts.show({ text: t('templateSaved') })
    },
    load: now,
  })
}

const wordsOf = (t: Words): FieldWords<TemplateDraft> => ({
  renamed: {
    label: t('renamedFields'),
    words: (renamed) =>
      Object.entries(renamed)
        .filter(([, name]) => name !== '')
        .map(([id, name]) => `${fieldWords(id, t)}: ${name}`)
        .join('\n') || t('nothing'),
  },
  fields: {
    label: t('ownFields'),
    words: (fields) =>
      fields.map(({ name, type }) => `${name} (${fieldTypeWords(type, t)})`).join('\n') || t('nothing'),
  },
})
