import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as acts from '../../../../shared/cases/case-acts.contract.ts'
import { Outcome } from '../../../ui/act/outcome.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Case, evidencesOf, useCaseAct, useRefreshCase } from '../queries.ts'
import { useMay } from '../rights.ts'
import { ActDialog } from './act-dialog.tsx'

/** What goes, what stays, and the way back, before anything happens (guide, Destruction). */
export function DeleteDialog({ record, onClose }: { readonly record: Case; readonly onClose: () => void }) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const act = useCaseAct(record.CaseId)
  const refresh = useRefreshCase(record.CaseId)
  const mayRestore = useMay('RestoreFromRecycleBin')
  const evidence = evidencesOf(record).length
  const [withFiles, setWithFiles] = useState(false)
  const remove = async (): Promise<void> => {
    await act(acts.deleteCase, { query: withFiles ? { withFiles: 'true' } : {} })
    const undo = () => act(acts.restoreCase, {}).then(refresh)
    toasts.show({ text: t('deletedToast', { title: visible(record.Title) }), ...(mayRestore ? { undo } : {}) })
  }
  return (
    <ActDialog
      title={t('deleteTitle', { ordinal: record.Ordinal })}
      act={t('delete')}
      failed={t('notDeleted')}
      danger
      onAct={remove}
      onClose={onClose}
    >
      <Outcome icon="trash" title={t('goes')}>
        <li>{t('goesCase')}</li>
        <li>{t('goesAccess', { count: record.AccessPolicies.length })}</li>
        {withFiles && <li>{t('goesFiles')}</li>}
      </Outcome>
      <Outcome icon="ok" title={t('stays')}>
        <li>{withFiles ? t('staysShared') : t('staysEvidence', { count: evidence, shown: format.count(evidence) })}</li>
        <li>{t('staysHistory')}</li>
      </Outcome>
      <Outcome icon="undo" title={t('wayBack')}>
        <li>{t('wayBackBody')}</li>
      </Outcome>
      {evidence > 0 && (
        <Checkbox checked={withFiles} onChange={setWithFiles} description={t('withFilesHow')}>
          {t('withFiles')}
        </Checkbox>
      )}
    </ActDialog>
  )
}
