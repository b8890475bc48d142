import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../client/load-chunk.ts'
import { useTranslation } from '../../client/translate.ts'
import { useViews, type View } from '../../client/views.ts'
import { IconButton } from '../../ui/button/button.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Menu } from '../../ui/popover/menu.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import styles from './rail.module.css'

const ViewDialog = lazyPart(() => import('../../ui/views/view-dialog.tsx'))

/** One's own views of the list, under the area that they belong to. */
export function RailViews() {
  const { t } = useTranslation('frame')
  const { views, rename, move, remove } = useViews()
  const [renaming, setRenaming] = useState<View | null>(null)
  if (views.length === 0) return null
  const takeAway = (view: View): void =>
    void remove(view).then(
      (undo) =>
        toasts.show({
          text: t('viewRemoved', { name: visible(view.name) }),
          undo: () => undo(),
        }),
      toasts.problem,
    )
  return (
    <>
      <ul className={styles['views']} aria-label={t('views')}>
        {views.map((view, at) => (
          <li key={view.id} className={styles['view']}>
            <Link
              to="/evidence"
              search={view.question.Search}
              activeOptions={{ exact: true }}
              activeProps={{ 'aria-current': 'true' }}
              title={visible(view.name)}
            >
              <bdi>{visible(view.name)}</bdi>
            </Link>
            <span className={styles['viewMore']}>
              <Menu
                label={t('viewMore', { name: visible(view.name) })}
                placement="right bottom"
                trigger={
                  <IconButton
                    icon="more"
                    size="small"
                    kind="quiet"
                    label={t('viewMore', { name: visible(view.name) })}
                    tooltip={false}
                  />
                }
                sections={[
                  {
                    items: [
                      { id: 'rename', label: t('viewRename'), icon: 'edit', onAction: () => setRenaming(view) },
                      ...(at === 0
                        ? []
                        : [
                            { id: 'up', label: t('viewUp'), onAction: () => void move(view, -1).catch(toasts.problem) },
                          ]),
                      ...(at === views.length - 1
                        ? []
                        : [
                            {
                              id: 'down',
                              label: t('viewDown'),
                              onAction: () => void move(view, 1).catch(toasts.problem),
                            },
                          ]),
                    ],
                  },
                  { items: [{ id: 'remove', label: t('viewRemove'), icon: 'trash', onAction: () => takeAway(view) }] },
                ]}
              />
            </span>
          </li>
        ))}
      </ul>
      {renaming !== null && (
        <Suspense fallback={null}>
          <ViewDialog
            title={t('viewRename')}
            start={renaming.name}
            onSave={(name) => rename(renaming, name)}
            onClose={() => setRenaming(null)}
          />
        </Suspense>
      )}
    </>
  )
}
