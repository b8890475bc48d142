import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { Button } from '../../../../ui/button/button.tsx'
import { SearchField } from '../../../../ui/field/field.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx'
import type { Resource } from '../queries.ts'
import { Problem } from '../stage/problem.tsx'
import stage from '../stage/stage.module.css'
import { visible } from '../text/visible.ts'
import { type ExifFact, factsOf, MAIN_FACTS, type MainFact, mainFacts, matches } from './exif-facts.ts'
import styles from './picture.module.css'

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

interface ExifProps {
  readonly address: string
  /** Whether all of it is open from the start. */
  readonly whole?: boolean
}

/** What the file says of itself: six facts first, then everything, to read and to search. */
export function Exif({ address, whole = false }: ExifProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const { data, error, refetch } = useExif(address)
  const [all, setAll] = useState(whole)
  const count = data?.length ?? 0
  return (
    <div className={styles['exif']} role="region" aria-label={t('exifTitle')} tabIndex={0}>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={6} />}
      {data !== undefined && (
        <>
          <MainFacts facts={data} />
          {count > 0 && (
            <div className={styles['more']}>
              <Button
                size="small"
                icon={all ? 'chevron-up' : 'chevron-down'}
                aria-expanded={all}
                onPress={() => setAll(!all)}
              >
                {t('exifAll', { count, shown: format.count(count) })}
              </Button>
            </div>
          )}
          {all && <AllFacts facts={data} />}
        </>
      )}
    </div>
  )
}

function MainFacts({ facts }: { readonly facts: readonly ExifFact[] }) {
  const { t } = useTranslation('evidencePage')
  const main = useMemo(() => mainFacts(facts), [facts])
  return (
    <dl className={styles['main']} data-main-facts>
      {MAIN_FACTS.map((name) => (
        <div key={name} className={styles['fact']}>
          <dt>{t(FACT_WORDS[name])}</dt>
          <dd>
            {main[name] === null ? <span className={styles['none']}>{t('factNot')}</span> : <bdi>{main[name]}</bdi>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const FACT_WORDS = {
  taken: 'factTaken',
  camera: 'factCamera',
  lens: 'factLens',
  gps: 'factGps',
  size: 'factSize',
  software: 'factSoftware',
} as const satisfies Readonly<Record<MainFact, string>>

function AllFacts({ facts }: { readonly facts: readonly ExifFact[] }) {
  const { t } = useTranslation('evidencePage')
  const [words, setWords] = useState('')
  const found = useMemo(() => facts.filter((fact) => matches(fact, words)), [facts, words])
  const groups = useMemo(() => [...new Set(found.map(({ group }) => group))], [found])
  return (
    <>
      <div className={styles['search']}>
        <SearchField
          label={t('exifSearch')}
          hideLabel
          placeholder={t('exifSearch')}
          value={words}
          onChange={setWords}
        />
        <p className={styles['count']} aria-live="polite">
          {t('exifCount', { count: found.length })}
        </p>
      </div>
      <div className={styles['facts']}>
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
        {found.length === 0 && <p className={styles['none']}>{t('exifNone')}</p>}
      </div>
    </>
  )
}

/** Chosen in the tree by itself: the list takes the whole stage. */
export function ExifStage({ resource, address }: { readonly resource: Resource; readonly address: string }) {
  return (
    <section className={stage['stage']} aria-label={visible(resource.Name)}>
      <Exif address={address} whole />
    </section>
  )
}
