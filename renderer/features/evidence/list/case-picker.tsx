import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listCases } from '../../../../shared/contract/case-list.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { ComboBox } from '../../../ui/combobox/combobox.tsx'
import { visible } from '../page/text/visible.ts'
import styles from './list.module.css'

const TYPING_PAUSE = 250
const MOST_FOUND = '30'

/** A case that one can view, found by what its title and numbers say. */
export default function CasePicker({ onChoose }: { readonly onChoose: (caseId: string) => void }) {
  const { t } = useTranslation('evidenceList')
  const { tenant } = useSession()
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  const { data, isFetching } = useQuery({
    queryKey: ['case-list', tenant, 'to-filter', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(listCases, {
        params: { tenantId: tenant },
        query: { count: MOST_FOUND, ...(asked === '' ? {} : { text: asked }) },
        signal,
      }),
  })
  return (
    <div className={styles['picker']}>
      <ComboBox
        label={t('filterCase')}
        description={t('filterCaseHow')}
        options={(data?.Items ?? []).map(({ CaseId, Title, Ordinal }) => ({
          id: CaseId,
          label: visible(Title ?? ''),
          note: Ordinal,
        }))}
        value={null}
        onChange={(id) => id !== null && onChoose(id)}
        text={text}
        onText={setText}
        filtered
        loading={isFetching}
        autoFocus
      />
    </div>
  )
}
