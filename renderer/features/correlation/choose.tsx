import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { listCases } from '../../../shared/cases/case-list.contract.ts'
import { listEvidence } from '../../../shared/evidence/contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { ComboBox } from '../../ui/combobox/combobox.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { visible } from '../../ui/format/visible.ts'

const TYPING_PAUSE = 250
const MOST = '30'

interface Choice {
  readonly id: string
  readonly label: string
  readonly note: string
}

interface ChooseProps {
  readonly onChoose: (id: string, name: string) => void
  readonly onClose: () => void
}

/** For which recording one wants to know why it is not in the case. Only what one can view is found. */
export function ChooseEvidence(props: ChooseProps) {
  const { t } = useTranslation('correlation')
  const ask = async (tenantName: string, text: string, signal: AbortSignal): Promise<Choice[]> => {
    const query = { count: MOST, ...(text === '' ? {} : { text }) }
    const { Items } = await call(listEvidence, { params: { tenantName }, query, signal })
    return Items.map(({ EvidenceId, DisplayName }) => ({
      id: EvidenceId,
      label: visible(DisplayName),
      note: EvidenceId,
    }))
  }
  return <Choose {...props} of="evidence" ask={ask} label={t('chooseEvidence')} />
}

/** For which case one wants to know why the recording is not in it. */
export function ChooseCase(props: ChooseProps) {
  const { t } = useTranslation('correlation')
  const ask = async (tenantId: string, text: string, signal: AbortSignal): Promise<Choice[]> => {
    const query = { count: MOST, ...(text === '' ? {} : { text }) }
    const { Items } = await call(listCases, { params: { tenantId }, query, signal })
    return Items.map(({ CaseId, Title, Ordinal }) => ({ id: CaseId, label: visible(Title ?? ''), note: Ordinal }))
  }
  return <Choose {...props} of="case" ask={ask} label={t('chooseCase')} />
}

interface Asking extends ChooseProps {
  readonly of: 'case' | 'evidence'
  readonly label: string
  readonly ask: (tenant: string, text: string, signal: AbortSignal) => Promise<Choice[]>
}

function Choose({ of, label, ask, onChoose, onClose }: Asking) {
  const { t } = useTranslation('correlation')
  const { tenant } = useSession()
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  const { data, isFetching } = useQuery({
    queryKey: [`${of}-list`, tenant, 'why-not', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => ask(tenant, asked, signal),
  })
  return (
    <Dialog title={t('chooseTitle')} lead={t('chooseLead')} onClose={onClose}>
      <ComboBox
        label={label}
        options={data ?? []}
        value={null}
        onChange={(id) => {
          const found = data?.find((one) => one.id === id)
          if (found !== undefined) onChoose(found.id, found.label)
        }}
        text={text}
        onText={setText}
        filtered
        loading={isFetching}
        autoFocus
      />
    </Dialog>
  )
}
