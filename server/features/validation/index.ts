/** Self-validation of the installation (promise C7). */
import { join } from 'node:path'
import { createAccess } from '../../kernel/access/access.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import type { Task } from '../../kernel/scheduler.ts'
import type { ClockSync } from '../../platform/clock/sync.ts'
import type { MediaTools } from '../../platform/ffmpeg/media-tools.ts'
import { disksBelow, machineFacts } from '../../platform/machine/machine-facts.ts'
import { findOpenssl } from '../../platform/run/openssl.ts'
import { USUAL_FOLDERS } from '../../platform/run/tools.ts'
import { openBlobStore } from '../../storage/folder/store.ts'
import { checkClock } from './checks/clock.ts'
import { checkDenial } from './checks/denial.ts'
import { checkHashes } from './checks/hashes.ts'
import { checkLedger, type VerifyLedger } from './checks/ledger.ts'
import { checkDecoding, checkMetadata } from './checks/media.ts'
import { checkRedaction } from './checks/redaction.ts'
import { checkRestore, type MakeSnapshot, type RestoreSnapshot } from './checks/restore.ts'
import { checkSignatures } from './checks/signatures.ts'
import { checkVolumes } from './checks/volumes.ts'
import { keptResults } from './kept-results.ts'
import { validationRoutes } from './validation.routes.ts'
import { type Checks, createValidation, type Validation } from './validation.service.ts'

export interface ValidationNeeds {
  readonly tools: MediaTools
  readonly clockSync: () => Promise<ClockSync>
  readonly verifyLedger: VerifyLedger
  readonly makeSnapshot: MakeSnapshot
  readonly restore: RestoreSnapshot
}

export function validationFeature(
  kernel: Kernel,
  needs: ValidationNeeds,
): Feature & { readonly validation: Validation; readonly newestValidation: Validation['newest'] } {
  const { settings, keys, mode } = kernel
  const validation = createValidation({
    ...kernel,
    results: keptResults(join(settings.data, 'validations'), () => keys.packages.current()?.publicKey ?? null),
    checks: checksOf(kernel, needs),
    mayWrite: mode.mayWrite,
    requireWrites: mode.requireWrites,
    station: {
      name: settings.stationName,
      origin: kernel.origin,
      program: kernel.version,
      data: settings.data,
      blobs: settings.blobsDir,
      database: settings.databaseUrl === undefined ? 'SQLite' : 'PostgreSQL',
    },
    machine: machineFacts,
    disksBelow,
  })
  return {
    validation,
    newestValidation: validation.newest,
    routes: validationRoutes(validation),
    tasks: [{ name: 'self-validation', runsOn: 'one node', everyMs: 60_000, run: validation.runDue }] satisfies Task[],
    catchUp: validation.clear,
    stop: validation.stop,
  }
}

/** Each check with what it needs. */
export function checksOf(
  { store, clock, log, keys, settings }: Pick<Kernel, 'store' | 'clock' | 'log' | 'keys' | 'settings'>,
  { tools, clockSync, verifyLedger, makeSnapshot, restore }: ValidationNeeds,
): Checks {
  return {
    hashes: ({ area, signal }) => checkHashes({ store }, area, signal),
    volumes: ({ area, signal }) => checkVolumes({ store, openStore: openBlobStore, now: clock.now }, area, signal),
    ledger: ({ area, signal }) => checkLedger({ verifyLedger, clock, log }, area, signal),
    signatures: async ({ area, packageKey, signal }) => {
      const openssl = await findOpenssl(settings.toolFolders ?? USUAL_FOLDERS, signal)
      return checkSignatures({ packageKey, ledgerKey: keys.signing.current(), openssl }, area)
    },
    decoding: ({ area, signal }) => checkDecoding({ tools }, area, signal),
    metadata: ({ area, signal }) => checkMetadata({ tools }, area, signal),
    clock: ({ began }) => checkClock({ clock, clockSync, began }),
    // Without a cache: what it remembers of people of a scratch database would be taken for people of the station.
    denial: ({ area }) => checkDenial({ access: createAccess({ clock }), clock, log }, area),
    restore: ({ area, signal }) => checkRestore({ makeSnapshot, restore, clock, log }, area, signal),
    redaction: checkRedaction,
  }
}
