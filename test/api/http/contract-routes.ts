/** Every route of the contract, found in its files, so that none can be forgotten. */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RouteDefinition } from '../../../shared/kernel/route.ts'

const FOLDER = fileURLToPath(new URL('../../../shared/', import.meta.url))

const isRoute = (value: unknown): value is RouteDefinition =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'path' in value &&
  'method' in value &&
  'permission' in value

export async function contractRoutes(): Promise<RouteDefinition[]> {
  const files = (await readdir(FOLDER, { recursive: true }))
    .filter((name) => /(?:^|[./])contract\.ts$/.test(name))
    .sort()
  const modules = await Promise.all(
    files.map((name) => import(path.join(FOLDER, name)) as Promise<Record<string, unknown>>),
  )
  const routes = modules.flatMap((module) => Object.values(module)).filter(isRoute)
  return [...new Set(routes)]
}
