import { useNavigate } from '@tanstack/react-router'
import { Suspense, useRef, useState } from 'react'
import { lazyPart } from '../../../client/load-chunk.ts'
import { useTranslation } from '../../../client/translate.ts'
import { useViews, type View } from '../../../client/views.ts'
import { IconButton } from '../../../ui/button/button.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Menu } from '../../../ui/popover/menu.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type ListSearch, readSearch, toAddress } from './search.ts'

const ViewDialog = lazyPart(() => import('../../../ui/views/view-dialog.tsx'))

interface Props {
  readonly search: ListSearch
  /** What is shown now; a view keeps them. */
  readonly columns: readonly string[]
}

/** Shows a view again, keeps what is shown as one, and brings the one that was opened last up to date. */
export function ViewsMenu({ search, columns }: Props) {
  const { t } = useTranslation('evidenceList')
  const navigate = useNavigate()
  const { views, save, replace } = useViews()
  const [saving, setSaving] = useState(false)
  const address = toAddress({ ...search, cols: [...columns] }) as View['question']['Search']
  const shown = views.find(({ question }) => isSame(readSearch(question.Search), { ...search, cols: [...columns] }))
  const opened = useLastShown(shown, views)
  const show = (id: string): void => {
    const view = views.find((one) => one.id === id)
    if (view !== undefined) void navigate({ to: '/evidence', search: view.question.Search })
  }
  return (
    <>
      <Menu
        label={t('views')}
        trigger={<IconButton label={t('views')} icon="flag" kind="plain" />}
        sections={[
          ...(views.length === 0
            ? []
            : [
                {
                  label: t('views'),
                  items: views.map(({ id, name }) => ({ id, label: visible(name) })),
                  selected: shown?.id ?? '',
                  onSelect: show,
                },
              ]),
          {
            items: [
              ...(opened === undefined || shown !== undefined
                ? []
                : [
                    {
                      id: '(update)',
                      label: t('updateView', { name: visible(opened.name) }),
                      icon: 'refresh' as const,
                      onAction: () =>
                        void replace(opened, { Search: address }).then(
                          () => toasts.show({ text: t('viewUpdated', { name: visible(opened.name) }) }),
                          toasts.problem,
                        ),
                    },
                  ]),
              { id: '(save)', label: t('saveView'), icon: 'plus' as const, onAction: () => setSaving(true) },
            ],
          },
        ]}
      />
      {saving && (
        <Suspense fallback={null}>
          <ViewDialog
            title={t('saveViewTitle')}
            start=""
            onSave={async (name) => {
              await save(name, { List: 'evidence', Search: address })
              toasts.show({ text: t('viewSaved', { name: visible(name) }) })
              void navigate({ to: '/evidence', search: address, replace: true })
            }}
            onClose={() => setSaving(false)}
          />
        </Suspense>
      )}
    </>
  )
}

const isSame = (one: ListSearch, other: ListSearch): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The view that was shown before somebody changed what is shown; as it is called and kept now. */
function useLastShown(shown: View | undefined, views: readonly View[]): View | undefined {
  const last = useRef<string | undefined>(undefined)
  if (shown !== undefined) last.current = shown.id
  return views.find(({ id }) => id === last.current)
}
