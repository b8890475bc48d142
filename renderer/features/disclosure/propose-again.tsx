import { useState } from 'react'
import { type Disclosures, type Proposal, useProposal } from '../../client/disclosure/disclosure.ts'
import { Refusal } from '../../client/disclosure/refusal.tsx'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../../ui/button/button.tsx'
import { DiscloseDialog } from './acts.tsx'

interface Props {
  readonly one: Proposal
  readonly known: Disclosures
}

/** For whoever proposed it: the form begins with what they typed. */
export function ProposeAgain({ one, known }: Props) {
  const { t } = useTranslation('disclosure')
  const { session } = useSession()
  const [isOpen, setIsOpen] = useState(false)
  if (one.ProposedBy.PrincipalId !== session.User?.PrincipalId) return null
  return (
    <>
      <Button size="small" icon="refresh" onPress={() => setIsOpen(true)}>
        {t('proposeAgainDots')}
      </Button>
      {isOpen && <AgainDialog one={one} known={known} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function AgainDialog({ one, known, onClose }: Props & { readonly onClose: () => void }) {
  const { t } = useTranslation('disclosure')
  const { data, error } = useProposal(one)
  if (error !== null) return <Refusal error={error} title={t('proposalNotRead')} />
  if (data === undefined || data.Asked === null) return null
  return (
    <DiscloseDialog
      caseId={one.CaseId}
      mode={{ kind: 'again', proposal: data, asked: data.Asked }}
      known={known}
      onClose={onClose}
    />
  )
}
