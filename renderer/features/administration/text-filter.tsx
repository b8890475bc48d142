import { useEffect, useState } from 'react'
import { SearchField } from '../../ui/field/field.tsx'
import styles from './list.module.css'
import type { Place } from './search-state.ts'

const TYPING_PAUSE = 250

/** Asks once the typing pauses; the address says what is asked. */
export function TextFilter({ label, place: { search, change } }: { readonly label: string; readonly place: Place }) {
  const [text, setText] = useState(search.q ?? '')
  useEffect(() => {
    if (text.trim() === (search.q ?? '')) return
    const timer = setTimeout(() => change({ q: text.trim() === '' ? undefined : text.trim() }, true), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text, search.q, change])
  return (
    <div className={styles['text']}>
      <SearchField label={label} hideLabel placeholder={label} value={text} onChange={setText} />
    </div>
  )
}
