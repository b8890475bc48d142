import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/cases/prefilled-fields.contract.ts'
import * as templates from '../../../../shared/templates/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { ComboBox } from '../../../ui/combobox/combobox.tsx'
import { Button, IconButton } from '../../../ui/button/button.tsx'
import { TextArea, TextField } from '../../../ui/field/field.tsx'
import { useAct } from '../../../ui/act/use-act.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useList, useRefresh } from '../queries.ts'
import type { FieldWords } from '../editing/conflict-dialog.tsx'
import { Part } from '../editing/panel.tsx'
import { RecordPanel } from '../editing/record-panel.tsx'
import { type Editing, useDraft } from '../editing/use-draft.ts'
import { useRecordSave } from '../editing/use-record-save.ts'
import { wrongMembers } from '../editing/wrong-members.ts'
import { Problem } from '../problem.tsx'
import type { Words } from '../labels.ts'
import styles from './prefilled.module.css'
import { type Prefilled, TARGETS, targetWords } from './targets.ts'

interface PrefilledDraft {
  readonly Target: string
  readonly Label: string
  readonly Values: readonly string[]
}

const draftOf = (field: Prefilled | null): PrefilledDraft => ({
  Target: field?.Target ?? '',
  Label: field?.Label ?? '',
  Values: field?.Values ?? [''],
})

const membersOf = ({ Target, Label, Values }: PrefilledDraft) => ({
  Target: Target.trim(),
  Label: Label.trim() === '' ? null : Label.trim(),
  Values: Values.filter((value) => value.trim() !== ''),
})

const isStorable = (value: string): boolean => contract.PrefilledValue.safeParse(value).success

/** What can be told before the station is asked. */
const wrongIn = (draft: PrefilledDraft) => ({
  ...wrongMembers(contract.PrefilledFieldUpdateModel, membersOf(draft), {
    Target: draft.Target.trim() === '' ? 'targetMissing' : 'nameWrong',
    Label: 'notStorable',
  } as const),
  ...(draft.Values.every(isStorable) ? {} : { Values: 'notStorable' as const }),
})

interface PrefilledFormProps {
  /** null: a new one. */
  readonly field: Prefilled | null
  readonly onClose: () => void
  readonly onMade: (field: Prefilled) => void
}

export function PrefilledForm({ field, onClose, onMade }: PrefilledFormProps) {
  const { t } = useTranslation('administration')
  const { t: ui } = useTranslation('ui')
  const editing = useDraft(`prefilled-${field?.PrefilledFieldId ?? 'new'}`, field, draftOf)
  const { draft, set } = editing
  const saving = usePrefilledSave(editing, onMade)
  return (
    <RecordPanel
      title={field === null ? t('prefilledNew') : targetWords(field.Target, t)}
      record={field}
      make={t('save')}
      editing={editing}
      saving={saving}
      draftOf={draftOf}
      words={wordsOf(t)}
      lastSave={({ ETag }) => ({ version: ETag, by: null, at: null })}
      wrong={wrongIn(draft)}
      onClose={onClose}
      after={field !== null && <Delete field={field} onGone={onClose} />}
    >
      {(wrong) => (
        <>
          <TargetField value={draft.Target} onChange={(Target) => set({ Target })} problem={wrong.Target} />
          <TextField
            label={t('label')}
            description={t('labelHow')}
            value={draft.Label}
            onChange={(Label) => set({ Label })}
            maxLength={contract.LONGEST_LABEL}
            error={wrong.Label && ui(wrong.Label)}
          />
          <ValuesField values={draft.Values} onChange={(Values) => set({ Values })} wrong={wrong.Values} />
        </>
      )}
    </RecordPanel>
  )
}

