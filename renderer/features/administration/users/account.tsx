import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as ways from '../../../../shared/identity/account.contract.ts'
import * as passkeys from '../../../../shared/identity/passkeys.contract.ts'
import * as contract from '../../../../shared/identity/users.contract.ts'
import { isReleaseOnly, isShortPassword, PASSWORD_MIN } from '../../../../shared/identity/sign-in.ts'
import { call } from '../../../client/api.ts'
import { withWords } from '../../../client/i18n.ts'
import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { useSession } from '../../../client/session.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { PasswordField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { ActButton } from '../act-button.tsx'
import { ActDialog } from '../act-dialog.tsx'
import { useRefresh } from '../queries.ts'
import { Part } from '../editing/panel.tsx'
import styles from '../people.module.css'
import type { User } from '../people-queries.ts'
import type { Words } from '../labels.ts'
import { ContainDialog, ContainedDialog, type Ended } from './contain.tsx'
import { listName } from './user-labels.tsx'

const HandOverDialog = lazyOpened(
  async () => (await withWords(import('../../../client/handover-dialog.tsx'), 'caseWork')).HandOverDialog,
)

/** The way in: freed, given a new password, closed and opened. */
export function Account({ user }: { readonly user: User }) {
  const { t } = useTranslation('administration')
  const { tenant, session } = useSession()
  const format = useFormat()
  const refresh = useRefresh()
  const [asking, setAsking] = useState<'password' | 'secondStep' | 'passkeys' | 'contain' | 'handOver' | null>(null)
  const [ended, setEnded] = useState<Ended | null>(null)
  const close = (): void => setAsking(null)
  const one = { params: { tenantId: tenant, userId: user.PrincipalId } }
  const name = listName(user)
  const able = async (on: boolean, back: boolean): Promise<void> => {
    await call(on ? contract.enableUser : contract.disableUser, one)
    refresh('principals')
    const undo = () => able(!on, false)
    toasts.show({ text: t(on ? 'enabledToast' : 'disabledToast', { name }), ...(back ? { undo } : {}) })
  }
  const free = async (): Promise<void> => {
    await call(contract.unlockUser, one)
    refresh()
    toasts.show({ text: t('unlockedToast', { name }) })
  }
  const self = user.PrincipalId === session.User?.PrincipalId
  return (
    <Part title={t('account')}>
      {user.LockedUntilUtc !== null && (
        <Note
          state="attention"
          title={
            isReleaseOnly(user.LockedUntilUtc)
              ? t('lockedUntilReleased')
              : t('lockedTitle', { time: format.timeOrDay(user.LockedUntilUtc) })
          }
        >
          {t('lockedWhere')} {t('lockedBody')}
        </Note>
      )}
      {!user.PasswordSet && (
        <Note state="attention" title={t('passwordNone')}>
          {t('passwordNoneBody')}
        </Note>
      )}
      <p className="small muted">{waysIn(user, t)}</p>
      <div className={styles['acts']}>
        {user.LockedUntilUtc !== null && (
          <ActButton label={t('unlock')} failed={t('notDone')} icon="unlock" onAct={free} />
        )}
        <Button size="small" icon="key" onPress={() => setAsking('password')}>
          {t('reset')}
        </Button>
        {user.SecondStep && (
          <Button size="small" onPress={() => setAsking('secondStep')}>
            {t('stepReset')}
          </Button>
        )}
        {user.Passkeys > 0 && (
          <Button size="small" onPress={() => setAsking('passkeys')}>
            {t('passkeysReset')}
          </Button>
        )}
        {!user.Guest && (
          <Button size="small" icon="share" onPress={() => setAsking('handOver')}>
            {t('handOver')}
          </Button>
        )}
        {/* Whoever disables oneself is out before the way back can be offered. */}
        {!self && (
          <ActButton
            key={String(user.Enabled)}
            label={t(user.Enabled ? 'disable' : 'enable')}
            failed={t('notDone')}
            onAct={() => able(!user.Enabled, true)}
          />
        )}
        {!self && (
          <Button size="small" kind="danger" onPress={() => setAsking('contain')}>
            {t('contain')}
          </Button>
        )}
      </div>
      {asking === 'password' && <ResetDialog user={user} onClose={close} />}
      {asking === 'secondStep' && <TakeStepDialog user={user} onClose={close} />}
      {asking === 'passkeys' && <TakePasskeysDialog user={user} onClose={close} />}
      {asking === 'handOver' && <HandOverDialog from={{ id: user.PrincipalId, name }} onClose={close} />}
      {asking === 'contain' && <ContainDialog user={user} onContained={setEnded} onClose={close} />}
      {ended !== null && <ContainedDialog user={user} ended={ended} onClose={() => setEnded(null)} />}
    </Part>
  )
}

/** How they come in, in a sentence each. */
const waysIn = ({ SecondStep, Passkeys, PasswordDue }: User, t: Words): string =>
  [
    t(SecondStep ? 'stepOn' : 'stepOff'),
    t('passkeyCount', { count: Passkeys }),
    ...(PasswordDue ? [t('passwordDue')] : []),
  ].join(' ')

/** For who lost phone and recovery codes: says what comes of it before it is done. */
function TakeStepDialog({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const name = listName(user)
  const take = async (): Promise<void> => {
    await call(ways.resetSecondStep, { params: { tenantId: tenant, userId: user.PrincipalId } })
    refresh()
    toasts.show({ text: t('stepResetToast', { name }) })
  }
  return (
    <ActDialog
      title={t('stepResetTitle', { name })}
      lead={t('stepResetLead')}
      act={t('stepReset')}
      failed={t('notDone')}
      danger
      onAct={take}
      onClose={onClose}
    />
  )
}

function TakePasskeysDialog({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const name = listName(user)
  const take = async (): Promise<void> => {
    await call(passkeys.resetPasskeys, { params: { tenantId: tenant, userId: user.PrincipalId } })
    refresh('account')
    toasts.show({ text: t('passkeysResetToast', { name }) })
  }
  return (
    <ActDialog
      title={t('passkeysResetTitle', { name })}
      lead={t('passkeysResetLead', { count: user.Passkeys })}
      act={t('passkeysReset')}
      failed={t('notDone')}
      danger
      onAct={take}
      onClose={onClose}
    />
  )
}

/** Typed into the dialog alone and kept nowhere. */
function ResetDialog({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const [password, setPassword] = useState('')
  const [due, setDue] = useState(true)
  const reset = async (): Promise<void> => {
    await call(contract.resetPassword, {
      params: { tenantId: tenant, userId: user.PrincipalId },
      body: { Password: password, ChangePassword: due },
    })
    refresh()
    toasts.show({ text: t('resetToast', { name: listName(user) }) })
  }
  return (
    <ActDialog
      title={t('resetTitle', { name: listName(user) })}
      lead={t('resetLead')}
      act={t('reset')}
      failed={t('notDone')}
      why={isShortPassword(password) ? t('passwordShort', { count: PASSWORD_MIN }) : undefined}
      onAct={reset}
      onClose={onClose}
    >
      <PasswordField
        label={t('newPassword')}
        required
        autoFocus
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        description={t('passwordHow', { count: PASSWORD_MIN })}
      />
      <Checkbox checked={due} onChange={setDue} description={t('dueHow')}>
        {t('due')}
      </Checkbox>
    </ActDialog>
  )
}
