import * as contract from '../../../shared/disclosure/contract.ts'
import { call } from '../../client/api.ts'
import type { Disclosure } from '../../client/disclosure/disclosure.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { visible } from '../../ui/format/visible.ts'
import { ReasonDialog } from './reason-dialog.tsx'

interface Props {
  readonly line: Disclosure['Withheld'][number]
  readonly record: Disclosure
  readonly onClose: () => void
}

/** Records that the ground of a withheld line no longer applies: from then on it is due to the recipient. */
export function EndGroundDialog({ line, record, onClose }: Props) {
  const { t } = useTranslation('disclosure')
  const { tenant } = useSession()
  return (
    <ReasonDialog
      title={t('endGroundTitle')}
      lead={t('endGroundLead', { description: visible(line.Description) })}
      act={t('endGround')}
      failed={t('groundNotEnded')}
      done={t('groundEndedToast')}
      onAct={(Reason) =>
        call(contract.endGround, {
          params: { tenantId: tenant, caseId: record.CaseId, no: String(record.No) },
          body: { EvidenceId: line.EvidenceId, ResourceId: line.ResourceId, Reason },
        })
      }
      onClose={onClose}
    />
  )
}
