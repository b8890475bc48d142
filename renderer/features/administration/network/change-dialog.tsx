import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Fault } from '../../../client/api.ts'
import { ActDialog } from '../../../ui/act/act-dialog.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { Problem } from '../../../ui/problem/problem.tsx'
import { type Lan, type LanChange, useLanChange } from './queries.ts'

/** What is done only by somebody who was told what comes of it. */
const ASKED_AGAIN = {
  LanWouldLockYouOut: ['LockMeOut', 'lockOutTitle', 'lockOutBody'],
  LanNewCaNeeded: ['NewCa', 'newCaNeededTitle', 'newCaNeededBody'],
} as const

const askedAgain = (error: Error) =>
  error instanceof Fault ? ASKED_AGAIN[error.code as keyof typeof ASKED_AGAIN] : undefined

const SAID = {
  LanPortTaken: 'refusedPort',
  LanOff: 'refusedOff',
  LanCaNotCurrent: 'refusedCa',
  LanHostNotFound: 'refusedGone',
} as const

/** A refusal in this page's own words. */
export function Refusal({ error, title }: { readonly error: Error; readonly title: string }) {
  const { t } = useTranslation('network')
  const word = error instanceof Fault ? SAID[error.code as keyof typeof SAID] : undefined
  return <Problem error={error} title={title} said={word === undefined ? undefined : t(word)} />
}

interface Props {
  readonly title: string
  readonly lead?: string | undefined
  readonly act: string
  readonly failed: string
  readonly danger?: boolean | undefined
  readonly change: LanChange
  /** Whether what was given can be sent, asked on the press. */
  readonly check?: (() => boolean) | undefined
  readonly onDone?: ((lan: Lan) => void) | undefined
  readonly onClose: () => void
  readonly children?: ReactNode
}

/** A change of the network. What would shut its own author out, or every paired computer, is asked once more. */
export function ChangeDialog({ change, onDone, danger = false, act, failed, ...dialog }: Props) {
  const { t } = useTranslation('network')
  const send = useLanChange()
  const key = JSON.stringify(change)
  const [insisted, setInsisted] = useState<{ readonly key: string; readonly flags: LanChange }>({ key, flags: {} })
  const flags = insisted.key === key ? insisted.flags : {}
  const insists = Object.keys(flags).length > 0
  return (
    <ActDialog
      {...dialog}
      act={insists ? t('allTheSame') : act}
      failed={failed}
      danger={danger || insists}
      problem={(error) => {
        const again = askedAgain(error)
        if (again === undefined) return <Refusal error={error} title={failed} />
        return (
          <Note state="attention" title={t(again[1])}>
            {t(again[2])}
          </Note>
        )
      }}
      onAct={async () => {
        try {
          const answer = await send({ ...change, ...flags })
          onDone?.(answer)
        } catch (error) {
          const again = error instanceof Error ? askedAgain(error) : undefined
          if (again !== undefined) setInsisted({ key, flags: { ...flags, [again[0]]: true } })
          throw error
        }
      }}
    />
  )
}
