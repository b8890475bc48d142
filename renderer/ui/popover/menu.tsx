import { Fragment, type ReactElement, type ReactNode } from 'react'
import {
  Header,
  Menu as Items,
  MenuItem as Item,
  MenuSection as Section,
  MenuTrigger,
  Popover as Surface,
  Separator,
} from 'react-aria-components/Menu'
import { Button } from '../button/button.tsx'
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
  readonly onAction?: (() => void) | undefined
}

export interface MenuSection {
  readonly label?: string | undefined
  readonly items: readonly MenuItem[]
  /** The chosen one of its items, or all chosen ones; with it the section is a choice and no longer acts. */
  readonly selected?: string | readonly string[] | undefined
  /** For one of several. */
  readonly onSelect?: ((id: string) => void) | undefined
  /** For any of several. */
  readonly onSelectMany?: ((ids: readonly string[]) => void) | undefined
}

export interface MenuProps {
  readonly label: string
  readonly sections: readonly MenuSection[]
  /** What stands in its button, which is quiet; another button goes into `trigger`. */
  readonly children?: ReactNode
  readonly trigger?: ReactElement | undefined
  readonly placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'right bottom' | undefined
}

/** Acts and choices behind a button: arrows, typing ahead, Enter, Esc. */
export function Menu({ label, sections, children, trigger, placement = 'bottom end' }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger ?? <Button kind="quiet">{children}</Button>}
      <Surface className={cx(styles['popover'], styles['menu'])} placement={placement} offset={4}>
        <Items aria-label={label} className={styles['items'] ?? ''}>
          {sections.map((section, index) => (
            <Fragment key={section.items[0]?.id ?? index}>
              {index > 0 && <Separator className={styles['separator'] ?? ''} />}
              <MenuPart section={section} name={section.label ?? label} />
            </Fragment>
          ))}
        </Items>
      </Surface>
    </MenuTrigger>
  )
}

function choiceOf({ items, selected, onSelect, onSelectMany }: MenuSection) {
  if (selected === undefined) return {}
  const one = typeof selected === 'string'
  return {
    selectionMode: one ? ('single' as const) : ('multiple' as const),
    selectedKeys: one ? [selected] : selected,
    disallowEmptySelection: one,
    onSelectionChange: (keys: 'all' | ReadonlySet<string | number>) => {
      const chosen = items.map(({ id }) => id).filter((id) => keys === 'all' || keys.has(id))
      onSelectMany?.(chosen)
      if (one && chosen[0] !== undefined) onSelect?.(chosen[0])
    },
  }
}

function MenuPart({ section, name }: { readonly section: MenuSection; readonly name: string }) {
  return (
    <Section {...choiceOf(section)} {...(section.label === undefined ? { 'aria-label': name } : {})}>
      {section.label !== undefined && <Header className={styles['title'] ?? ''}>{section.label}</Header>}
      {section.items.map((item) => (
        <Item
          key={item.id}
          id={item.id}
          textValue={item.label}
          isDisabled={item.why !== undefined}
          className={cx(styles['item'], item.danger === true && styles['danger'])}
          {...given({ href: item.href, onAction: item.onAction })}
        >
          {section.selected !== undefined && <Icon name="check" size="small" className={styles['tick']} />}
          {item.icon !== undefined && <Icon name={item.icon} />}
          <span className={styles['words']}>
            {item.label}
            {item.why !== undefined && <span className={styles['why']}>{item.why}</span>}
          </span>
          {item.keys !== undefined && <Kbd>{item.keys}</Kbd>}
        </Item>
      ))}
    </Section>
  )
}
