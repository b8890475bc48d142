import { isReason, LONGEST_REASON } from '../../../shared/correlation/contract.ts'
import { useTranslation } from '../../client/translate.ts'
import { useTextDraft } from '../../client/use-text-draft.ts'
import { useTextProblem } from '../../client/use-text-problem.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { TextField } from '../../ui/field/field.tsx'

interface Props {
  /** The link that is refused. */
  readonly about: string
  readonly onRefuse: (reason: string) => Promise<unknown>
  readonly onClose: () => void
}

/** A refusal stays for ever, so it says why. */
export default function RefuseDialog({ about, onRefuse, onClose }: Props) {
  const { t } = useTranslation('calls')
  const [reason, setReason, forgetReason] = useTextDraft(`refuse-${about}`)
  const wrong = useTextProblem(isReason, reason.trim(), undefined)
  return (
    <ActDialog
      title={t('refuseTitle')}
      lead={t('refuseLead')}
      act={t('refuse')}
      failed={t('refuseFailed')}
      check={() => reason.trim() !== '' && wrong === undefined}
      onAct={() => onRefuse(reason.trim()).then(forgetReason)}
      onClose={onClose}
    >
      <TextField
        label={t('refuseReason')}
        value={reason}
        onChange={setReason}
        maxLength={LONGEST_REASON}
        error={wrong}
        required
      />
    </ActDialog>
  )
}
