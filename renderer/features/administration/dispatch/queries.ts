/** What the page of dispatch asks of the station. Every key begins with `administration, cad`: it is asked again when something came. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import * as mapping from '../../../../shared/dispatch/cad.contract.ts'
import * as contract from '../../../../shared/dispatch/cad-messages.contract.ts'
import { type Answer, call } from '../../../client/api.ts'
import { from, type Pages, usePages } from '../../../client/pages.ts'
import { useSession } from '../../../client/session.tsx'

export type Overview = z.output<typeof contract.CadOverview>
export type Service = Overview['services'][number]
export type Message = z.output<typeof contract.CadMessage>
export type State = Message['state']
export type Mapping = z.output<typeof mapping.CadMappingModel>
export type Receipt = z.output<typeof contract.CadReceipt>

const key = (...parts: readonly unknown[]) => ['administration', 'cad', ...parts]

export function useOverview() {
  const { tenant } = useSession()
  return useQuery({
    queryKey: key('overview', tenant),
    queryFn: ({ signal }) => call(contract.getOverview, { params: { tenantId: tenant }, signal }),
  })
}

type MessageList = Answer<typeof contract.listMessages>
const LIST = {
  rowsOf: ({ items }: MessageList) => items,
  cursorOf: ({ cursor }: MessageList) => cursor,
}

export function useMessages(state: State | null): Pages<Message> {
  const { tenant } = useSession()
  return usePages(
    {
      queryKey: key('messages', tenant, state),
      ask: (cursor, signal) =>
        call(contract.listMessages, {
          params: { tenantId: tenant },
          query: { ...(state === null ? {} : { state }), ...from(cursor) },
          signal,
        }),
    },
    LIST,
  )
}

type MessagePart = Answer<typeof contract.getMessage>
const PARTS = {
  rowsOf: (part: MessagePart) => [part],
  /** The next part begins behind the characters that are here. */
  cursorOf: ({ body, bodyCharacters }: MessagePart, all: readonly MessagePart[]) => {
    const here = all.reduce((sum, part) => sum + part.body.length, 0)
    return here < bodyCharacters && body !== '' ? String(here) : null
  },
}

/** With what came, a part at a time: the first part tells about the message. */
export function useMessage(messageId: string | null) {
  const { tenant } = useSession()
  return usePages(
    {
      queryKey: key('message', tenant, messageId),
      enabled: messageId !== null,
      ask: (cursor, signal) =>
        call(contract.getMessage, {
          params: { tenantId: tenant, messageId: messageId ?? '' },
          query: { offset: cursor ?? '0' },
          signal,
        }),
    },
    PARTS,
  )
}

const NEWEST = 10
/** To try a mapping on. */
export function useNewest() {
  const { tenant } = useSession()
  return useQuery({
    queryKey: key('newest', tenant),
    queryFn: async ({ signal }) =>
      (
        await call(contract.listMessages, {
          params: { tenantId: tenant },
          query: { count: String(NEWEST) },
          signal,
        })
      ).items,
  })
}

export function useMapping() {
  const { tenant } = useSession()
  return useQuery({
    queryKey: key('mapping', tenant),
    queryFn: ({ signal }) => call(mapping.getMapping, { params: { tenantId: tenant }, signal }),
  })
}

export function useMappingHistory() {
  const { tenant } = useSession()
  return useQuery({
    queryKey: key('mapping-history', tenant),
    queryFn: ({ signal }) => call(mapping.getMappingHistory, { params: { tenantId: tenant }, signal }),
  })
}

/** @param proposed null: it cannot be asked yet */
export function usePreview(proposed: Mapping | null, messageIds: readonly string[]) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: key('preview', tenant, proposed, messageIds),
    enabled: proposed !== null && messageIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      call(mapping.previewMapping, {
        params: { tenantId: tenant },
        body: { mapping: proposed as Mapping, messageIds: [...messageIds] },
        signal,
      }),
  })
}

export function useRefreshCad(): () => void {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: key() })
}
