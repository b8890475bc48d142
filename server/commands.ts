import { JobsHalted, unlessHalted } from './kernel/jobs/types.ts'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Principal } from '../shared/kernel/principal.ts'
import type { Call } from './kernel/ledger/call.ts'
import {
  PACKAGE_FORMS,
  PACKAGE_LANGUAGES,
  PACKAGE_PAPERS,
  PACKAGE_PARTS,
  PACKAGE_VARIANTS,
  PASSPHRASE_LENGTH,
} from '../shared/packages/kinds.ts'
import type { Validation } from './features/validation/validation.service.ts'
import type { DisclosureCommands } from './features/disclosure/commands.ts'
import type { Exchange } from './features/packages/index.ts'
import type { Packages } from './features/packages/packages.service.ts'
import type { ForwardingService } from './features/forwarding/service.ts'
import type { FolderIngest, PlaceEvidence } from './features/uploads/ingest/folder.ts'
import type { People } from './features/identity/users/people.service.ts'
import type { StationTampered } from './features/integrity/verification/start-check.ts'
import type { UsersService } from './features/identity/users/users.service.ts'
import type { ControlRequest } from './platform/control/control.ts'
import type { IntegrityCommands } from './app/integrity.ts'
import type { Move } from './app/move/move.ts'

/** What the command line does inside the station that holds the folder, running or opened for one command (decisions 11). */
export type CommandRunner = (
  request: ControlRequest,
  progress: (value: unknown) => void,
  signal: AbortSignal,
) => Promise<unknown>

interface Deps {
  users: UsersService
  people: Pick<People, 'idOf' | 'unlock' | 'resetPassword' | 'disable' | 'enable' | 'contain'>
  /** @throws Fault UserNotFound, SecondStepOff */
  resetSecondStep: (call: Call, tenant: string, userId: string) => Promise<void>
  /** @throws Fault UserNotFound, PasskeyNotFound */
  resetPasskeys: (call: Call, tenant: string, userId: string) => Promise<void>
  ingest: FolderIngest
  /** @throws Fault when there is no such case, or it takes no evidence */
  placeInto: (tenant: string, caseId: string) => Promise<PlaceEvidence>
  tenant: string
  verify: (
    call: Call,
    options: {
      fast: boolean
      checkpoints: string | null
      signal: AbortSignal
      onProgress: (text: string) => void
    },
  ) => Promise<unknown>
  rotateTenantKey: (call: Call) => Promise<{ readonly keyId: string; readonly replaced: string | null }>
  integrity: IntegrityCommands
  forwarding: Pick<ForwardingService, 'import' | 'read' | 'verifyCustody'>
  packages: Packages
  exchange: Exchange
  disclosure: DisclosureCommands
  validation: Pick<Validation, 'run'>
  nodes: () => Promise<unknown>
  move: Move
  /** Runs what was enqueued to its end where no station runs: nobody else would do it. */
  finishJobs: (signal: AbortSignal, onProgress: (text: string) => void) => Promise<void>
}

const Setup = z.object({ username: z.string(), password: z.string() })
const NewUser = z.object({
  username: z.string(),
  password: z.string(),
  group: z.string().nullable(),
  policies: z.array(z.string()),
  guest: z.boolean(),
})
const KnownUser = z.object({ username: z.string() })
const Containment = KnownUser.extend({ reason: z.string().trim().min(1).max(1000) })
const NewPassword = KnownUser.extend({ password: z.string() })
const NewIntegration = z.object({
  name: z.string(),
  policies: z.array(z.string()),
  group: z.string().nullable(),
  baseUrl: z.string(),
})
const Ingest = z.object({ paths: z.array(z.string()).min(1), case: z.string().nullable() })
const Headquarters = z.object({ connection: z.unknown() })
const MoveTo = z.object({ database: z.string().nullable(), blobs: z.string().nullable() })
const ExportTo = z.object({ to: z.string() })
const ImportFrom = z.object({
  path: z.string(),
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{64}$/i)
    .nullable(),
})
const OnePackage = z.object({ packageId: z.int().positive() })
const NewPackage = z.object({
  of: z.union([z.object({ caseId: z.string() }), z.object({ evidenceIds: z.array(z.string()).min(1) })]),
  form: z.enum(PACKAGE_FORMS).default('folder'),
  target: z.string(),
  passphrase: z.string().min(PASSPHRASE_LENGTH).nullable().default(null),
  variant: z.enum(PACKAGE_VARIANTS),
  parts: z.array(z.enum(PACKAGE_PARTS)),
  papers: z.array(z.enum(PACKAGE_PAPERS)),
  language: z.enum(PACKAGE_LANGUAGES),
  supplements: z.number().int().positive().nullable().default(null),
})
const Verify = z.object({ fast: z.boolean(), checkpoints: z.string().nullable().default(null) })

/** `cli:{os user}` in the ledger. */
export const cliActor = (user: string): Principal => ({ kind: 'cli', id: user, name: `cli:${user}`, kId: '' })

/** Commands that write nothing where nothing may be written. */
const LOOKING: ReadonlySet<string> = new Set([
  'verify',
  'alarms',
  'key.show',
  'headquarters.status',
  'nodes',
  'stations',
])

/** The station moved away, and takes no commands here that write. */
export class StationMoved extends Error {
  override readonly name = 'StationMoved'
  readonly code = 'StationMoved'
}

