import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { z } from 'zod'
import type * as contract from '../../shared/search/contract.ts'
import { useMay } from './rights.ts'
import { useSession } from './session.tsx'

type Hit = Pick<z.output<typeof contract.SearchHit>, 'Type' | 'Id' | 'Title' | 'Number' | 'FoundIn'>

const quoted = (text: string): string => `"${text.replaceAll('"', ' ')}"`

/** In the address of the evidence: at the mark, with its list beside the player, or at the notes. */
function placeOf(found: Hit['FoundIn']): Readonly<Record<string, unknown>> {
  if (found === null) return {}
  if (found.Kind === 'Note') return { tab: 'notes' }
  return {
    tab: 'marks',
    ...(found.ResourceId === null ? {} : { r: Number(found.ResourceId) }),
    ...(found.StartSeconds ? { t: found.StartSeconds } : {}),
  }
}

/**
 * Leads to what a search found. A person is a way to what they made or are assigned to, a device to what it recorded; whoever
 * administers people or manages devices goes to their own pages. @param look searches for this instead
 */
export function useOpenHit(look: (query: string) => void): (hit: Hit) => void {
  const navigate = useNavigate()
  const { session } = useSession()
  const administers = session.User?.Administrator === true
  const equips = useMay('ManageDevices')
  return useCallback(
    ({ Type, Id, Title, Number: serial, FoundIn }: Hit) => {
      if (Type === 'Case')
        void navigate({
          to: '/cases/$caseId',
          params: { caseId: Id },
          search: FoundIn === null ? {} : { side: 'notes' },
        })
      else if (Type === 'Evidence')
        void navigate({ to: '/evidence/$evidenceId', params: { evidenceId: Id }, search: placeOf(FoundIn) })
      else if (Type === 'Device') {
        if (equips) void navigate({ to: '/devices/$deviceId', params: { deviceId: Id } })
        else look(`device:${quoted(serial ?? Title)}`)
      } else if (administers)
        void navigate({
          to: Type === 'User' ? '/administration/users' : '/administration/groups',
          search: { open: Id },
        })
      else look(`officer:${quoted(Title)}`)
    },
    [navigate, administers, equips, look],
  )
}
