import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { DEVICE_FIELDS } from '../../../../shared/devices/fields.ts'
import * as contract from '../../../../shared/retention/contract.ts'
import { UPLOADER_KINDS } from '../../../../shared/retention/retention.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Select } from '../../../ui/select/select.tsx'
import { ActDialog } from '../act-dialog.tsx'
import { useRefresh } from '../queries.ts'
import type { FieldWords } from '../editing/conflict-dialog.tsx'
import { NameField } from '../editing/name-field.tsx'
import { RecordPanel } from '../editing/record-panel.tsx'
import { type Editing, useDraft } from '../editing/use-draft.ts'
import { useRecordSave } from '../editing/use-record-save.ts'
import { RetentionField } from '../retention/retention-field.tsx'
import { RetentionChange } from '../retention/retention-preview.tsx'
import { keptWords, type Words } from '../labels.ts'
import {
  matchMembers,
  type Source,
  type SourceDraft,
  sourceDraft,
  sourceMembers,
  type WrongSource,
  wrongInSource,
} from './draft.ts'
import { UPLOADER_WORDS } from './uploader-labels.ts'

interface SourceFormProps {
  /** null: a new one. */
  readonly source: Source | null
  readonly onClose: () => void
  readonly onMade: (source: Source) => void
}

export function SourceForm({ source, onClose, onMade }: SourceFormProps) {
  const { t } = useTranslation('administration')
  const editing = useDraft(`source-${source?.SourcePolicyId ?? 'new'}`, source, sourceDraft)
  const { draft, changed } = editing
  const [deleting, setDeleting] = useState(false)
  const saving = useSourceSave(editing, onMade)
  const previewed =
    contract.fitsSomething(matchMembers(draft)) && draft.RetentionDays !== 0 && (changed || source === null)
  const self = source === null ? {} : { SourcePolicyId: source.SourcePolicyId }
  return (
    <>
      <RecordPanel
        title={source?.Name ?? t('sourceNew')}
        record={source}
        make={t('sourceMake')}
        editing={editing}
        saving={saving}
        draftOf={sourceDraft}
        words={wordsOf(t)}
        lastSave={(one) => ({ version: one.ConcurrencyId, by: one.LastModifiedBy, at: one.LastModifiedUtcTime })}
        wrong={wrongInSource(draft)}
        onClose={onClose}
        after={
          source !== null &&
          !changed && (
            <p>
              <Button kind="danger" onPress={() => setDeleting(true)}>
                {t('sourceDelete')}
              </Button>
            </p>
          )
        }
      >
        {(wrong, taken) => (
          <>
            <SourceFields editing={editing} wrong={wrong} taken={taken} />
            {previewed && <RetentionChange supposition={{ Source: { ...matchMembers(draft), ...self } }} />}
          </>
        )}
      </RecordPanel>
      {deleting && source !== null && (
        <DeleteDialog source={source} onClose={() => setDeleting(false)} onGone={onClose} />
      )}
    </>
  )
}

function useSourceSave(editing: Editing<Source | null, SourceDraft>, onMade: (source: Source) => void) {
  const { tenant: tenantName } = useSession()
  return useRecordSave<Source, SourceDraft>({
    editing,
    make: (draft, idempotencyKey) =>
      call(contract.createSourcePolicy, { params: { tenantName }, body: sourceMembers(draft), idempotencyKey }),
    change: (draft, { SourcePolicyId: sourcePolicyId, ConcurrencyId }) =>
      call(contract.updateSourcePolicy, {
        params: { tenantName, sourcePolicyId },
        body: { ...sourceMembers(draft), ConcurrencyId },
      }),
    load: async (base) =>
      (await call(contract.listSourcePolicies, { params: { tenantName } })).find(
        ({ SourcePolicyId }) => SourcePolicyId === base.SourcePolicyId,
      ) ?? null,
    nameOf: ({ Name }) => Name,
    refresh: 'disposition',
    onMade,
  })
}

interface FieldsProps {
  readonly editing: Pick<Editing<Source | null, SourceDraft>, 'draft' | 'set'>
  readonly wrong: WrongSource
  readonly taken: boolean
}

function SourceFields({ editing: { draft, set }, wrong, taken }: FieldsProps) {
  const { t } = useTranslation('administration')
  const { t: ui } = useTranslation('ui')
  return (
    <>
      <NameField value={draft.Name} onChange={(Name) => set({ Name })} wrong={wrong.Name} taken={taken} />
      <TextField
        label={t('sourceDevice')}
        description={t('sourceDeviceHow')}
        maxLength={DEVICE_FIELDS.DeviceType.most}
        value={draft.DeviceType}
        onChange={(DeviceType) => set({ DeviceType })}
        error={wrong.Match === undefined ? wrong.DeviceType && ui(wrong.DeviceType) : t(wrong.Match)}
      />
      <TextField
        label={t('sourceId')}
        description={t('sourceIdHow')}
        maxLength={contract.LONGEST_SOURCE_ID}
        value={draft.SourceId}
        onChange={(SourceId) => set({ SourceId })}
        error={wrong.SourceId && ui(wrong.SourceId)}
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
      <RetentionField
        days={draft.RetentionDays}
        onChange={(RetentionDays) => set({ RetentionDays })}
        wrong={wrong.RetentionDays}
      />
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