/**
 * A station that was tampered with, or moved away, does for the command line what only looks. One that moved away also ends a move.
 * @param why asked at each command; null: every command is done
 */
export const refusingWhile =
  (why: () => StationTampered | StationMoved | null, command: CommandRunner): CommandRunner =>
  async (request, progress, signal) => {
    const refusal = why()
    const mayRun = LOOKING.has(request.command) || (refusal instanceof StationMoved && request.command === 'move')
    if (refusal !== null && !mayRun) throw refusal
    return command(request, progress, signal)
  }

export function createCommands({
  users,
  people,
  resetSecondStep,
  resetPasskeys,
  ingest,
  placeInto,
  tenant,
  verify,
  integrity,
  forwarding,
  packages,
  exchange,
  disclosure,
  validation,
  nodes,
  move,
  finishJobs,
  rotateTenantKey,
}: Deps): CommandRunner {
  const told = ({ PrincipalId, Username }: { PrincipalId: string; Username: string }) => ({
    principalId: PrincipalId,
    username: Username,
  })
  return async ({ command, args, user }, progress, signal) => {
    const call: Call = { actor: cliActor(user), source: 'cli', correlationId: randomUUID() }
    switch (command) {
      case 'setup': {
        const made = await users.setupFirstAdministrator(call, Setup.parse(args))
        return { principalId: made.principalId, username: made.username }
      }
      case 'user.create': {
        const { group, ...given } = NewUser.parse(args)
        const made = await users.createUser(call, { ...given, group: group ?? undefined })
        return { principalId: made.principalId, username: made.username }
      }
      case 'user.unlock':
      case 'user.disable':
      case 'user.enable': {
        const id = await people.idOf(tenant, KnownUser.parse(args).username)
        const act = command.slice('user.'.length) as 'unlock' | 'disable' | 'enable'
        return told(await people[act](call, tenant, id))
      }
      case 'user.contain': {
        const { username, reason } = Containment.parse(args)
        const { User, Ended } = await people.contain(call, tenant, await people.idOf(tenant, username), reason)
        return { ...told(User), ended: Ended }
      }
      case 'user.reset': {
        const { username, password } = NewPassword.parse(args)
        const id = await people.idOf(tenant, username)
        return told(await people.resetPassword(call, tenant, id, { password, due: true }))
      }
      case 'user.reset-second-step':
      case 'user.reset-passkeys': {
        const { username } = KnownUser.parse(args)
        const principalId = await people.idOf(tenant, username)
        await (command === 'user.reset-passkeys' ? resetPasskeys : resetSecondStep)(call, tenant, principalId)
        return { principalId, username }
      }
      case 'integration.create': {
        const { group, ...given } = NewIntegration.parse(args)
        return users.createIntegration(call, { ...given, group: group ?? undefined })
      }
      case 'ingest': {
        const { paths, case: caseId } = Ingest.parse(args)
        const place = caseId === null ? {} : { place: await placeInto(tenant, caseId) }
        const report = await ingest.ingest(call, tenant, { paths, signal, onProgress: progress, ...place })
        const finished = await finishJobs(signal, progress).then(
          () => true,
          (error: unknown) => {
            // The files are in, and the receipt says so; what is to be made of them is in the queue.
            if (signal.aborted || error instanceof JobsHalted) return false
            throw error
          },
        )
        return { ...report, finished }
      }
      case 'key.rotate-tenant':
        return rotateTenantKey(call)
      case 'headquarters.import':
        return forwarding.import(call, tenant, Headquarters.parse(args).connection)
      case 'headquarters.status':
        return forwarding.read(tenant)
      case 'stations.verify':
        return forwarding.verifyCustody(call)
      case 'package.create':
        return packages.create(call, tenant, NewPackage.parse(args), { signal, onProgress: progress })
      case 'export':
        return exchange.export(call, ExportTo.parse(args).to, { signal, onProgress: progress })
      case 'import': {
        const report = await exchange.import(call, ImportFrom.parse(args), { signal, onProgress: progress })
        // What is to be made of it is in the queue.
        if (report.state === 'made') await finishJobs(signal, progress).catch(unlessHalted)
        return report
      }
      case 'imports.verify':
        return exchange.verifyImports(call, signal)
      case 'package.timestamp':
        return packages.stamp(call, tenant, OnePackage.parse(args).packageId, signal)
      case 'package.sign':
        return packages.sign(call, tenant, OnePackage.parse(args).packageId)
      case 'package.cosign':
        return packages.cosign(call, tenant, OnePackage.parse(args).packageId, signal)
      case 'package.list':
        return packages.list(call, tenant)
      case 'validate': {
        const {
          text: _text,
          signature: _signature,
          ...told
        } = await validation.run(call, { signal, onProgress: progress })
        return { ...told, file: `validations/${told.name}.json` }
      }
      case 'nodes':
        return nodes()
      case 'move':
        return move(call, MoveTo.parse(args), progress, signal)
      case 'verify':
        return verify(call, { ...Verify.parse(args), signal, onProgress: progress })
      default: {
        const done = disclosure(call, tenant, { command, args }) ?? integrity(call, { command, args }, progress, signal)
        if (done !== null) return done
        throw new Error(
          `The running station knows no command "${command}". It is of another version: stop it and try again.`,
        )
      }
    }
  }
}
