/** People and programs: accounts, tokens, sessions and security policies. */
import type { Kernel } from '../../kernel/kernel.ts'
import type { Task } from '../../kernel/scheduler.ts'
import { shownKey } from '../../kernel/ledger/signed-note.ts'
import { accountRoutes } from './sessions/account.routes.ts'
import { clearCookie } from './sessions/cookie.ts'
import { accountSubject } from './sessions/failure-book.ts'
import { forgetFamiliarSources, locksOf, releaseAccount } from './sessions/failures.store.ts'
import { removePasskeys } from './sessions/passkeys.store.ts'
import { removeSecondStep } from './sessions/second-step.store.ts'
import { sessionRoutes } from './sessions/sessions.routes.ts'
import { createSessions } from './sessions/sessions.service.ts'
import { createAuthorizations } from './tokens/authorizations.service.ts'
import { tokenRoutes } from './tokens/tokens.routes.ts'
import { createTokens } from './tokens/tokens.service.ts'
import { hashPassword, verifyPassword } from './users/passwords.ts'
import { createUserService } from './users/user-service.ts'
import { createUsers } from './users/users.service.ts'

type UserServiceDeps = Parameters<typeof createUserService>[0]

interface Needs {
  /** The addresses of the station. */
  readonly addresses: Parameters<typeof tokenRoutes>[0]['addresses']
  /** Thumbprints of the certificates at an address of the station. */
  readonly thumbprints: (origin: string) => readonly string[]
  readonly casesLosing: UserServiceDeps['casesLosing']
  /** Hands over the cases that would have no manager once an account is disabled. */
  readonly handOverCases: UserServiceDeps['handOverCases']
  readonly endUploadAddresses: UserServiceDeps['endUploadAddresses']
}

export function identityFeature(kernel: Kernel, needs: Needs) {
  const { addresses, thumbprints } = needs
  const { settings, db, ledger, clock, keys, origin, exporting } = kernel
  const users = createUsers({ db, ledger, clock, thumbprints })
  const tokens = createTokens({ db, ledger, clock, keys: keys.tokens, addresses })
  const authorizations = createAuthorizations({
    db,
    ledger,
    clock,
    keys: keys.tokens,
    addresses,
    clients: settings.desktopClients,
  })
  const sessions = createSessions({
    db,
    ledger,
    clock,
    accounts: users,
    passwords: { hash: hashPassword, verify: verifyPassword },
    secretsKey: keys.secretsKey,
    settings: {
      tenant: settings.tenant,
      station: {
        Name: settings.stationName,
        Version: kernel.version,
        Vendor: settings.vendor,
        TimeZone: kernel.timeZone,
        RecycleBinDays: settings.recycleBinDays,
        SeveralNodes: kernel.nodes.areSeveral,
      },
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
    casesLosing: needs.casesLosing,
    handOverCases: needs.handOverCases,
    failures: { accountSubject, release: releaseAccount, locksOf, forgetSources: forgetFamiliarSources },
    signInMethods: { removePasskeys, removeSecondStep },
    endUploadAddresses: needs.endUploadAddresses,
    lifetimes: { idleSeconds: settings.idleLockSeconds, sessionSeconds: settings.sessionSeconds },
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
        addresses,
        signingOut: { signOut: sessions.signOut, clearCookie },
      }),
      ...sessionRoutes(sessions, () => shownKey(origin, keys.signing.current().publicKey)),
      ...accountRoutes({ ...sessions }),
      ...userService.routes,
    ],
    tasks: [
      { name: 'token keys', runsOn: 'one node', everyMs: 3_600_000, run: () => keys.tokens.rotateWhenDue() },
    ] satisfies Task[],
  }
}
