import { Gauge, type Registry } from 'prom-client'
import type { NodeIdentity } from '../kernel/node/identity.ts'
import type { NodeState, Nodes } from '../kernel/node/nodes.ts'

const STATES: readonly NodeState[] = ['running', 'wrong-clock', 'lost', 'stopped']

/** Metrics of a node among several, computed when they are read. Each node answers for itself, and counts all of them. */
export function registerNodeMetrics(registry: Registry, nodes: Nodes, node: NodeIdentity): void {
  if (!nodes.areSeveral) return
  const registers = [registry]
  new Gauge({
    name: 'sallyport_node_info',
    help: 'This node: always 1',
    labelNames: ['id', 'name'],
    registers,
  }).set({ ...node }, 1)
  // The registry keeps the gauges, which register themselves.
  void new Gauge({
    name: 'sallyport_node_clock_offset_seconds',
    help: 'By which the clock of this node is ahead of the database’s; NaN while it does not answer',
    registers,
    collect() {
      const offset = nodes.clockOffset()
      this.set(offset === null ? Number.NaN : offset / 1000)
    },
  })
  void new Gauge({
    name: 'sallyport_nodes',
    help: 'Nodes of the last week by state',
    labelNames: ['state'],
    registers,
    async collect() {
      const all = await nodes.list()
      for (const state of STATES) this.set({ state }, all.filter((one) => one.state === state).length)
    },
  })
}
