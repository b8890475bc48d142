import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/identity/services.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { RadioGroup } from '../../../ui/field/radio-group.tsx'
import { ActDialog } from '../act-dialog.tsx'
import { useRefresh } from '../queries.ts'
import type { Service } from '../people-queries.ts'
import type { HandedOut } from './connection.tsx'

interface RotateDialogProps {
  readonly service: Service
  readonly what: 'file' | 'apiKey'
  readonly onHanded: (handed: HandedOut) => void
  readonly onClose: () => void
}

const OVERLAPS = ['0', '60', '1440', '10080'] as const
const WORDS = { 0: 'overlapNone', 60: 'overlapHour', 1440: 'overlapDay', 10080: 'overlapWeek' } as const

/** The old one cannot be had back: how long it still works is settled here. */
export function RotateDialog({ service, what, onHanded, onClose }: RotateDialogProps) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>('60')
  const rotate = async (): Promise<void> => {
    const given = {
      params: { tenantId: tenant, serviceId: service.PrincipalId },
      body: { OverlapMinutes: Number(overlap) },
    }
    if (what === 'file') onHanded({ file: (await call(contract.rotateKey, given)).Connection })
    else onHanded({ apiKey: (await call(contract.rotateApiKey, given)).APIKey })
    refresh()
  }
  return (
    <ActDialog
      title={t(what === 'file' ? 'rotateKeyTitle' : 'rotateApiKeyTitle', { name: service.Name })}
      lead={t(what === 'file' ? 'rotateKeyLead' : 'rotateApiKeyLead')}
      act={t(what === 'file' ? 'rotateKey' : 'rotateApiKey')}
      failed={t('notDone')}
      onAct={rotate}
      onClose={onClose}
    >
      <RadioGroup
        label={t('overlap')}
        value={overlap}
        onChange={setOverlap}
        options={OVERLAPS.map((id) => ({ id, label: t(WORDS[id]) }))}
      />
    </ActDialog>
  )
}
