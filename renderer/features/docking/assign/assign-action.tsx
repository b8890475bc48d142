import { Suspense, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { withWords } from '../../../client/i18n.ts'
import { inPolicy } from '../../../client/rights.ts'
import { useSession } from '../../../client/session.tsx'
import { Button, type ButtonSize } from '../../../ui/button/button.tsx'
import { visible } from '../../../ui/format/visible.ts'
import styles from './assign.module.css'
import { lazyPart } from '../../../client/load-chunk.ts'

const TakeDialog = lazyPart(() => withWords(import('./take-dialog.tsx'), 'dockSessions', 'signIn'))

interface Props {
  /** Of the camera in the bay; null: it is scanned or typed. */
  readonly serial: string | null
  /** Where it is known; serial numbers may be two makers'. */
  readonly deviceId?: string | null | undefined
  readonly size?: ButtonSize | undefined
  /** The dialog is open from the start: its field takes what a scanner types. */
  readonly startOpen?: boolean | undefined
  /** The page that it stands on asks again. */
  readonly onTaken?: (() => void) | undefined
}

/**
 * "This is mine", for a bay or for a camera that is scanned. With nobody signed in it asks for the officer's own sign-in, for this one act
 * (decisions 10); whoever manages devices also assigns to others. Stands on its own: it needs a session provider and no router.
 */
export function AssignAction({ serial, deviceId, size, startOpen = false, onTaken }: Props) {
  const { t } = useTranslation('dockSessions')
  const { session } = useSession()
  const [open, setOpen] = useState(startOpen)
  // A locked screen is somebody's: a sign-in of another would end their session. It is unlocked first.
  if (session.State === 'locked') return null
  const manages = session.State === 'open' && inPolicy(session, 'ManageDevices')
  return (
    <>
      <Button icon={serial === null ? 'search' : 'user'} size={size} onPress={() => setOpen(true)}>
        {serial === null ? t('scan') : t(manages ? 'assign' : 'mine')}
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

interface TileAssignProps {
  readonly serial: string
  readonly tabIndex: number
  /** Opens the dialog, which is not in here: as soon as the camera is somebody's this goes. */
  readonly onPress: () => void
}

/** Lies unseen over all of what it stands in, which says itself that it can be touched. */
export function TileAssign({ serial, tabIndex, onPress }: TileAssignProps) {
  const { t } = useTranslation('dockSessions')
  const { session } = useSession()
  const manages = session.State === 'open' && inPolicy(session, 'ManageDevices')
  return (
    <button type="button" className={styles['over']} tabIndex={tabIndex} onClick={onPress}>
      {t(manages ? 'assign' : 'mine')} {visible(serial)}
    </button>
  )
}

/** @param serial of the camera that is being taken; null: none is */
export function Taking({ serial, onClose }: { readonly serial: string | null; readonly onClose: () => void }) {
  if (serial === null) return null
  return (
    <Suspense fallback={null}>
      <TakeDialog serial={serial} deviceId={null} onClose={onClose} />
    </Suspense>
  )
}
