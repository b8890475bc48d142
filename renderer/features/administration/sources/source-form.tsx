import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as contract from '../../../../shared/contract/retention.ts'
import { UPLOADER_KINDS } from '../../../../shared/domain/retention.ts'
import { call, newKey } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { RadioGroup } from '../../../ui/field/choice.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { NumberField } from '../../../ui/field/number-field.tsx'
import { Select } from '../../../ui/select/select.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { ActDialog } from '../act-dialog.tsx'
import { useRefresh } from '../data.ts'
import { ConflictDialog, type FieldWords } from '../editing/conflict-dialog.tsx'
import { Panel } from '../editing/panel.tsx'
import { Restored, SaveFoot } from '../editing/save-foot.tsx'
import { type Editing, useDraft } from '../editing/use-draft.ts'
import { useSave } from '../editing/use-save.ts'
import { isNameTaken, Problem } from '../problem.tsx'
import { RetentionChange } from '../retention/retention-preview.tsx'
import { keptWords, type Words } from '../words.ts'
import {
  fitsSomething,
  matchMembers,
  type Source,
  type SourceDraft,
  sourceDraft,
  sourceMembers,
  type WrongSource,
  wrongInSource,
} from './draft.ts'
import { UPLOADER_WORDS } from './words.ts'

interface SourceFormProps {
  /** null: a new one. */
  readonly source: Source | null
  readonly onClose: () => void
  readonly onMade: (source: Source) => void
}

export function SourceForm({ source, onClose, onMade }: SourceFormProps) {
  const { t } = useTranslation('administration')
  const editing = useDraft(`source-${source?.SourcePolicyId ?? 'new'}`, source, sourceDraft)
  const { draft, base } = editing
  const [tried, setTried] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const saving = useSourceSave(editing, onMade)
  const wrong = wrongInSource(draft)
  const save = (): void => {
    setTried(true)
    if (!saving.busy && Object.keys(wrong).length === 0) saving.run(draft, base)
  }
  const { theirs } = saving
  const previewed = fitsSomething(draft) && draft.RetentionDays !== 0 && (editing.changed || source === null)
  return (
    <>
      <Panel
        title={source?.Name ?? t('sourceNew')}
        onClose={onClose}
        onSubmit={save}
        foot={
          <SaveFoot
            save={t(source === null ? 'sourceMake' : 'save')}
            busy={saving.busy && theirs === null}
            why={editing.changed || source === null ? undefined : t('nothingChanged')}
            onDrop={editing.changed ? () => editing.begin(source) : undefined}
          />
        }
      >
        {editing.restored && <Restored onDrop={() => editing.begin(source)} />}
        <SourceFields editing={editing} wrong={tried ? wrong : {}} taken={isNameTaken(saving.error)} />
        {previewed && (
          <RetentionChange
            supposition={{
              Source: {
                ...matchMembers(draft),
                ...(source === null ? {} : { SourcePolicyId: source.SourcePolicyId }),
              },
            }}
          />
        )}
        {saving.error !== null && !isNameTaken(saving.error) && <Problem error={saving.error} title={t('notSaved')} />}
        {source !== null && !editing.changed && (
          <p>
            <Button kind="danger" onPress={() => setDeleting(true)}>
              {t('sourceDelete')}
            </Button>
          </p>
        )}
      </Panel>
      {deleting && source !== null && (
        <DeleteDialog source={source} onClose={() => setDeleting(false)} onGone={onClose} />
      )}
      {theirs !== null && (
        <ConflictDialog
          key={theirs.ConcurrencyId}
          was={sourceDraft(base)}
          theirs={sourceDraft(theirs)}
          yours={draft}
          fields={wordsOf(t)}
          by={theirs.LastModifiedBy}
          at={theirs.LastModifiedUtcTime}
          busy={saving.busy}
          onSave={(chosen) => saving.run(chosen, theirs)}
          onClose={saving.dismiss}
        />
      )}
    </>
  )
}

