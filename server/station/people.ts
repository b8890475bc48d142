/** The part of the composition that knows people and programs: accounts, tokens, sessions, and who may do what. */
import { shownKey } from '../custody/note.ts'
import type { Settings } from '../config/settings.ts'
import type { Ledger } from '../custody/ledger.ts'
import type { Database } from '../db/database.ts'
import { casesLosingManage } from '../interfaces/cases/last-manage.repository.ts'
import { endUploadAddresses } from '../interfaces/blobs/upload-addresses.ts'
import type { Export } from '../interfaces/exporting.ts'
import { accountRoutes } from '../interfaces/sessions/account.handlers.ts'
import { clearCookie } from '../interfaces/sessions/cookie.ts'
import { accountSubject } from '../interfaces/sessions/failure-book.ts'
import { forgetFamiliarSources, locksOf, releaseAccount } from '../interfaces/sessions/failures.repository.ts'
import { removePasskeys } from '../interfaces/sessions/passkeys.repository.ts'
import { createSealer } from '../interfaces/sessions/seal.ts'
import { removeSecondStep } from '../interfaces/sessions/second-step.repository.ts'
import { sessionRoutes } from '../interfaces/sessions/sessions.handlers.ts'
import { createSessions } from '../interfaces/sessions/sessions.service.ts'
import { createAuthorizations } from '../interfaces/tokens/authorizations.service.ts'
import { tokenRoutes } from '../interfaces/tokens/tokens.handlers.ts'
import { createTokens } from '../interfaces/tokens/tokens.service.ts'
import { hashPassword, verifyPassword } from '../interfaces/users/passwords.ts'
import { createUserService } from '../interfaces/users/user-service.ts'
import { createUsers } from '../interfaces/users/users.service.ts'
import { VERSION } from '../openapi.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { StationKeys } from '../platform/secrets/keys.ts'
import type { StationAddresses } from './addresses.ts'

interface Deps {
  readonly settings: Settings
  readonly db: Database
  readonly ledger: Ledger
  readonly clock: Clock
  readonly keys: StationKeys
  /** The name under which checkpoints are signed. */
  readonly origin: string
  readonly addresses: StationAddresses
  readonly exporting: Export
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
  /** Of the certificates at an address of the station. */
  readonly thumbprints: (origin: string) => readonly string[]
  /** What becomes of cases that nobody would manage once an account is disabled. */
  readonly handOverCases: Parameters<typeof createUserService>[0]['handOverCases']
}

export function composePeople({
  settings,
  db,
  ledger,
  clock,
  keys,
  origin,
  addresses,
  exporting,
  tenant,
  thumbprints,
  handOverCases,
}: Deps) {
  const users = createUsers({ db, ledger, clock, thumbprints })
  const tokens = createTokens({ db, ledger, clock, keys: keys.tokens, addresses: addresses.forTokens })
  const authorizations = createAuthorizations({
    db,
    ledger,
    clock,
    keys: keys.tokens,
    addresses: addresses.forTokens,
    clients: settings.desktopClients,
  })
  const sessions = createSessions({
    db,
    ledger,
    clock,
    accounts: users,
    passwords: { hash: hashPassword, verify: verifyPassword },
    sealer: createSealer(keys.secretsKey),
    settings: {
      tenant: settings.tenant,
      station: { Name: settings.stationName, Version: VERSION, Vendor: settings.vendor },
      notice: settings.notice,
      idleSeconds: settings.idleLockSeconds,
      sessionSeconds: settings.sessionSeconds,
      signInLock: settings.signInLockSeconds,
    },
  })
  const userService = createUserService({
    db,
    ledger,
    clock,
    users,
    casesLosing: casesLosingManage,
    handOverCases,
    failures: { accountSubject, release: releaseAccount, locksOf, forgetSources: forgetFamiliarSources },
    signInMethods: { removePasskeys, removeSecondStep },
    endUploadAddresses,
    lifetimes: { idleSeconds: settings.idleLockSeconds, sessionSeconds: settings.sessionSeconds },
    tenant,
    exporting,
  })
  return {
    users,
    tokens,
    sessions,
    people: userService.people,
    routes: [
      ...tokenRoutes({
        tokens,
        authorizations,
        addresses: addresses.forTokens,
        signingOut: { signOut: sessions.signOut, clearCookie },
      }),
      ...sessionRoutes(sessions, () => shownKey(origin, keys.signing.current().publicKey)),
      ...accountRoutes({ ...sessions, tenant }),
      ...userService.routes,
    ],
  }
}
