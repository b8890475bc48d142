import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { refusalOf } from './refusal.ts'

interface Props {
  readonly label: string
  /** The id of what names the one it is done to. */
  readonly about?: string | undefined
  readonly onAct: () => Promise<unknown>
}

/** Done at once; what went wrong stands beside it. */
export function Act({ label, about, onAct }: Props) {
  const { t } = useTranslation('account')
  const format = useFormat()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const run = (): void => {
    setBusy(true)
    setRefusal(null)
    onAct()
      .catch((error: unknown) => setRefusal(refusalOf(error, t, format.duration)))
      .finally(() => setBusy(false))
  }
  return (
    <>
      <Button size="small" busy={busy} onPress={run} aria-describedby={about}>
        {label}
      </Button>
      {refusal !== null && <Note state="attention" title={refusal} />}
    </>
  )
}
