import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as contract from '../../../../shared/contract/prefilled-fields.ts'
import * as templates from '../../../../shared/contract/templates.ts'
import { call, newKey } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { ComboBox } from '../../../ui/combobox/combobox.tsx'
import { Button, IconButton } from '../../../ui/button/button.tsx'
import { TextArea, TextField } from '../../../ui/field/field.tsx'
import { asError } from '../../../ui/problem/as-error.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useList, useRefresh } from '../data.ts'
import { ConflictDialog, type FieldWords } from '../editing/conflict-dialog.tsx'
import { Panel, Part } from '../editing/panel.tsx'
import { Restored, SaveFoot } from '../editing/save-foot.tsx'
import { type Editing, useDraft } from '../editing/use-draft.ts'
import { useSave } from '../editing/use-save.ts'
import { Problem } from '../problem.tsx'
import type { Words } from '../words.ts'
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

interface PrefilledFormProps {
  /** null: a new one. */
  readonly field: Prefilled | null
  readonly onClose: () => void
  readonly onMade: (field: Prefilled) => void
}

export function PrefilledForm({ field, onClose, onMade }: PrefilledFormProps) {
  const { t } = useTranslation('administration')
  const editing = useDraft(`prefilled-${field?.PrefilledFieldId ?? 'new'}`, field, draftOf)
  const { draft, set, base } = editing
  const [tried, setTried] = useState(false)
  const saving = usePrefilledSave(editing, onMade)
  const { theirs } = saving
  const missing = draft.Target.trim() === ''
  return (
    <>
      <Panel
        title={field === null ? t('prefilledNew') : targetWords(field.Target, t)}
        onClose={onClose}
        onSubmit={() => {
          setTried(true)
          if (!saving.busy && !missing) saving.run(draft, base)
        }}
        foot={
          <SaveFoot
            save={t('save')}
            busy={saving.busy && theirs === null}
            why={editing.changed ? undefined : t('nothingChanged')}
            onDrop={editing.changed ? () => editing.begin(field) : undefined}
          />
        }
      >
        {editing.restored && <Restored onDrop={() => editing.begin(field)} />}
        <TargetField value={draft.Target} onChange={(Target) => set({ Target })} missing={tried && missing} />
        <TextField
          label={t('label')}
          description={t('labelHow')}
          value={draft.Label}
          onChange={(Label) => set({ Label })}
          maxLength={256}
        />
        <ValuesField values={draft.Values} onChange={(Values) => set({ Values })} />
        {saving.error !== null && <Problem error={saving.error} title={t('notSaved')} />}
        {field !== null && <Delete field={field} onGone={onClose} />}
      </Panel>
      {theirs !== null && (
        <ConflictDialog
          key={theirs.ETag}
          was={draftOf(base)}
          theirs={draftOf(theirs)}
          yours={draft}
          fields={wordsOf(t)}
          by={null}
          at={null}
          busy={saving.busy}
          onSave={(chosen) => saving.run(chosen, theirs)}
          onClose={saving.dismiss}
        />
      )}
    </>
  )
}

function usePrefilledSave(editing: Editing<Prefilled | null, PrefilledDraft>, onMade: (field: Prefilled) => void) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const id = useRef(newKey())
  const params = { tenantId: tenant }
  return useSave<Prefilled | null, PrefilledDraft>({
    save: async (typed, onto) => {
      const saved = await call(contract.updatePrefilledField, {
        params: { ...params, prefilledFieldId: onto?.PrefilledFieldId ?? id.current },
        query: onto === null ? {} : { eTag: onto.ETag },
        body: {
          Target: typed.Target.trim(),
          Label: typed.Label.trim() === '' ? null : typed.Label.trim(),
          Values: typed.Values.filter((value) => value.trim() !== ''),
        },
      })
      id.current = newKey()
      editing.begin(onto === null ? null : saved)
      refresh('prefilled')
      toasts.show({ text: t('savedToast', { name: targetWords(saved.Target, t) }) })
      if (onto === null) onMade(saved)
    },
    load: async () =>
      (await call(contract.getPrefilledFields, { params })).find(
        ({ PrefilledFieldId }) => PrefilledFieldId === editing.base?.PrefilledFieldId,
      ) ?? null,
  })
}

interface TargetFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly missing: boolean
}

/** A field of cases, one of the template's, or one that is typed. */
function TargetField({ value, onChange, missing }: TargetFieldProps) {
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
      error={missing ? t('targetMissing') : undefined}
    />
  )
}

interface ValuesFieldProps {
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}

function ValuesField({ values, onChange }: ValuesFieldProps) {
  const { t } = useTranslation('administration')
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
            maxLength={4096}
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
  const [error, setError] = useState<Error | null>(null)
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
      undo: () => void restore().catch(toasts.problem),
    })
  }
  return (
    <Part title={t('prefilledDelete')}>
      <div>
        <Button
          size="small"
          kind="danger"
          icon="trash"
          onPress={() => void remove().catch((failure: unknown) => setError(asError(failure)))}
        >
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
