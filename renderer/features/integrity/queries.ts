/** What the page asks of the station. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Translate } from '../../client/translate.ts'
import type { z } from 'zod'
import * as contract from '../../../shared/integrity/contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'

export type Integrity = z.output<typeof contract.IntegrityModel>
export type Alarm = Integrity['Alarms'][number]
export type CheckpointTarget = Integrity['Checkpoints']['Targets'][number]
export type KnownStation = Integrity['Checkpoints']['Received'][number]
export type BackupTarget = Integrity['Backups']['Targets'][number]
export type Blob = Integrity['Fixity']['Next'][number]
export type Words = Translate<'integrity'>

const KEEPING = ['integrity'] as const
/** While something is under way its numbers move; else now and then is enough. */
const SOON_MS = 1500
const LATER_MS = 15_000

export function useIntegrity() {
  const { tenant, session } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: [...KEEPING, tenant],
    enabled: session.User?.Administrator === true,
    queryFn: ({ signal }) => call(contract.getKeeping, { params: { tenantId: tenant }, signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isMoving(state.data) ? SOON_MS : LATER_MS),
  })
  return { integrity: data ?? null, error, retry: () => void refetch() }
}

/** A place that was added a moment ago has something on its way too. */
const isMoving = ({ Fixity, Checkpoints, Backups }: Integrity): boolean =>
  Fixity.Run !== null ||
  Backups.Doing !== null ||
  Backups.Targets.some(({ Last }) => Last === null) ||
  Checkpoints.Targets.some(({ State }) => State === 'waiting')

/** After an act: the page is asked again, and what the frame shows of it. */
export function useRefreshed(): <T>(act: Promise<T>) => Promise<T> {
  const queries = useQueryClient()
  return async (act) => {
    try {
      return await act
    } finally {
      await queries.invalidateQueries({ queryKey: KEEPING })
      await queries.invalidateQueries({ queryKey: ['station'] })
    }
  }
}
