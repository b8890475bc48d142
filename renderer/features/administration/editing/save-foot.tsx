import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Note } from '../../../ui/note/note.tsx'

interface SaveFootProps {
  readonly save: string
  readonly busy: boolean
  /** Why it cannot be saved yet. */
  readonly why?: string | undefined
  readonly onDrop?: (() => void) | undefined
}

/** Save, and the way back to what stands at the station. */
export function SaveFoot({ save, busy, why, onDrop }: SaveFootProps) {
  const { t } = useTranslation('administration')
  return (
    <>
      {onDrop !== undefined && <Button onPress={onDrop}>{t('dropAll')}</Button>}
      <Button kind="main" type="submit" busy={busy} why={why}>
        {save}
      </Button>
    </>
  )
}

/** Above a form that holds what was typed before a reload. */
export function Restored({ onDrop }: { readonly onDrop: () => void }) {
  const { t } = useTranslation('administration')
  return (
    <Note
      title={t('restoredTitle')}
      action={
        <Button size="small" onPress={onDrop}>
          {t('restoredDrop')}
        </Button>
      }
    />
  )
}
