import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { ComboBox } from '../../../ui/combobox/combobox.tsx'
import { useCasesFound } from '../cases-found.ts'
import { visible } from '../page/text/visible.ts'
import styles from './list.module.css'

/** A case that one can view, found by what its title and numbers say. */
export default function CasePicker({ onChoose }: { readonly onChoose: (caseId: string) => void }) {
  const { t } = useTranslation('evidenceList')
  const [text, setText] = useState('')
  const { data, isFetching, isCurrent } = useCasesFound(text)
  return (
    <div className={styles['picker']}>
      <ComboBox
        label={t('filterCase')}
        description={t('filterCaseHow')}
        options={(isCurrent ? (data?.Items ?? []) : []).map(({ CaseId, Title, Ordinal }) => ({
          id: CaseId,
          label: visible(Title ?? ''),
          note: Ordinal,
        }))}
        value={null}
        onChange={(id) => id !== null && onChoose(id)}
        text={text}
        onText={setText}
        filtered
        loading={isFetching || !isCurrent}
        autoFocus
      />
    </div>
  )
}
