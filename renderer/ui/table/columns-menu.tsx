import { useTranslation } from '../../client/translate.ts'
import { IconButton } from '../button/button.tsx'
import { Menu } from '../popover/menu.tsx'

export interface ColumnsMenuProps {
  /** All there are, in their order; the first one and those that are `fixed` always stay. */
  readonly columns: readonly { readonly id: string; readonly label: string; readonly fixed?: boolean | undefined }[]
  /** The chosen ids, kept by the caller. */
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
  /** What *as they were* means; left out, there is no way back. */
  readonly standard?: readonly string[] | undefined
  /** Further choices of how the list looks. */
  readonly choices?:
    | readonly {
        readonly id: string
        readonly label: string
        readonly on: boolean
        readonly onChange: (on: boolean) => void
      }[]
    | undefined
}

/** Which columns a list shows. */
export function ColumnsMenu({ columns, chosen, onChange, standard, choices = [] }: ColumnsMenuProps) {
  const { t } = useTranslation('ui')
  const stays = (at: number): boolean => at === 0 || columns[at]?.fixed === true
  const inOrder = (ids: readonly string[]): readonly string[] =>
    columns.filter(({ id }, at) => stays(at) || ids.includes(id)).map(({ id }) => id)
  const reset =
    standard === undefined
      ? []
      : [
          {
            id: '(reset)',
            label: t('columnsReset'),
            icon: 'undo' as const,
            onAction: () => onChange(inOrder(standard)),
          },
        ]
  return (
    <Menu
      label={t('columns')}
      trigger={<IconButton label={t('columns')} icon="columns" kind="plain" />}
      sections={[
        {
          label: t('columns'),
          items: columns.filter((_, at) => !stays(at)),
          selected: chosen,
          onSelectMany: (ids) => onChange(inOrder(ids)),
        },
        ...(choices.length === 0
          ? []
          : [
              {
                items: choices,
                selected: choices.flatMap(({ id, on }) => (on ? [id] : [])),
                onSelectMany: (ids: readonly string[]) => {
                  for (const choice of choices) if (ids.includes(choice.id) !== choice.on) choice.onChange(!choice.on)
                },
              },
            ]),
        ...(reset.length === 0 ? [] : [{ items: reset }]),
      ]}
    />
  )
}