function usePrefilledSave(editing: Editing<Prefilled | null, PrefilledDraft>, onMade: (field: Prefilled) => void) {
  const { t } = useTranslation('administration')
  const { tenant: tenantId } = useSession()
  const put = (prefilledFieldId: string, draft: PrefilledDraft, onto: Prefilled | null) =>
    call(contract.updatePrefilledField, {
      params: { tenantId, prefilledFieldId },
      query: onto === null ? {} : { eTag: onto.ETag },
      body: membersOf(draft),
    })
  return useRecordSave<Prefilled, PrefilledDraft>({
    editing,
    // The page gives the id: asked for twice it is one.
    make: (draft, key) => put(key, draft, null),
    change: (draft, onto) => put(onto.PrefilledFieldId, draft, onto),
    load: async (base) =>
      (await call(contract.getPrefilledFields, { params: { tenantId } })).find(
        ({ PrefilledFieldId }) => PrefilledFieldId === base.PrefilledFieldId,
      ) ?? null,
    nameOf: ({ Target }) => targetWords(Target, t),
    refresh: 'prefilled',
    onMade,
  })
}

interface TargetFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly problem: 'targetMissing' | 'nameWrong' | undefined
}

/** A field of cases, one of the template's, or one that is typed. */
function TargetField({ value, onChange, problem }: TargetFieldProps) {
  const { t } = useTranslation('administration')
  const { rows } = useList('templates', (tenantName, signal) =>
    call(templates.listTemplates, { params: { tenantName }, signal }),
  )
  const own = rows?.find(({ type }) => type === 'Case')?.customFields.map(({ name }) => name) ?? []
  const options = [...TARGETS, ...own].map((id) => ({ id, label: targetWords(id, t) }))
  const known = options.find(({ id }) => id === value)
  return (
    <ComboBox
      label={t('target')}
      required
      free
      options={options}
      value={known?.id ?? null}
      text={known?.label ?? value}
      onText={(typed) => onChange(options.find(({ label }) => label === typed)?.id ?? typed)}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      error={problem && t(problem)}
    />
  )
}

interface ValuesFieldProps {
  readonly values: readonly string[]
  readonly wrong: 'notStorable' | undefined
  readonly onChange: (values: readonly string[]) => void
}

function ValuesField({ values, wrong, onChange }: ValuesFieldProps) {
  const { t } = useTranslation('administration')
  const { t: ui } = useTranslation('ui')
  return (
    <div className={styles['values']} role="group" aria-label={t('values')}>
      {values.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a value is its place
        <div key={at} className={styles['value']}>
          <TextArea
            label={t('valueAt', { at: at + 1 })}
            rows={1}
            value={value}
            onChange={(typed) => onChange(values.map((one, place) => (place === at ? typed : one)))}
            maxLength={contract.LONGEST_VALUE}
            error={wrong === undefined || isStorable(value) ? undefined : ui(wrong)}
          />
          <IconButton
            icon="x"
            size="small"
            label={t('takeOut', { name: t('valueAt', { at: at + 1 }) })}
            onPress={() => onChange(values.filter((_, place) => place !== at))}
          />
        </div>
      ))}
      <div>
        <Button size="small" icon="plus" onPress={() => onChange([...values, ''])}>
          {t('valueAdd')}
        </Button>
      </div>
    </div>
  )
}

/** What it offered stays where it was taken over; the field itself comes back by undo. */
function Delete({ field, onGone }: { readonly field: Prefilled; readonly onGone: () => void }) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const { error, run } = useAct()
  const params = { tenantId: tenant, prefilledFieldId: field.PrefilledFieldId }
  const restore = async (): Promise<void> => {
    const { Target, Label, Values } = field
    await call(contract.updatePrefilledField, { params, query: {}, body: { Target, Label, Values } })
    refresh('prefilled')
  }
  const remove = async (): Promise<void> => {
    await call(contract.deletePrefilledField, { params })
    onGone()
    refresh('prefilled')
    toasts.show({
      text: t('prefilledDeleted', { name: targetWords(field.Target, t) }),
      undo: () => restore(),
    })
  }
  return (
    <Part title={t('prefilledDelete')}>
      <div>
        <Button size="small" kind="danger" icon="trash" onPress={() => run(remove)}>
          {t('prefilledDelete')}
        </Button>
      </div>
      {error !== null && <Problem error={error} title={t('notDone')} />}
    </Part>
  )
}

const wordsOf = (t: Words): FieldWords<PrefilledDraft> => ({
  Target: { label: t('target'), words: (target) => targetWords(target, t) },
  Label: { label: t('label'), words: (label) => (label === '' ? t('nothing') : label) },
  Values: { label: t('values'), words: (values) => values.join('\n') || t('nothing') },
})
