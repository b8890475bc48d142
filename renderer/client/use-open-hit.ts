import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { z } from 'zod'
import type * as contract from '../../shared/search/contract.ts'
import { useMay } from './rights.ts'
import { useSession } from './session.tsx'

type Hit = Pick<z.output<typeof contract.SearchHit>, 'Type' | 'Id' | 'Title' | 'Number'>

const quoted = (text: string): string => `"${text.replaceAll('"', ' ')}"`

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
    ({ Type, Id, Title, Number: serial }: Hit) => {
      if (Type === 'Case') void navigate({ to: '/cases/$caseId', params: { caseId: Id } })
      else if (Type === 'Evidence') void navigate({ to: '/evidence/$evidenceId', params: { evidenceId: Id } })
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
