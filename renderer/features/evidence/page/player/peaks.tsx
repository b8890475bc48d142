import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { VIEW_ROUTES } from '../../../../../shared/media/contract.ts'
import { memberOf, PEAKS_KINDS, type PeaksKind } from '../../../../../shared/media/derivations.ts'
import { call } from '../../../../client/api.ts'
import { useSession } from '../../../../client/session.tsx'
import type { Media } from '../queries.ts'
import styles from './timeline.module.css'

const COLUMNS = 600
const HEIGHT = 100

/** The loudest of each stretch as one outline around a middle line; pure. @param peaks 0 to 255 */
export function outline(peaks: readonly number[], columns: number): string {
  const count = Math.min(columns, peaks.length)
  if (count === 0) return ''
  const height = (column: number): number => {
    const from = Math.floor((column * peaks.length) / count)
    const to = Math.max(from + 1, Math.floor(((column + 1) * peaks.length) / count))
    return (Math.max(...peaks.slice(from, to)) / 255) * (HEIGHT / 2)
  }
  const heights = Array.from({ length: count }, (_, column) => Math.max(0.5, height(column)))
  const step = COLUMNS / count
  const point = (column: number, y: number): string => `${((column + 0.5) * step).toFixed(2)} ${y.toFixed(1)}`
  const above = heights.map((h, column) => point(column, HEIGHT / 2 - h))
  const below = heights.map((h, column) => point(column, HEIGHT / 2 + h)).reverse()
  return `M${[...above, ...below].join('L')}Z`
}

interface PeaksProps {
  readonly evidenceId: string
  readonly resourceId: string
  readonly large: boolean
}

const kindsIn = (media: Media): readonly PeaksKind[] => PEAKS_KINDS.filter((kind) => media[memberOf(kind)] !== null)
export const hasPeaks = (media: Media): boolean => kindsIn(media).length > 0

/** Every view of peaks that there is of a recording. */
export function PeaksOf({ media, ...rest }: PeaksProps & { readonly media: Media }) {
  return kindsIn(media).map((kind) => <Peaks key={kind} kind={kind} {...rest} />)
}

/** A picture of the sound; what it says is said by the timeline that it lies in. */
function Peaks({ kind, evidenceId, resourceId, large }: PeaksProps & { readonly kind: PeaksKind }) {
  const { tenant } = useSession()
  // Peaks are part of no live event: what was made once stays.
  const { data } = useQuery({
    queryKey: [kind, evidenceId, resourceId],
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      call(VIEW_ROUTES[kind], { params: { tenantName: tenant, evidenceId, resourceId }, signal }),
  })
  const path = useMemo(() => (data === undefined ? '' : outline(data.Peaks, COLUMNS)), [data])
  return (
    <svg
      className={styles[large ? 'peaksLarge' : 'peaks']}
      viewBox={`0 0 ${COLUMNS} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      {...(data === undefined ? {} : { [`data-${kind}`]: '' })}
    >
      <path d={path} />
    </svg>
  )
}
