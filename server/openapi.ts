import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { RouteDefinition } from '../shared/kernel/route.ts'
import { openApiDocument } from './http/openapi.ts'
import { filesBelow } from './platform/files/trees.ts'

const SHARED = fileURLToPath(new URL('../shared', import.meta.url))
/** JavaScript in the compiled program. */
const CONTRACT = /(?:^|[./\\])contract\.[jt]s$/

/**
 * Every operation of the contract, bound or not: what the files `contract.ts` and `*.contract.ts` of `shared` export. They are found by
 * their names, so that a new feature is listed in `app.ts` only. Nothing of the station is composed or loaded. A test compares the
 * operations with those that the station binds.
 */
export async function contractRoutes(): Promise<RouteDefinition[]> {
  const files = (await filesBelow(SHARED)).filter((name) => CONTRACT.test(name))
  const modules = await Promise.all(
    files.map((name) => import(pathToFileURL(join(SHARED, name)).href) as Promise<Record<string, unknown>>),
  )
  return [...new Set(modules.flatMap((contract) => Object.values(contract)).filter(isRoute))]
}

const isRoute = (value: unknown): value is RouteDefinition =>
  typeof value === 'object' && value !== null && 'path' in value && 'responses' in value

export const VERSION = '0.1.0'

/** What `sallyport openapi` prints. */
export const openApiText = async (): Promise<string> =>
  JSON.stringify(openApiDocument(await contractRoutes(), VERSION), null, 2)
