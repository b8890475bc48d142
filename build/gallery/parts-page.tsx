import { useEffect, useState } from 'react'
import { type TabItem, Tabs } from '../../renderer/ui/tabs/tabs.tsx'
import { Controls } from './controls.tsx'
import { Fields } from './fields.tsx'
import { List } from './list.tsx'
import { Proof } from './proof.tsx'
import { Surfaces } from './surfaces.tsx'
import { Tokens } from './tokens.tsx'
import styles from './parts.module.css'

type Area = 'controls' | 'fields' | 'list' | 'proof' | 'surfaces' | 'tokens'

const AREAS: readonly TabItem<Area>[] = [
  { id: 'controls', label: 'Controls', content: <Controls /> },
  { id: 'fields', label: 'Fields', content: <Fields /> },
  { id: 'list', label: 'Lists', content: <List /> },
  { id: 'proof', label: 'Proof', content: <Proof /> },
  { id: 'surfaces', label: 'Surfaces', content: <Surfaces /> },
  { id: 'tokens', label: 'Tokens', content: <Tokens /> },
]

const areaOf = (hash: string): Area => AREAS.find(({ id }) => `#${id}` === hash)?.id ?? 'controls'

/**
 * Every part in all its states, in the theme and density in force. For whoever builds or reviews a screen, and for the tests, so it
 * is in English whatever the language of the interface. The data in it is invented.
 */
export function PartsPage() {
  const [area, setArea] = useState<Area>(() => areaOf(location.hash))
  useEffect(() => {
    document.title = 'Parts · Sallyport'
    const follow = (): void => setArea(areaOf(location.hash))
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  return (
    <div className={styles['page']} lang="en">
      <header className={styles['head']}>
        <h1 className={styles['title']}>Parts</h1>
        <span className={styles['lead']}>each in its states, in the theme you chose</span>
      </header>
      <Tabs
        label="Groups of parts"
        tabs={AREAS}
        value={area}
        onChange={(next) => {
          setArea(next)
          history.replaceState(history.state, '', `#${next}`)
        }}
        fill
      />
    </div>
  )
}
