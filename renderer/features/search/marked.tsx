import { Fragment, useMemo } from 'react'
import { findWords } from '../../../shared/search/search-query.ts'
import { visible } from '../../ui/format/visible.ts'
import styles from './search.module.css'

/** A text with the words that were looked for marked in it. */
export function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  const shown = visible(text)
  const places = useMemo(() => findWords(shown, words), [shown, words])
  let at = 0
  return (
    <bdi>
      {places.map(({ start, end }) => {
        const before = shown.slice(at, start)
        at = end
        return (
          <Fragment key={start}>
            {before}
            <mark className={styles['mark']}>{shown.slice(start, end)}</mark>
          </Fragment>
        )
      })}
      {shown.slice(at)}
    </bdi>
  )
}
