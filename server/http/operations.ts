import { createRequire } from 'node:module'
import * as contract from '../../shared/kernel/operations.contract.ts'
import { fault } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import { answer, type BoundRoute, bytes, json } from './handlers.ts'
import { readText } from '../platform/files/read-text.ts'
import { JSON_TYPE } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { openApiDocument } from './openapi.ts'
import type { Mode } from './ports.ts'

export interface Check {
  readonly ok: boolean
  /** Text for an operator, without paths or secrets. */
  readonly message: string
}

export interface OperationsDeps {
  readonly metrics: Metrics
  readonly mode: () => Mode
  /** Checks database and store. Each check ends within a few seconds. */
  readonly checks: () => Promise<Readonly<Record<string, Check>>>
  /** All routes of the station except the operations routes. */
  readonly routes: readonly RouteDefinition[]
  readonly version: string
}

/** Routes for health, readiness, metrics and the API description (decisions 1, Operations). */
export function operationsRoutes({ metrics, mode, checks, routes, version }: OperationsDeps): BoundRoute[] {
  // Kept as bytes: the document is over a megabyte, and anybody may request it often.
  let document: Buffer | undefined
  const describe = (): Buffer => {
    document ??= Buffer.from(JSON.stringify(openApiDocument([...routes, ...contract.OPERATIONS], version)))
    return document
  }
  return [
    json(contract.health, async () => ({ Status: 'ok' as const })),
    json(contract.readiness, async () => {
      const results = Object.entries(await checks())
      const Checks = Object.fromEntries(results.map(([name, { ok, message }]) => [name, { Ok: ok, Message: message }]))
      const Status = results.every(([, { ok }]) => ok) ? mode() : 'not-ready'
      return answer(Status === 'ready' ? 200 : 503, { Status, Checks })
    }),
    bytes(contract.metrics, async () => ({
      status: 200,
      headers: { 'Content-Type': metrics.registry.contentType, 'Cache-Control': 'no-store' },
      body: await metrics.registry.metrics(),
    })),
    bytes(contract.openApi, async () => ({
      status: 200,
      headers: { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-cache' },
      body: describe(),
    })),
    bytes(contract.docs, async () => docsFile('index.html')),
    bytes(contract.docsFile, async ({ params }) => docsFile(params['file'] ?? '')),
  ]
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Sallyport interfaces</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="page"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

// validatorUrl: by default Swagger UI sends the document's address to a service outside.
// docExpansion: with all operations open the page does not answer for seconds.
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', deepLinking: true, validatorUrl: null, docExpansion: 'none', filter: true })
`

const PACKAGED: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/** Swagger UI needs inline styles. Scripts come from this origin only, and nothing is loaded from other origins. */
const DOCS_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Cache-Control': 'no-cache',
}

async function docsFile(name: string) {
  const written = {
    'index.html': [PAGE, 'text/html; charset=utf-8'],
    'start.js': [START, 'text/javascript; charset=utf-8'],
  } as const
  if (name === 'index.html' || name === 'start.js') {
    const [body, type] = written[name]
    return { status: 200, headers: { ...DOCS_HEADERS, 'Content-Type': type }, body }
  }
  const type = Object.hasOwn(PACKAGED, name) ? PACKAGED[name] : undefined
  if (type === undefined) throw fault('NotFound', 'There is nothing at this address.')
  const body = await readText(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`))
  return { status: 200, headers: { ...DOCS_HEADERS, 'Content-Type': type }, body }
}
