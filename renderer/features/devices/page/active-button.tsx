import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as associations from '../../../../shared/devices/associations.contract.ts'
import * as contract from '../../../../shared/devices/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button } from '../../../ui/button/button.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Device, useRefresh } from '../queries.ts'
import styles from '../devices.module.css'
import { ActDialog, Problem } from '../problem.tsx'
import { nameOf, titleOf } from '../labels.ts'

/**
 * Makes a device active or inactive. That can be taken back as long as no officer has it: what ends with it would not come back, so that
 * is asked first.
 */
export function ActiveButton({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices')
  const turn = useTurn(device)
  const { busy, error, run } = useAct()
  const whose = useWhose(device)
  /** Who would lose it. */
  const [asking, setAsking] = useState<string | null>(null)
  const active = device.State === 'Active'
  const deactivate = async (): Promise<void> => {
    const names = await whose()
    if (names === '') await turn(false, true)
    else setAsking(names)
  }
  return (
    <>
      <Button
        kind={active ? 'plain' : 'main'}
        busy={busy}
        onPress={() => run(active ? deactivate : () => turn(true, true))}
      >
        {t(active ? 'deactivate' : 'activate')}
      </Button>
      {error !== null && (
        <div className={styles['wide']}>
          <Problem error={error} title={t(active ? 'notDeactivated' : 'notActivated')} />
        </div>
      )}
      {asking !== null && (
        <ActDialog
          title={t('deactivateTitle', { name: titleOf(device) })}
          lead={t('deactivateLead', { who: asking })}
          act={t('deactivate')}
          failed={t('notDeactivated')}
          danger
          onAct={() => turn(false, false)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  )
}

/** Whose it is now or will be. Looked at when it matters: an association may have been made since the page was read. */
function useWhose(device: Device): () => Promise<string> {
  const { t } = useTranslation('devices')
  const { tenant } = useSession()
  return async () => {
    const params = { tenantId: tenant, deviceId: device.Id }
    const found = await call(associations.listAssociations, { params })
    const left = found.filter(({ ToUtc }) => ToUtc === null || Date.parse(ToUtc) > Date.now())
    return [...new Set(left.map(({ Officer }) => nameOf(Officer, t)))].join(', ')
  }
}

function useTurn(device: Device): (on: boolean, back: boolean) => Promise<void> {
  const { t } = useTranslation('devices')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const turn = async (on: boolean, back: boolean): Promise<void> => {
    await call(on ? contract.activateDevice : contract.deactivateDevice, {
      params: { tenantId: tenant, deviceId: device.Id },
    })
    await refresh()
    const undo = () => turn(!on, false)
    toasts.show({
      text: t(on ? 'activatedToast' : 'deactivatedToast', { name: titleOf(device) }),
      ...(back ? { undo } : {}),
    })
  }
  return turn
}
