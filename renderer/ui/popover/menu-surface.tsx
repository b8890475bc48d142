import { Fragment, type RefObject } from 'react'
import {
  Header,
  Menu as Items,
  MenuItem as Item,
  MenuSection as Section,
  Popover as Base,
  Separator,
} from 'react-aria-components/Menu'
import { cx, given } from '../given.ts'
import { Icon } from '../icon/icon.tsx'
import { Kbd } from '../kbd/kbd.tsx'
import type { MenuProps, MenuSection } from './menu-props.ts'
import type { Focus } from './opener.tsx'
import styles from './popover.module.css'

interface SurfaceProps extends Pick<MenuProps, 'label' | 'sections' | 'placement'> {
  readonly anchor: RefObject<HTMLElement | null>
  /** null: closed. */
  readonly focus: Focus | null
  readonly onClose: () => void
}

/** What a menu shows once it is open. */
export default function MenuSurface({ label, sections, placement, anchor, focus, onClose }: SurfaceProps) {
  return (
    <Base
      aria-label={label}
      trigger="MenuTrigger"
      triggerRef={anchor}
      isOpen={focus !== null}
      onOpenChange={(open) => !open && onClose()}
      className={cx(styles['popover'], styles['menu'])}
      {...given({ placement })}
      offset={4}
    >
      <Items aria-label={label} autoFocus={focus ?? false} onClose={onClose} className={styles['items'] ?? ''}>
        {sections.map((section, index) => (
          <Fragment key={section.items[0]?.id ?? index}>
            {index > 0 && <Separator className={styles['separator'] ?? ''} />}
            <MenuPart section={section} name={section.label ?? label} />
          </Fragment>
        ))}
      </Items>
    </Base>
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
