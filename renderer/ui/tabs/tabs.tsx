import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as Base } from 'react-aria-components/Tabs'
import { cx } from '../given.ts'
import styles from './tabs.module.css'

export interface TabItem<Id extends string> {
  readonly id: Id
  readonly label: string
  readonly count?: string | number | undefined
  readonly content: ReactNode
}

export interface TabsProps<Id extends string> {
  readonly label: string
  readonly tabs: readonly TabItem<Id>[]
  readonly value: Id
  readonly onChange: (value: Id) => void
  /** Panels that fill their place and scroll inside. */
  readonly fill?: boolean | undefined
}

/** Faces of one thing, one at a time. Arrows move between them; which one is open belongs in the address. */
export function Tabs<Id extends string>({ label, tabs, value, onChange, fill = false }: TabsProps<Id>) {
  return (
    <Base
      selectedKey={value}
      onSelectionChange={(key) => onChange(key as Id)}
      className={cx(styles['tabs'], fill && styles['fill'])}
    >
      <TabList aria-label={label} className={styles['list'] ?? ''}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className={styles['tab'] ?? ''}>
            {tab.label}
            {tab.count !== undefined && <span className={styles['count']}>{tab.count}</span>}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className={styles['panel'] ?? ''}>
          {tab.content}
        </TabPanel>
      ))}
    </Base>
  )
}
