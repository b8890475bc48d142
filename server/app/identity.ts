/** People and programs: accounts, tokens, sessions, and who may do what. */
import type { Kernel } from '../kernel/kernel.ts'
import { shownKey } from '../kernel/ledger/signed-note.ts'
import { casesLosingManage } from '../features/cases/last-manage.store.ts'
import { endUploadAddresses } from '../features/uploads/blobs/upload-addresses.ts'
import { accountRoutes } from '../features/identity/sessions/account.routes.ts'
import { clearCookie } from '../features/identity/sessions/cookie.ts'
import { accountSubject } from '../features/identity/sessions/failure-book.ts'
import { forgetFamiliarSources, locksOf, releaseAccount } from '../features/identity/sessions/failures.store.ts'
import { removePasskeys } from '../features/identity/sessions/passkeys.store.ts'
import { createSealer } from '../features/identity/sessions/seal.ts'
import { removeSecondStep } from '../features/identity/sessions/second-step.store.ts'
import { sessionRoutes } from '../features/identity/sessions/sessions.routes.ts'
import { createSessions } from '../features/identity/sessions/sessions.service.ts'
import { createAuthorizations } from '../features/identity/tokens/authorizations.service.ts'
import { tokenRoutes } from '../features/identity/tokens/tokens.routes.ts'
import { createTokens } from '../features/identity/tokens/tokens.service.ts'
import { hashPassword, verifyPassword } from '../features/identity/users/passwords.ts'
import { createUserService } from '../features/identity/users/user-service.ts'
import { createUsers } from '../features/identity/users/users.service.ts'
import { VERSION } from '../openapi.ts'
import type { StationAddresses } from './addresses.ts'

interface Needs {
  readonly addresses: StationAddresses
  /** Of the certificates at an address of the station. */
  readonly thumbprints: (origin: string) => readonly string[]
  /** What becomes of cases that nobody would manage once an account is disabled. */
  readonly handOverCases: Parameters<typeof createUserService>[0]['handOverCases']
}

export function identityFeature(kernel: Kernel, { addresses, thumbprints, handOverCases }: Needs) {
  const { settings, db, ledger, clock, keys, origin, exporting, tenant } = kernel
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
    tasks: [{ name: 'token keys', everyMs: 3_600_000, run: () => keys.tokens.rotateWhenDue() }],
  }
}
