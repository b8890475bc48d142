import { z } from 'zod'
import { TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** The processes that share one PostgreSQL database, for administrators and monitoring: an extension. */

export const NodeState = z.enum(['running', 'wrong-clock', 'lost', 'stopped']).meta({
  description:
    '`wrong-clock`: it runs and is not ready, since its clock is too far from the database’s; `lost`: it ended without saying so, or does not reach the database.',
})

export const NodeModel = z
  .object({
    NodeId: z.string(),
    Name: z.string(),
    Address: z.string().meta({ description: 'Where it listens on its machine; empty until it does.' }),
    Version: z.string(),
    SchemaVersion: z.int(),
    StartedTimeUtc: z.string(),
    LastSeenTimeUtc: z.string(),
    ClockOffsetMilliseconds: z.int().meta({ description: 'By which its clock is ahead of the database’s.' }),
    State: NodeState,
    This: z.boolean().meta({ description: 'Whether it gives this answer.' }),
  })
  .meta({ id: 'Node' })

export const NodesModel = z
  .object({
    Several: z.boolean().meta({ description: 'Whether there can be several: with a PostgreSQL database.' }),
    Nodes: z.array(NodeModel),
  })
  .meta({ id: 'Nodes' })

export const listNodes = route({
  id: 'listNodes',
  interface: 'operations',
  method: 'GET',
  path: '/api/v1/tenant/:tenantId/node',
  origin: 'extension',
  summary: 'List the nodes of this headquarters that ran within the last week; a station has one',
  permission: { kind: 'administrator' },
  audit: { by: 'none', reason: 'Says which programs run and how their clocks go; no evidence and no person is in it.' },
  params: Tenant,
  responses: { 200: NodesModel },
  errors: ['TenantNotFound'],
})
