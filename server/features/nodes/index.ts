/** The nodes of a headquarters, as administrators see them. */
import type { z } from 'zod'
import { listNodes, type NodesModel } from '../../../shared/nodes/contract.ts'
import { json } from '../../http/handlers.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { isoMillis } from '../../platform/clock/clock.ts'

export type NodesOut = z.input<typeof NodesModel>

export interface NodesFeature extends Feature {
  list(): Promise<NodesOut>
}

export function nodesFeature({ nodes }: Pick<Kernel, 'nodes'>): NodesFeature {
  const list = async (): Promise<NodesOut> => ({
    Several: nodes.areSeveral,
    Nodes: (await nodes.list()).map((node) => ({
      NodeId: node.id,
      Name: node.name,
      Address: node.address,
      Version: node.version,
      SchemaVersion: node.schemaVersion,
      StartedTimeUtc: isoMillis(node.startedAt),
      LastSeenTimeUtc: isoMillis(node.seenAt),
      ClockOffsetMilliseconds: Math.round(node.clockOffset),
      State: node.state,
      This: node.isThis,
    })),
  })
  return { list, routes: [json(listNodes, async () => list())] }
}
