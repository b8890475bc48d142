import * as blobs from '../shared/contract/blobs.ts'
import * as cases from '../shared/contract/cases.ts'
import * as categories from '../shared/contract/categories.ts'
import * as custody from '../shared/contract/custody.ts'
import * as documents from '../shared/contract/documents.ts'
import * as fixity from '../shared/contract/fixity.ts'
import * as jobs from '../shared/contract/jobs.ts'
import * as media from '../shared/contract/media.ts'
import { OPERATIONS } from '../shared/contract/operations.ts'
import type { RouteDefinition } from '../shared/contract/route.ts'
import * as sessions from '../shared/contract/sessions.ts'
import * as station from '../shared/contract/station.ts'
import * as tokens from '../shared/contract/tokens.ts'
import { openApiDocument } from './http/openapi.ts'

/** Every operation of the contract, bound or not; a test holds this list against what the station binds. */
export function contractRoutes(): RouteDefinition[] {
  const isRoute = (value: unknown): value is RouteDefinition =>
    typeof value === 'object' && value !== null && 'path' in value && 'responses' in value
  return [
    ...[documents, media, custody, fixity, jobs, station, blobs, tokens, sessions, cases, categories].flatMap((part) =>
      Object.values(part).filter(isRoute),
    ),
    ...OPERATIONS,
  ]
}

export const VERSION = '0.1.0'

/** What `sallyport openapi` prints. */
export const openApiText = (): string => JSON.stringify(openApiDocument(contractRoutes(), VERSION), null, 2)
