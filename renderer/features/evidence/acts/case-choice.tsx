import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { ComboBox } from '../../../ui/combobox/combobox.tsx'
import { useCasesFound } from '../cases-found.ts'
import { visible } from '../page/text/visible.ts'

export interface ChosenCase {
  readonly id: string
  readonly title: string
}

interface CaseChoiceProps {
  readonly label: string
  /** A case that is not offered. */
  readonly but?: string | null
  readonly chosen: ChosenCase | null
  readonly onChoose: (chosen: ChosenCase | null) => void
}

/** An open case that this person may edit, found by title, number or place. */
export function CaseChoice({ label, but = null, chosen, onChoose }: CaseChoiceProps) {
  const { t } = useTranslation('evidenceActs')
  const [text, setText] = useState('')
  const { data, isFetching, isCurrent } = useCasesFound(text, { state: 'Open' })
  const items = isCurrent || text === chosen?.title ? (data?.Items ?? []) : []
  const offered = items.filter(
    ({ CaseId, AccessorPermissions }) => CaseId !== but && AccessorPermissions.includes('Edit'),
  )
  return (
    <ComboBox
      label={label}
      description={t('caseHow')}
      options={offered.map(({ CaseId, Title, Ordinal }) => ({ id: CaseId, label: visible(Title), note: Ordinal }))}
      value={chosen?.id ?? null}
      onChange={(id) => {
        const found = offered.find(({ CaseId }) => CaseId === id)
        if (found === undefined) return onChoose(null)
        const title = visible(found.Title)
        onChoose({ id: found.CaseId, title })
        setText(title)
      }}
      text={text}
      onText={setText}
      filtered
      loading={isFetching || !isCurrent}
      required
      autoFocus
    />
  )
}
