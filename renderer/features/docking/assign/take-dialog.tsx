import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import type { z } from 'zod'
import { DEVICE_FIELDS } from '../../../../shared/devices/fields.ts'
import { TAKE_HOURS, takeDevice, type TakenDevice } from '../../../../shared/devices/take.contract.ts'
import { call, Fault, newKey } from '../../../client/api.ts'
import { noPasskeysHere, PasskeyStopped } from '../../../client/passkeys.ts'
import { inPolicy } from '../../../client/rights.ts'
import { useSession } from '../../../client/session.tsx'
import { asError } from '../../../ui/problem/as-error.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Note } from '../../../ui/note/note.tsx'
import { Segments } from '../../../ui/segments/segments.tsx'
import styles from './assign.module.css'
import { type Officer, OfficerField } from './officer-field.tsx'
import { actOnce, type Proof } from './once.ts'
import { refusalOf } from './refusal.ts'
import { EMPTY_SIGN_IN, SignInFields, type SignInDraft } from './sign-in-fields.tsx'

type Taken = z.output<typeof TakenDevice>

interface Props {
  readonly serial: string | null
  readonly deviceId: string | null
  readonly onClose: () => void
  readonly onTaken?: () => void
}

const SHIFTS = ['8', '12', '24'] as const
type Shift = (typeof SHIFTS)[number]
/** With nobody signed in, what somebody began and left is gone after this (guide, Kiosk). */
const LEFT_MS = 60_000

/** Fetched when it is opened. */
export default function TakeDialog({ serial, deviceId, onClose, onTaken }: Props) {
  const { t } = useTranslation('dockSessions')
  const { session } = useSession()
  const alone = session.State !== 'open'
  const [taken, setTaken] = useState<{ readonly answer: Taken; readonly whom: Officer | null } | null>(null)
  const [busy, setBusy] = useState(false)
  // A passkey may take longer than anybody touches this page, and what became of it has to be read here.
  useLeft(alone && !busy, onClose)
  const title = serial === null ? t('takeTitleScan') : t('takeTitle', { serial: visible(serial) })
  if (taken !== null) return <Done {...taken} alone={alone} title={title} onClose={onClose} />
  return (
    <Form
      {...{ serial, deviceId, onClose, title, busy }}
      onBusy={setBusy}
      onTaken={(answer, whom) => {
        setTaken({ answer, whom })
        onTaken?.()
      }}
    />
  )
}

/** Closes where nobody touched it for a while. */
function useLeft(counts: boolean, onClose: () => void): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  }, [onClose])
  useEffect(() => {
    if (!counts) return
    let timer = setTimeout(() => close.current(), LEFT_MS)
    const again = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => close.current(), LEFT_MS)
    }
    const events = ['pointerdown', 'keydown'] as const
    for (const name of events) window.addEventListener(name, again, { capture: true })
    return () => {
      clearTimeout(timer)
      for (const name of events) window.removeEventListener(name, again, { capture: true })
    }
  }, [counts])
}

interface FormProps extends Omit<Props, 'onTaken'> {
  readonly title: string
  readonly busy: boolean
  readonly onBusy: (busy: boolean) => void
  readonly onTaken: (answer: Taken, whom: Officer | null) => void
}