function useSourceSave(editing: Editing<Source | null, SourceDraft>, onMade: (source: Source) => void) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const key = useRef(newKey())
  const params = { tenantName: tenant }
  return useSave<Source | null, SourceDraft>({
    save: async (typed, onto) => {
      const body = sourceMembers(typed)
      const saved =
        onto === null
          ? await call(contract.createSourcePolicy, { params, body, idempotencyKey: key.current })
          : await call(contract.updateSourcePolicy, {
              params: { ...params, sourcePolicyId: onto.SourcePolicyId },
              body: { ...body, ConcurrencyId: onto.ConcurrencyId },
            })
      key.current = newKey()
      editing.begin(onto === null ? null : saved)
      refresh('disposition')
      toasts.show({ text: t(onto === null ? 'madeToast' : 'savedToast', { name: saved.Name }) })
      if (onto === null) onMade(saved)
    },
    load: async () =>
      (await call(contract.listSourcePolicies, { params })).find(
        ({ SourcePolicyId }) => SourcePolicyId === editing.base?.SourcePolicyId,
      ) ?? null,
  })
}

interface FieldsProps {
  readonly editing: { readonly draft: SourceDraft; readonly set: (change: Partial<SourceDraft>) => void }
  readonly wrong: WrongSource
  readonly taken: boolean
}

function SourceFields({ editing: { draft, set }, wrong, taken }: FieldsProps) {
  const { t } = useTranslation('administration')
  const kept = draft.RetentionDays === null
  return (
    <>
      <TextField
        label={t('name')}
        required
        value={draft.Name}
        onChange={(Name) => set({ Name })}
        error={wrong.Name !== undefined ? t(wrong.Name) : taken ? t('refusedNameTaken') : undefined}
      />
      <TextField
        label={t('sourceDevice')}
        description={t('sourceDeviceHow')}
        maxLength={256}
        value={draft.DeviceType}
        onChange={(DeviceType) => set({ DeviceType })}
        error={wrong.Match === undefined ? undefined : t(wrong.Match)}
      />
      <TextField
        label={t('sourceId')}
        description={t('sourceIdHow')}
        maxLength={1024}
        value={draft.SourceId}
        onChange={(SourceId) => set({ SourceId })}
      />
      <Select
        label={t('sourceUploader')}
        value={draft.Uploader === '' ? 'anybody' : draft.Uploader}
        onChange={(one) => set({ Uploader: one === 'anybody' ? '' : one })}
        options={[
          { id: 'anybody' as const, label: t('uploaderAnybody') },
          ...UPLOADER_KINDS.map((id) => ({ id, label: t(UPLOADER_WORDS[id]) })),
        ]}
      />
      <RadioGroup
        label={t('retention')}
        value={kept ? 'always' : 'days'}
        onChange={(choice) => set({ RetentionDays: choice === 'always' ? null : 0 })}
        options={[
          { id: 'always', label: t('keptAlways'), description: t('keptAlwaysHow') },
          { id: 'days', label: t('keptFor'), description: t('keptForHow') },
        ]}
      />
      {!kept && (
        <NumberField
          label={t('days')}
          min={1}
          max={36_525}
          required
          value={draft.RetentionDays === 0 ? Number.NaN : (draft.RetentionDays ?? Number.NaN)}
          onChange={(days) => set({ RetentionDays: Number.isNaN(days) ? 0 : days })}
          error={wrong.RetentionDays === undefined ? undefined : t(wrong.RetentionDays)}
        />
      )}
    </>
  )
}

interface DeleteProps {
  readonly source: Source
  readonly onClose: () => void
  readonly onGone: () => void
}

function DeleteDialog({ source, onClose, onGone }: DeleteProps) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const remove = async (): Promise<void> => {
    await call(contract.deleteSourcePolicy, {
      params: { tenantName: tenant, sourcePolicyId: source.SourcePolicyId },
    })
    refresh('disposition')
    onGone()
  }
  return (
    <ActDialog
      title={t('sourceDelete')}
      lead={t('sourceDeleteLead', { name: source.Name })}
      act={t('sourceDelete')}
      failed={t('notSaved')}
      danger
      onAct={remove}
      onClose={onClose}
    >
      <RetentionChange supposition={{ Source: { SourcePolicyId: source.SourcePolicyId, Remove: true } }} />
    </ActDialog>
  )
}

const wordsOf = (t: Words): FieldWords<SourceDraft> => {
  const text = (value: string): string => (value === '' ? t('nothing') : value)
  return {
    Name: { label: t('name'), words: text },
    DeviceType: { label: t('sourceDevice'), words: text },
    SourceId: { label: t('sourceId'), words: text },
    Uploader: {
      label: t('sourceUploader'),
      words: (one) => t(one === '' ? 'uploaderAnybody' : UPLOADER_WORDS[one]),
    },
    RetentionDays: { label: t('retention'), words: (days) => keptWords(days, t) },
  }
}
