import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as contract from '../../../../shared/contract/devices.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button } from '../../../ui/button/button.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Device, useRefresh } from '../data.ts'
import styles from '../devices.module.css'
import { ActDialog, Problem } from '../problem.tsx'
import { nameOf, titleOf } from '../words.ts'

/**
 * Makes a device active or inactive. That can be taken back as long as no officer has it: what ends with it would not come back, so that
 * is asked first.
 */
export function ActiveButton({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices')
  const turn = useTurn(device)
  const { busy, error, run } = useAct()
  const [asking, setAsking] = useState(false)
  const active = device.State === 'Active'
  const whose = device.AssignedTo.map((who) => nameOf(who, t)).join(', ')
  return (
    <>
      <Button
        kind={active ? 'plain' : 'main'}
        busy={busy}
        onPress={() => (active && whose !== '' ? setAsking(true) : run(() => turn(!active, true)))}
      >
        {t(active ? 'deactivate' : 'activate')}
      </Button>
      {error !== null && (
        <div className={styles['wide']}>
          <Problem error={error} title={t(active ? 'notDeactivated' : 'notActivated')} />
        </div>
      )}
      {asking && (
        <ActDialog
          title={t('deactivateTitle', { name: titleOf(device) })}
          lead={t('deactivateLead', { who: whose })}
          act={t('deactivate')}
          failed={t('notDeactivated')}
          danger
          onAct={() => turn(false, false)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
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
    const undo = (): void => void turn(!on, false).catch(toasts.problem)
    toasts.show({
      text: t(on ? 'activatedToast' : 'deactivatedToast', { name: titleOf(device) }),
      ...(back ? { undo } : {}),
    })
  }
  return turn
}
