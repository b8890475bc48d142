import { useQueries } from '@tanstack/react-query'
import { type ComponentType, Suspense, useMemo } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Link } from '@tanstack/react-router'
import * as documents from '../../../../shared/evidence/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { Spinner } from '../../../ui/progress/progress.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { type Case, evidencesOf } from '../queries.ts'
import { positionText } from '../../../client/position.ts'
import { lengthWords, metresBetween } from './distance.ts'
import styles from './places.module.css'

/** Draws geometries in well-known text (WGS 84) on the outline that is part of the program. */
export interface MapProps {
  readonly wkts: readonly string[]
  readonly label: string
}

/** Each position is read from its evidence, and reading is written down: not more at once than somebody looks at. */
const MOST = 50

interface Place {
  readonly id: string
  readonly name: string
  readonly wkt: string
}

/** Where the case and its evidence lie; never a position without what it is of. */
export function Places({ record, map: DrawnMap }: { readonly record: Case; readonly map: ComponentType<MapProps> }) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const { places, waiting, left } = usePlaces(record)
  const wkts = useMemo(
    () => [...(record.LocationWKT === null ? [] : [record.LocationWKT]), ...places.map(({ wkt }) => wkt)],
    [record.LocationWKT, places],
  )
  const awayFrom = (wkt: string): string => {
    const metres = record.LocationWKT === null ? null : metresBetween(record.LocationWKT, wkt)
    return metres === null ? '' : t('awayFrom', { length: lengthWords(metres, format.locale) })
  }
  // Drawn once, with everything on it: a map that is made anew for each answer jumps about.
  if (waiting) return <Spinner>{t('placesLoading')}</Spinner>
  if (wkts.length === 0) return <p className={styles['none']}>{t('placesNone')}</p>
  return (
    <div className={styles['places']}>
      <Suspense fallback={<Skeleton lines={4} label={t('mapLoading')} />}>
        <DrawnMap wkts={wkts} label={t('map')} />
      </Suspense>
      <ul className={styles['list']}>
        {record.LocationWKT !== null && (
          <li>
            <span>{t('placeOfCase')}</span>
            <span className={styles['where']}>{positionText(record.LocationWKT)}</span>
          </li>
        )}
        {places.map(({ id, name, wkt }) => (
          <li key={id}>
            <Link to="/evidence/$evidenceId" params={{ evidenceId: id }}>
              <bdi>{visible(name)}</bdi>
            </Link>
            <span className={styles['where']}>
              {[shortened(positionText(wkt)), awayFrom(wkt)].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {left > 0 && <p className={styles['none']}>{t('placesLeft', { count: left, most: MOST })}</p>}
    </div>
  )
}

const LONG = 60
const shortened = (text: string): string => (text.length > LONG ? `${text.slice(0, LONG)}…` : text)

function usePlaces(record: Case) {
  const { tenant } = useSession()
  const evidences = evidencesOf(record)
  const asked = evidences.slice(0, MOST)
  const answers = useQueries({
    queries: asked.map(({ EvidenceId }) => ({
      queryKey: ['evidence', EvidenceId, 'record'],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(documents.getEvidence, {
          params: { tenantName: tenant, evidenceId: EvidenceId },
          query: {},
          signal,
        }),
      staleTime: 60_000,
    })),
    combine: (results) => ({
      waiting: results.some(({ isPending }) => isPending),
      places: results.flatMap(({ data }): Place[] =>
        data === undefined || data.LocationWKT === null
          ? []
          : [{ id: data.EvidenceId, name: data.DisplayName, wkt: data.LocationWKT }],
      ),
    }),
  })
  return { ...answers, left: evidences.length - asked.length }
}
