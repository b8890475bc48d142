/** Metrics of the process and of the HTTP frame, in their own registry. */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Observed } from './begin.ts'

export interface Metrics {
  /** Other parts register their metrics here. */
  readonly registry: Registry
  readonly observe: (request: Observed) => void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'sallyport_http_requests_total',
    help: 'Requests answered',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'sallyport_http_request_seconds',
    help: 'From the first byte of the request to the last of the answer',
    labelNames: ['route'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 60, 600],
    registers: [registry],
  })
  return {
    registry,
    observe: ({ route, method, status, seconds: took, count = 1 }) => {
      // Clients choose the method. Each unknown one would add a series for good.
      requests.inc({ route, method: KNOWN_METHODS.has(method) ? method : 'other', status }, count)
      const times = seconds.labels({ route })
      for (let at = 0; at < count; at++) times.observe(took)
    },
  }
}

const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
