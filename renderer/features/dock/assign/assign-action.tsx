import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withWords } from '../../../client/i18n.ts'
import { inPolicy } from '../../../client/rights.ts'
import { useSession } from '../../../client/session.tsx'
import { Button, type ButtonSize } from '../../../ui/button/button.tsx'
import styles from './assign.module.css'

const TakeDialog = lazy(() => withWords(import('./take-dialog.tsx')))

interface Props {
  /** Of the camera in the bay; null: it is scanned or typed. */
  readonly serial: string | null
  /** Where it is known; serial numbers may be two makers'. */
  readonly deviceId?: string | null | undefined
  readonly size?: ButtonSize | undefined
  /** It lies unseen over all of what it stands in, which says itself that it can be pressed. */
  readonly over?: boolean | undefined
  readonly tabIndex?: number | undefined
  /** The page that it stands on asks again. */
  readonly onTaken?: (() => void) | undefined
}

/**
 * "This is mine", for a bay or for a camera that is scanned. With nobody signed in it asks for the officer's own sign-in, for this one act
 * (decisions 10); whoever manages devices also assigns to others. Stands on its own: it needs a session provider and no router.
 */
export function AssignAction({ serial, deviceId, size, over = false, tabIndex, onTaken }: Props) {
  const { t } = useTranslation('dockSessions')
  const { session } = useSession()
  const [open, setOpen] = useState(false)
  // A locked screen is somebody's: a sign-in of another would end their session. It is unlocked first.
  if (session.State === 'locked') return null
  const manages = session.State === 'open' && inPolicy(session, 'ManageDevices')
  return (
    <>
      <Button
        icon={over ? undefined : serial === null ? 'search' : 'user'}
        size={size}
        tabIndex={tabIndex}
        className={over ? styles['over'] : undefined}
        onPress={() => setOpen(true)}
      >
        {serial === null ? t('scan') : t(manages ? 'assign' : 'mine')}
        {over && ` ${serial ?? ''}`}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <TakeDialog
            serial={serial}
            deviceId={deviceId ?? null}
            onClose={() => setOpen(false)}
            {...(onTaken === undefined ? {} : { onTaken })}
          />
        </Suspense>
      )}
    </>
  )
}
