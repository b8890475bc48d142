import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { SearchField } from '../../../../ui/field/field.tsx'
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx'
import type { Resource } from '../queries.ts'
import { Problem } from '../stage/problem.tsx'
import stage from '../stage/stage.module.css'
import { visible } from '../text/visible.ts'
import styles from './picture.module.css'

export interface ExifFact {
  readonly group: string
  readonly tag: string
  readonly value: string
}

/** `Group:Tag` and its value, as text whatever it was: nothing of a file is ever more than text here. Pure. */
export function factsOf(json: unknown): readonly ExifFact[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return []
  return Object.entries(json).map(([name, value]) => {
    const at = name.indexOf(':')
    return {
      group: visible(at < 0 ? '' : name.slice(0, at)),
      tag: visible(at < 0 ? name : name.slice(at + 1)),
      value: visible(typeof value === 'string' ? value : JSON.stringify(value)),
    }
  })
}

const matches = ({ group, tag, value }: ExifFact, words: string): boolean =>
  `${group} ${tag} ${value}`.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase())

function useExif(address: string) {
  return useQuery({
    queryKey: ['exif', address],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const answer = await fetch(address, { signal, credentials: 'same-origin' })
      if (!answer.ok) throw new Error(`${answer.status}`)
      return factsOf(JSON.parse(await answer.text()))
    },
  })
}

/** What the file says of itself, to read and to search. */
export function Exif({ address }: { readonly address: string }) {
  const { t } = useTranslation('evidencePage')
  const { data, error, refetch } = useExif(address)
  const [words, setWords] = useState('')
  const found = useMemo(() => data?.filter((fact) => matches(fact, words)) ?? [], [data, words])
  const groups = useMemo(() => [...new Set(found.map(({ group }) => group))], [found])
  return (
    <div className={styles['exif']} role="region" aria-label={t('exifTitle')}>
      <div className={styles['search']}>
        <SearchField
          label={t('exifSearch')}
          hideLabel
          placeholder={t('exifSearch')}
          value={words}
          onChange={setWords}
        />
        <p className={styles['count']} aria-live="polite">
          {data !== undefined && t('exifCount', { count: found.length })}
        </p>
      </div>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={6} />}
      <div className={styles['facts']} tabIndex={0} role="group" aria-label={t('exifTitle')}>
        {groups.map((group) => (
          <section key={group}>
            <h2 className={styles['group']}>{group}</h2>
            <dl>
              {found
                .filter((fact) => fact.group === group)
                .map(({ tag, value }) => (
                  <div key={tag} className={styles['fact']}>
                    <dt>
                      <bdi>{tag}</bdi>
                    </dt>
                    <dd>
                      <bdi>{value}</bdi>
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        {data !== undefined && found.length === 0 && <p className={styles['none']}>{t('exifNone')}</p>}
      </div>
    </div>
  )
}

/** Chosen in the tree by itself: the list takes the whole stage. */
export function ExifStage({ resource, address }: { readonly resource: Resource; readonly address: string }) {
  return (
    <section className={stage['stage']} aria-label={visible(resource.Name)}>
      <Exif address={address} />
    </section>
  )
}
