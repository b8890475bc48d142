import * as account from '../shared/contract/account.ts'
import * as authorization from '../shared/contract/authorization.ts'
import * as blobs from '../shared/contract/blobs.ts'
import * as bookmarks from '../shared/contract/bookmarks.ts'
import * as callsBoard from '../shared/contract/calls-board.ts'
import * as cad from '../shared/contract/cad.ts'
import * as cadMessages from '../shared/contract/cad-messages.ts'
import * as caseDispatch from '../shared/contract/case-dispatch.ts'
import * as captions from '../shared/contract/captions.ts'
import * as caseActs from '../shared/contract/case-acts.ts'
import * as caseLinks from '../shared/contract/case-links.ts'
import * as caseList from '../shared/contract/case-list.ts'
import * as cases from '../shared/contract/cases.ts'
import * as categories from '../shared/contract/categories.ts'
import * as correlation from '../shared/contract/correlation.ts'
import * as custody from '../shared/contract/custody.ts'
import * as departments from '../shared/contract/departments.ts'
import * as deviceAssociations from '../shared/contract/device-associations.ts'
import * as deviceConfigurations from '../shared/contract/device-configurations.ts'
import * as deviceTake from '../shared/contract/device-take.ts'
import * as devices from '../shared/contract/devices.ts'
import * as disposition from '../shared/contract/disposition.ts'
import * as dock from '../shared/contract/dock.ts'
import * as documents from '../shared/contract/documents.ts'
import * as evidenceActs from '../shared/contract/evidence-acts.ts'
import * as evidenceChange from '../shared/contract/evidence-change.ts'
import * as exporting from '../shared/contract/exports.ts'
import * as fixity from '../shared/contract/fixity.ts'
import * as jobs from '../shared/contract/jobs.ts'
import * as keystore from '../shared/contract/keystore.ts'
import * as keeping from '../shared/contract/keeping.ts'
import * as lan from '../shared/contract/lan.ts'
import * as media from '../shared/contract/media.ts'
import * as notes from '../shared/contract/notes.ts'
import * as notices from '../shared/contract/notices.ts'
import { OPERATIONS } from '../shared/contract/operations.ts'
import * as ownAccess from '../shared/contract/own-access.ts'
import * as passkeys from '../shared/contract/passkeys.ts'
import type { RouteDefinition } from '../shared/contract/route.ts'
import * as prefilledFields from '../shared/contract/prefilled-fields.ts'
import * as quarantine from '../shared/contract/quarantine.ts'
import * as retention from '../shared/contract/retention.ts'
import * as search from '../shared/contract/search.ts'
import * as serviceApiKeys from '../shared/contract/service-api-keys.ts'
import * as serviceOrigins from '../shared/contract/service-origins.ts'
import * as sessions from '../shared/contract/sessions.ts'
import * as station from '../shared/contract/station.ts'
import * as stationWarnings from '../shared/contract/station-warnings.ts'
import * as templates from '../shared/contract/templates.ts'
import * as tokens from '../shared/contract/tokens.ts'
import * as userGroups from '../shared/contract/user-groups.ts'
import * as userPolicies from '../shared/contract/user-policies.ts'
import * as userServices from '../shared/contract/user-services.ts'
import * as userTrail from '../shared/contract/user-trail.ts'
import * as users from '../shared/contract/users.ts'
import { openApiDocument } from './http/openapi.ts'

/** Every operation of the contract, bound or not; a test holds this list against what the station binds. */
export function contractRoutes(): RouteDefinition[] {
  const isRoute = (value: unknown): value is RouteDefinition =>
    typeof value === 'object' && value !== null && 'path' in value && 'responses' in value
  return [
    ...[
      documents,
      evidenceActs,
      evidenceChange,
      bookmarks,
      notes,
      notices,
      exporting,
      media,
      captions,
      custody,
      fixity,
      disposition,
      quarantine,
      retention,
      dock,
      jobs,
      keystore,
      keeping,
      station,
      stationWarnings,
      lan,
      blobs,
      tokens,
      authorization,
      account,
      passkeys,
      ownAccess,
      sessions,
      cases,
      caseActs,
      caseLinks,
      caseList,
      categories,
      departments,
      prefilledFields,
      cad,
      cadMessages,
      caseDispatch,
      correlation,
      callsBoard,
      templates,
      search,
      users,
      userGroups,
      userServices,
      serviceOrigins,
      serviceApiKeys,
      userPolicies,
      userTrail,
      devices,
      deviceConfigurations,
      deviceAssociations,
      deviceTake,
    ].flatMap((part) => Object.values(part).filter(isRoute)),
    ...OPERATIONS,
  ]
}

export const VERSION = '0.1.0'

/** What `sallyport openapi` prints. */
export const openApiText = (): string => JSON.stringify(openApiDocument(contractRoutes(), VERSION), null, 2)
