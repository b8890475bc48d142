import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Note } from '../../ui/note/note.tsx'
import { useTranslation } from '../translate.ts'
import { type Sample, useSampleActs } from './queries.ts'
import styles from './sample.module.css'

interface Props {
  readonly onClose: () => void
}

/** Says beforehand what comes, and that all of it can go again. */
export function AddDialog({ onClose }: Props) {
  const { t } = useTranslation('sample')
  const { add } = useSampleActs()
  return (
    <ActDialog
      title={t('addTitle')}
      lead={t('addLead')}
      act={t('add')}
      failed={t('addFailed')}
      onAct={add}
      onClose={onClose}
    >
      <ul className={styles['list']}>
        <li>{t('addWhat1')}</li>
        <li>{t('addWhat2')}</li>
        <li>{t('addWhat3')}</li>
      </ul>
      <p>{t('addRemove')}</p>
      <p className="muted">{t('addTime')}</p>
    </ActDialog>
  )
}

/** Says what goes, what stays, and why it cannot go now. */
export function RemoveDialog({ removal, onClose }: Props & { readonly removal: NonNullable<Sample['Removal']> }) {
  const { t } = useTranslation('sample')
  const format = useFormat()
  const { remove } = useSampleActs()
  const { Kept: kept, Held: held, OwnUnlinked: own } = removal
  const namesOf = (list: typeof kept): string => list.map(({ Name }) => visible(Name)).join(', ')
  const heldWords = held.length === 0 ? undefined : t('held', { names: namesOf(held) })
  const files = t('goesFiles', { count: removal.Files })
  const goes = [
    removal.Evidence > 0 && t('goesEvidence', { count: removal.Evidence, files, size: format.bytes(removal.Bytes) }),
    removal.Cases > 0 && t('goesCases', { count: removal.Cases }),
    removal.Notes > 0 && t('goesNotes', { count: removal.Notes }),
    removal.Bookmarks > 0 && t('goesMarks', { count: removal.Bookmarks }),
    removal.Tasks > 0 && t('goesTasks', { count: removal.Tasks }),
  ].filter((line) => line !== false)
  return (
    <ActDialog
      title={t('removeTitle')}
      lead={t('removeLead')}
      act={t('remove')}
      failed={t('removeFailed')}
      danger
      why={heldWords}
      onAct={remove}
      onClose={onClose}
    >
      {heldWords !== undefined && <Note state="sealed" title={heldWords} />}
      <ul className={styles['list']}>
        {goes.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {own > 0 && <p>{t('staysUnlinked', { count: own })}</p>}
      {kept.length > 0 && <p>{t('staysKept', { count: kept.length, names: namesOf(kept) })}</p>}
      <p className="muted">{t('staysLedger')}</p>
    </ActDialog>
  )
}
