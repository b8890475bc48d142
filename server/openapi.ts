import * as contracts from '../shared/contracts.ts'
import { OPERATIONS } from '../shared/kernel/operations.contract.ts'
import type { RouteDefinition } from '../shared/kernel/route.ts'
import { openApiDocument } from './http/openapi.ts'

/** Every operation of the contract, bound or not. */
export const contractRoutes = (): RouteDefinition[] => [
  ...Object.values(contracts).flatMap((contract) => Object.values(contract).filter(isRoute)),
  ...OPERATIONS,
]

const isRoute = (value: unknown): value is RouteDefinition =>
  typeof value === 'object' && value !== null && 'path' in value && 'responses' in value

export const VERSION = '0.1.0'

/** What `sallyport openapi` prints. */
export const openApiText = (): string => JSON.stringify(openApiDocument(contractRoutes(), VERSION), null, 2)
