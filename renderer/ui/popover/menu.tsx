import { Fragment, type ReactElement } from 'react'
import {
  Header,
  Menu as Items,
  MenuItem as Item,
  MenuSection,
  MenuTrigger,
  Popover as Surface,
  Separator,
} from 'react-aria-components/Menu'
import { cx, given } from '../given.ts'
import { Icon, type IconName } from '../icon/icon.tsx'
import { Kbd } from '../kbd/kbd.tsx'
import styles from './popover.module.css'

export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly icon?: IconName | undefined
  readonly keys?: string | undefined
  /** The reason why it cannot be chosen now, shown under the words. */
  readonly why?: string | undefined
  readonly danger?: boolean | undefined
  readonly href?: string | undefined
  readonly onSelect?: (() => void) | undefined
}

export interface MenuGroup {
  readonly id: string
  readonly title?: string | undefined
  readonly items: readonly MenuItem[]
  /** Items of a group that can be ticked: one of them, or any of them. */
  readonly choose?: 'one' | 'many' | undefined
  readonly chosen?: readonly string[] | undefined
  readonly onChoose?: ((chosen: readonly string[]) => void) | undefined
}

export interface MenuProps {
  readonly label: string
  /** One button of these parts. */
  readonly trigger: ReactElement
  readonly groups: readonly MenuGroup[]
  readonly placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'right bottom'
}

/** Acts and choices behind a button: arrows, typing ahead, Enter, Esc. */
export function Menu({ label, trigger, groups, placement = 'bottom start' }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Surface className={cx(styles['popover'], styles['menu'])} placement={placement} offset={4}>
        <Items aria-label={label} className={styles['items'] ?? ''}>
          {groups.map((group, index) => (
            <Fragment key={group.id}>
              {index > 0 && <Separator className={styles['separator'] ?? ''} />}
              <Group group={group} />
            </Fragment>
          ))}
        </Items>
      </Surface>
    </MenuTrigger>
  )
}

function Group({ group }: { readonly group: MenuGroup }) {
  const chooses = group.choose !== undefined
  return (
    <MenuSection
      {...(chooses
        ? {
            selectionMode: group.choose === 'one' ? ('single' as const) : ('multiple' as const),
            selectedKeys: group.chosen ?? [],
            disallowEmptySelection: group.choose === 'one',
            shouldCloseOnSelect: group.choose === 'one',
            onSelectionChange: (keys) => {
              const all = group.items.map((item) => item.id)
              group.onChoose?.(keys === 'all' ? all : all.filter((id) => keys.has(id)))
            },
          }
        : {})}
      {...(group.title === undefined ? { 'aria-label': group.id } : {})}
    >
      {group.title !== undefined && <Header className={styles['title'] ?? ''}>{group.title}</Header>}
      {group.items.map((item) => (
        <Item
          key={item.id}
          id={item.id}
          textValue={item.label}
          isDisabled={item.why !== undefined}
          className={cx(styles['item'], item.danger === true && styles['danger'])}
          {...given({ href: item.href, onAction: item.onSelect })}
        >
          {chooses && <Icon name="check" size="s" className={styles['tick']} />}
          {item.icon !== undefined && <Icon name={item.icon} />}
          <span className={styles['words']}>
            {item.label}
            {item.why !== undefined && <span className={styles['why']}>{item.why}</span>}
          </span>
          {item.keys !== undefined && <Kbd keys={item.keys} />}
        </Item>
      ))}
    </MenuSection>
  )
}
