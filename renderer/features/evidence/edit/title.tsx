import { useTranslation } from '../../../client/translate.ts'
import { IconButton } from '../../../ui/button/button.tsx'
import page from '../page/page.module.css'
import { visible } from '../page/text/visible.ts'
import { useEditing } from './editing.tsx'
import styles from './edit.module.css'
import { LineEditor } from './part-editor.tsx'

/** What it is called; for whoever may change it a field in its place. */
export function Title() {
  const { t } = useTranslation('evidencePage')
  const { evidence, may, drafts, begin } = useEditing()
  const name = visible(evidence.DisplayName)
  const draft = drafts.get('Name')
  if (draft?.place === 'head')
    return (
      <>
        <h1 className="unseen">
          <bdi>{name}</bdi>
        </h1>
        <LineEditor draft={draft} bare />
      </>
    )
  return (
    <div className={styles['title']}>
      <h1 className={page['title']} title={name}>
        <bdi>{name}</bdi>
      </h1>
      {may && (
        <span data-edit="Name" data-place="head">
          <IconButton
            icon="edit"
            kind="quiet"
            size="small"
            label={t('editTitle')}
            onPress={() => begin('Name', 'head')}
          />
        </span>
      )}
    </div>
  )
}