function Form({ serial, deviceId, onClose, title, busy, onBusy, onTaken }: FormProps) {
  const { t } = useTranslation('dockSessions')
  const { t: ui } = useTranslation('ui')
  const { session, tenant } = useSession()
  const refused = useRefusals()
  const alone = session.State !== 'open'
  const manages = !alone && inPolicy(session, 'ManageDevices')
  const [typed, setTyped] = useState('')
  const [hours, setHours] = useState<Shift>(String(TAKE_HOURS) as Shift)
  const [whom, setWhom] = useState<Officer | null>(null)
  const [endOthers, setEndOthers] = useState(true)
  const [draft, setDraft] = useState<SignInDraft>(EMPTY_SIGN_IN)
  const [tried, setTried] = useState<'password' | 'passkey' | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [key] = useState(newKey)
  const named = serial ?? typed.trim()
  const asking = useRef<AbortController | null>(null)
  useEffect(() => () => asking.current?.abort(), [])

  const act = (): Promise<Taken> =>
    call(takeDevice, {
      params: { tenantId: tenant, deviceId: deviceId ?? named },
      body: {
        Hours: Number(hours),
        ...(whom === null ? {} : { PrincipalId: whom.id }),
        ...(manages ? { EndOthers: endOthers } : {}),
      },
      idempotencyKey: key,
    })
  const send = (how: 'password' | 'passkey'): void => {
    setTried(how)
    const ready =
      how === 'passkey' || (draft.username !== '' && draft.password !== '' && (!draft.asked || draft.code !== ''))
    if (busy || named === '' || (alone && (!draft.read || !ready))) return
    onBusy(true)
    setRefusal(null)
    asking.current = new AbortController()
    const { signal } = asking.current
    const done = alone ? actOnce({ ...proofOf(draft, how, session.Notice?.Id ?? 'default'), signal }, act) : act()
    done
      .then(
        (answer) => onTaken(answer, whom),
        (error: unknown) => {
          const code = error instanceof Fault ? error.code : null
          // The code is a new question: that it is not there yet is no fault.
          if (code === 'SecondStepNeeded' || code === 'SecondStepRefused') setTried(null)
          if (code === 'SecondStepNeeded') return setDraft({ ...draft, asked: true, code: '' })
          setRefusal(refused(error))
          // What was refused at the door has to be typed again; a wrong camera has not.
          if (code === 'SignInRefused') setDraft({ ...draft, password: '', code: '', asked: false })
          else if (!(error instanceof PasskeyStopped)) setDraft({ ...draft, code: '' })
        },
      )
      .finally(() => onBusy(false))
  }
  return (
    <Dialog
      title={title}
      lead={t(whom === null ? 'takeLead' : 'takeLeadOther')}
      onClose={onClose}
      keep
      actions={
        <>
          <Button onPress={onClose}>{ui('cancel')}</Button>
          {alone && noPasskeysHere() === null && (
            <Button icon="key" busy={busy} onPress={() => send('passkey')}>
              {t('withPasskey')}
            </Button>
          )}
          <Button kind="main" busy={busy} onPress={() => send('password')}>
            {t(whom === null ? 'take' : 'takeAssign')}
          </Button>
        </>
      }
    >
      <form
        className={styles['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          send('password')
        }}
      >
        {serial === null && (
          <TextField
            label={t('takeSerial')}
            name="serial"
            description={t('takeSerialHelp')}
            value={typed}
            onChange={setTyped}
            autoComplete="off"
            spellCheck={false}
            maxLength={DEVICE_FIELDS.SerialNumber.most}
            autoFocus
            required
            error={tried !== null && named === '' ? t('takeSerialNeeded') : undefined}
          />
        )}
        {manages && <OfficerField label={t('takeFor')} placeholder={t('takeForMe')} value={whom} onChange={setWhom} />}
        <div className={styles['shift']}>
          <span aria-hidden="true">{t('takeHours')}</span>
          <Segments<Shift>
            label={t('takeHours')}
            value={hours}
            onChange={setHours}
            segments={SHIFTS.map((id) => ({ id, label: t('hours', { count: Number(id) }) }))}
          />
        </div>
        {manages && (
          <Checkbox checked={endOthers} onChange={setEndOthers}>
            {t('endOthers')}
          </Checkbox>
        )}
        {alone && <SignInFields draft={draft} onChange={setDraft} tried={tried} first={serial !== null} />}
        <div aria-live="assertive">
          {refusal !== null && (
            <Note state="attention" title={t('takeFailed')}>
              {refusal}
            </Note>
          )}
        </div>
        {/* Enter in any field acts, also the Enter that a barcode reader types behind what it read. */}
        <input type="submit" hidden />
      </form>
    </Dialog>
  )
}

const proofOf = (draft: SignInDraft, how: 'password' | 'passkey', noticeId: string): Omit<Proof, 'signal'> => ({
  noticeId,
  password:
    how === 'passkey'
      ? null
      : { username: draft.username, password: draft.password, code: draft.asked ? draft.code : null },
})

function useRefusals(): (error: unknown) => string {
  const { t } = useTranslation('dockSessions')
  const { t: door } = useTranslation('signIn')
  const format = useFormat()
  return (error) => refusalOf(asError(error), t, door, format.duration)
}

interface DoneProps {
  readonly title: string
  readonly answer: Taken
  readonly whom: Officer | null
  readonly alone: boolean
  readonly onClose: () => void
}

function Done({ title, answer, whom, alone, onClose }: DoneProps) {
  const { t } = useTranslation('dockSessions')
  const format = useFormat()
  const { ToUtc } = answer.Association
  const serial = visible(answer.Device.SerialNumber)
  const said = {
    serial,
    name: whom?.name ?? '',
    time: ToUtc === null ? '' : format.instant(ToUtc, { precision: 'minute' }),
  }
  const words =
    whom === null
      ? t(ToUtc === null ? 'takenLasting' : 'taken', said)
      : t(ToUtc === null ? 'takenForLasting' : 'takenFor', said)
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <Button kind="main" autoFocus onPress={onClose}>
          {t('done')}
        </Button>
      }
    >
      <div className={styles['form']} role="status">
        <Note state="ok" title={words}>
          {t(alone ? 'takenBody' : 'takenBodyHere')}
        </Note>
        {answer.OthersCount > 0 && (
          <Note state="attention" title={t('others', { count: answer.OthersCount })}>
            {t('othersBody')}
          </Note>
        )}
      </div>
    </Dialog>
  )
}
