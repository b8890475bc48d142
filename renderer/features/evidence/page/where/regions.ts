/** The regions of which the station has street maps. */
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { getMapTile, listMaps, type MapModel } from '../../../../../shared/maps/contract.ts'
import { addressOf, call } from '../../../../client/api.ts'
import { useSession } from '../../../../client/session.tsx'
import { useMemo } from 'react'

export interface Region extends z.output<typeof MapModel> {
  readonly address: (z: number, x: number, y: number) => string
}

const NONE: readonly Region[] = []
const SELDOM = 5 * 60_000

/** null before the first answer; none where it fails, since the grid stands by itself. */
export function useRegions(): readonly Region[] | null {
  const { tenant } = useSession()
  const { data, isError } = useQuery({
    queryKey: ['maps', tenant],
    staleTime: SELDOM,
    queryFn: ({ signal }) => call(listMaps, { params: { tenantId: tenant }, signal }),
  })
  return useMemo(() => {
    if (data === undefined) return isError ? NONE : null
    return data.map((map) => ({
      ...map,
      address: (z, x, y) =>
        addressOf(getMapTile, {
          params: { tenantId: tenant, mapId: map.MapId, z: String(z), x: String(x), y: String(y) },
        }),
    }))
  }, [data, isError, tenant])
}

export const isWithin = (
  { Bounds: [west, south, east, north] }: Region,
  latitude: number,
  longitude: number,
): boolean => latitude >= south && latitude <= north && longitude >= west && longitude <= east
