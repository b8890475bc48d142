import { createRequire } from 'node:module'
import * as contract from '../../shared/kernel/operations.contract.ts'
import { fault } from '../../shared/kernel/errors.ts'
import { INTERFACES, type Interface, type RouteDefinition } from '../../shared/kernel/route.ts'
import { answer, type BoundRoute, bytes, json } from './handlers.ts'
import { readText } from '../platform/files/read-text.ts'
import { JSON_TYPE } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { openApiDocument, TITLES } from './openapi.ts'
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
  const documents = new Map<Interface | undefined, Buffer>()
  const describe = (only: Interface | undefined): Buffer => {
    const made =
      documents.get(only) ??
      Buffer.from(
        JSON.stringify(
          openApiDocument(
            [...routes, ...contract.OPERATIONS].filter((route) => only === undefined || route.interface === only),
            version,
          ),
        ),
      )
    documents.set(only, made)
    return made
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
    bytes(contract.openApi, async ({ query }) => ({
      status: 200,
      headers: { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-cache' },
      body: describe(INTERFACES.find((name) => name === query['interface'])),
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
<link rel="stylesheet" href="/docs/start.css">
</head>
<body>
<nav aria-label="Interfaces">
${Object.entries(TITLES)
  .map(([name, title]) => `<a href="/docs?interface=${name}">${title}</a>`)
  .join('\n')}
</nav>
<div id="page"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

/**
 * One interface at a time: Swagger UI works for seconds on the operations of all. The address of an operation (`#/device/addDevice`) names its own.
 * validatorUrl: by default Swagger UI sends the document's address to a service outside.
 */
const START = `const named = location.hash.split('/')[1]
const links = [...document.querySelectorAll('nav a')]
const interfaceOf = (link) => new URL(link.href).searchParams.get('interface')
const asked = new URLSearchParams(location.search).get('interface') ?? named
const shown = links.find((link) => interfaceOf(link) === asked) ?? links[0]
shown.setAttribute('aria-current', 'page')
SwaggerUIBundle({
  url: '/openapi.json?interface=' + interfaceOf(shown),
  dom_id: '#page',
  deepLinking: true,
  validatorUrl: null,
})
`

const STYLE = `body { margin: 0 }
nav { display: flex; flex-wrap: wrap; gap: 4px 20px; padding: 12px 28px; border-bottom: 1px solid #d8dde3; font: 14px/1.6 sans-serif }
nav a { color: #3b4151; text-decoration: none }
nav a:hover { text-decoration: underline }
nav a[aria-current] { font-weight: 700; text-decoration: underline; text-underline-offset: 4px }
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

const WRITTEN: Readonly<Record<string, readonly [body: string, type: string]>> = {
  'index.html': [PAGE, 'text/html; charset=utf-8'],
  'start.js': [START, 'text/javascript; charset=utf-8'],
  'start.css': [STYLE, 'text/css; charset=utf-8'],
}

async function docsFile(name: string) {
  const written = Object.hasOwn(WRITTEN, name) ? WRITTEN[name] : undefined
  if (written !== undefined) {
    const [body, type] = written
    return { status: 200, headers: { ...DOCS_HEADERS, 'Content-Type': type }, body }
  }
  const type = Object.hasOwn(PACKAGED, name) ? PACKAGED[name] : undefined
  if (type === undefined) throw fault('NotFound', 'There is nothing at this address.')
  const body = await readText(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`))
  return { status: 200, headers: { ...DOCS_HEADERS, 'Content-Type': type }, body }
}
