import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/network/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { ActDialog } from '../../../ui/act/act-dialog.tsx'
import { Outcome } from '../../../ui/act/outcome.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { Refusal } from './change-dialog.tsx'
import { type Certificate, useLanAct } from './queries.ts'

interface Props {
  readonly ca: Certificate
  readonly onClose: () => void
}

/** Every paired computer loses its pairing by it: what stops, what stays, when it is right. */
export default function NewCa({ ca, onClose }: Props) {
  const { t } = useTranslation('network')
  const { tenant } = useSession()
  const act = useLanAct()
  const [seen, setSeen] = useState(false)
  const [tried, setTried] = useState(false)
  return (
    <ActDialog
      title={t('caNewTitle')}
      lead={t('caNewLead')}
      act={t('caNew')}
      failed={t('caNewFailed')}
      danger
      check={() => {
        setTried(true)
        return seen
      }}
      problem={(error) => <Refusal error={error} title={t('caNewFailed')} />}
      onAct={async () => {
        await act(
          call(contract.replaceLanCa, {
            params: { tenantId: tenant },
            body: { Sha256Fingerprint: ca.Sha256Fingerprint },
          }),
        )
        toasts.show({ text: t('caMade') })
      }}
      onClose={onClose}
    >
      <Outcome icon="danger" title={t('caNewGoes')}>
        <li>{t('caNewGoes1')}</li>
        <li>{t('caNewGoes2')}</li>
      </Outcome>
      <Outcome icon="ok" title={t('caNewStays')}>
        <li>{t('caNewStays1')}</li>
        <li>{t('caNewStays2')}</li>
      </Outcome>
      <Outcome icon="waiting" title={t('caNewWhen')}>
        <li>{t('caNewWhen1')}</li>
      </Outcome>
      <Checkbox checked={seen} onChange={setSeen} error={tried && !seen ? t('caNewConfirmNeeded') : undefined}>
        {t('caNewConfirm')}
      </Checkbox>
    </ActDialog>
  )
}
