import * as account from '../shared/identity/account.contract.ts'
import * as authorization from '../shared/identity/authorization.contract.ts'
import * as blobs from '../shared/uploads/contract.ts'
import * as bookmarks from '../shared/evidence/bookmarks.contract.ts'
import * as callsBoard from '../shared/calls-board/contract.ts'
import * as cad from '../shared/dispatch/cad.contract.ts'
import * as cadMessages from '../shared/dispatch/cad-messages.contract.ts'
import * as caseDispatch from '../shared/dispatch/case-dispatch.contract.ts'
import * as captions from '../shared/evidence/captions.contract.ts'
import * as caseActs from '../shared/cases/case-acts.contract.ts'
import * as caseLinks from '../shared/cases/case-links.contract.ts'
import * as caseList from '../shared/cases/case-list.contract.ts'
import * as cases from '../shared/cases/contract.ts'
import * as categories from '../shared/cases/categories.contract.ts'
import * as correlation from '../shared/correlation/contract.ts'
import * as custody from '../shared/evidence/custody.contract.ts'
import * as departments from '../shared/cases/departments.contract.ts'
import * as deviceAssociations from '../shared/devices/associations.contract.ts'
import * as deviceConfigurations from '../shared/devices/configurations.contract.ts'
import * as deviceTake from '../shared/devices/take.contract.ts'
import * as devices from '../shared/devices/contract.ts'
import * as disposition from '../shared/retention/disposition.contract.ts'
import * as dock from '../shared/docking/contract.ts'
import * as documents from '../shared/evidence/contract.ts'
import * as evidenceActs from '../shared/evidence/acts.contract.ts'
import * as evidenceChange from '../shared/evidence/change.contract.ts'
import * as exporting from '../shared/kernel/exports.contract.ts'
import * as fixity from '../shared/integrity/fixity.contract.ts'
import * as jobs from '../shared/jobs/contract.ts'
import * as keystore from '../shared/identity/keystore.contract.ts'
import * as keeping from '../shared/integrity/contract.ts'
import * as lan from '../shared/network/contract.ts'
import * as media from '../shared/media/contract.ts'
import * as notes from '../shared/evidence/notes.contract.ts'
import * as notices from '../shared/notifications/contract.ts'
import { OPERATIONS } from '../shared/kernel/operations.contract.ts'
import * as ownAccess from '../shared/identity/own-access.contract.ts'
import * as passkeys from '../shared/identity/passkeys.contract.ts'
import type { RouteDefinition } from '../shared/kernel/route.ts'
import * as prefilledFields from '../shared/cases/prefilled-fields.contract.ts'
import * as quarantine from '../shared/retention/quarantine.contract.ts'
import * as retention from '../shared/retention/contract.ts'
import * as search from '../shared/search/contract.ts'
import * as serviceApiKeys from '../shared/identity/service-api-keys.contract.ts'
import * as serviceOrigins from '../shared/identity/service-origins.contract.ts'
import * as sessions from '../shared/identity/sessions.contract.ts'
import * as station from '../shared/station/contract.ts'
import * as stationWarnings from '../shared/station/warnings.contract.ts'
import * as templates from '../shared/templates/contract.ts'
import * as tokens from '../shared/identity/tokens.contract.ts'
import * as userGroups from '../shared/identity/groups.contract.ts'
import * as userPolicies from '../shared/identity/policies.contract.ts'
import * as userServices from '../shared/identity/services.contract.ts'
import * as userTrail from '../shared/identity/audit-trail.contract.ts'
import * as users from '../shared/identity/users.contract.ts'
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
