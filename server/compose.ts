/** The composition root: builds every part once, in order. Read it to know the system. */
import { timeOf } from '../shared/kernel/time.ts'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { MOST_RECOMPUTED } from '../shared/evidence/custody.contract.ts'
import { fault } from '../shared/kernel/errors.ts'
import { targets } from './features/integrity/backup/backups.store.ts'
import { fileThreads } from './config/file-threads.ts'
import type { Settings } from './config/settings.ts'
import { copyTargets } from './features/integrity/verification/copies.store.ts'
import { createAlarms } from './kernel/ledger/alarms.ts'
import { openAlarms } from './kernel/ledger/alarms.store.ts'
import { createCheckpoints, settleRotation } from './features/integrity/verification/checkpoints.ts'
import { kindOf } from './kernel/ledger/actions.ts'
import { createLedger } from './kernel/ledger/ledger.ts'
import { StationTampered } from './features/integrity/verification/start-check.ts'
import { createVerifyEvidence } from './features/integrity/verification/verify-evidence.ts'
import { createVersions } from './kernel/versions/versions.ts'
import { openDatabase, type Tx } from './kernel/database/database.ts'
import { createIdentifyApart } from './features/docking/discovery/identify-apart.ts'
import { createProfileFolder, withProfiles } from './features/docking/discovery/profile-folder.ts'
import { shippedProfiles } from './features/docking/profiles/shipped.ts'
import { dockJobHandlers } from './features/docking/session/recordings.jobs.ts'
import { lifecycleOfEvidence } from './kernel/access/access.store.ts'
import { createAccess } from './kernel/access/access.ts'
import { deriveHandlers } from './features/media/derive/derive.jobs.ts'
import { createDeriver } from './features/media/derive/derive.ts'
import { createCaptureRenewal, createZoneRenewal } from './features/media/derive/older-starts.ts'
import { createRenewal } from './features/media/derive/renew.ts'
import { createDisposition } from './features/retention/disposition/disposition.ts'
import { CHECK, createFixity } from './features/integrity/fixity/fixity.ts'
import { createSearchCatchUp } from './features/search/index-catch-up.ts'
import { namedKeys } from './features/uploads/ingest/encryption-data.ts'
import { createNotes } from './features/evidence/annotations/notes.ts'
import { createRecords } from './kernel/evidence/records.ts'
import { openStaging } from './storage/staging/staging.ts'
import { openBlobStore } from './storage/store.ts'
import { isForeignUrl } from './http/arrival.ts'
import { contentDisposition } from './http/disposition.ts'
import { type App, BODY_MILLIS, createApp } from './http/app.ts'
import { createBodyReader } from './http/body-thread.ts'
import { createMetrics } from './http/metrics.ts'
import { operationsRoutes } from './http/operations.ts'
import type { Mode } from './http/ports.ts'
import { serveFile } from './http/ranges.ts'
import { createSite } from './http/static-files.ts'
import { composeCalls } from './app/calls.ts'
import { blobRoutes } from './features/uploads/blobs/blobs.route-list.ts'
import { linkSigner } from './features/uploads/blobs/blobs.signature.ts'
import { isStillHeld } from './features/uploads/blobs/upload-addresses.ts'
import { createCaseService } from './features/cases/case-service.ts'
import { readHistory } from './features/cases/history.ts'
import { createDeviceService } from './features/devices/device-service.ts'
import { retentionAndDisposition } from './features/retention/disposition.route-list.ts'
import { createDocumentService } from './features/evidence/document-service.ts'
import { createPlaybacks } from './features/evidence/playbacks.ts'
import { createExporting } from './http/exports.ts'
import { createJobAccess } from './features/jobs/job-access.ts'
import { jobRoutes } from './features/jobs/jobs.routes.ts'
import { keyStoreRoutes } from './features/identity/keystore/keystore.routes.ts'
import { createKeyStore } from './features/identity/keystore/keystore.service.ts'
import { createSealer } from './features/identity/sessions/seal.ts'
import { createStationEvents } from './features/station/station.events.ts'
import { stationRoutes } from './features/station/station.routes.ts'
import { createStationState } from './features/station/station.service.ts'
import { createStationWarnings } from './features/station/warnings.service.ts'
import { templateRoutes } from './features/templates/templates.routes.ts'
import { templateOf } from './features/templates/templates.store.ts'
import { createSavedSearches } from './features/search/saved.service.ts'
import { searchRoutes } from './features/search/search.routes.ts'
import { createSearch } from './features/search/search.service.ts'
import { createTemplates } from './features/templates/templates.service.ts'
import { enabledMember } from './features/identity/tokens/tokens.store.ts'
import { noticeRoutes } from './features/notifications/own-notices.routes.ts'
import { createOwnNotices } from './features/notifications/own-notices.service.ts'
import { countBusy } from './kernel/jobs/jobs.store.ts'
import { createJobQueue, joinHandlers } from './kernel/jobs/queue.ts'
import { systemClock } from './platform/clock/clock.ts'
import { createClockSync } from './platform/clock/sync.ts'
import { createMediaTools } from './platform/ffmpeg/media-tools.ts'
import { openReserve } from './platform/files/reserve.ts'
import { noteName, openNotes } from './platform/files/notes.ts'
import { readSite, siteFolder } from './platform/files/static-files.ts'
import type { KnownFolder } from './platform/files/known-folder.ts'
import { isOnVolume, volumeOf } from './platform/files/marked-folder.ts'
import { leastSpace } from './platform/files/space.ts'
import type { Log } from './platform/log/log.ts'
import { scratch } from './platform/run/scratch.ts'
import { USUAL_FOLDERS } from './platform/run/tools.ts'
import { createVolumeReading } from './platform/volumes/volume-reader.ts'
import { volumesOfThisMachine } from './platform/volumes/this-machine.ts'
import { createCommands, type CommandRunner } from './commands.ts'
import { VERSION } from './openapi.ts'
import { createAddresses } from './app/addresses.ts'
import { createAuthorize } from './app/authorize.ts'
import { advice, stationChecks } from './app/checks.ts'
import { lastVerification, stationOrigin } from './app/identity.store.ts'
import { createNotices } from './features/notifications/notices.ts'
import { createDockService } from './app/dock.ts'
import { composeLan } from './app/lan.ts'
import { dockDevices } from './app/dock-devices.ts'
import { composeKeeping } from './app/integrity.ts'
import { registerKeeping } from './app/integrity-metrics.ts'
import { composeIntake } from './app/intake.ts'
import { createLifecycle, UPLOADS } from './app/lifecycle.ts'
import { type Maintenance, startMaintenance } from './app/maintenance.ts'
import { floorOf, openStationMode } from './app/mode.ts'
import { composePeople } from './app/people.ts'
import { tenantByName } from './app/tenant.ts'
import { storageFault, uploadRefused } from './app/refusals.ts'
import { requireOwnBlobs } from './app/own-blobs.ts'
import { finishAcceptance } from './app/accept-ledger.ts'
import { requireSameStation, trustedStart } from './app/trusted-start.ts'
import { createDailyVerification, createVerification } from './app/verification.ts'

export interface Station {
  readonly app: App
  readonly log: Log
  /** The port that was bound; addresses follow from it. */
  bound(port: number): void
  loopbackUrl(): string
  /** Seeds a new station and puts right what an unclean end left; before anything else. */
  prepare(): Promise<void>
  /** Writes that it started, takes up its jobs. Before this nothing but operations is answered. */
  start(): Promise<void>
  command: CommandRunner
  /** The listener of the LAN, as `HttpServer.close`. */
  closeLan(millis: number): Promise<number>
  advice(): Promise<string[]>
  /** Where the first administrator is made, with a fresh one-time token; null when there is one. */
  setupUrl(): Promise<string | null>
  /** Jobs queued or running. */
  work(): Promise<number>
  /** Safe to call at any stage. */
  stop(): Promise<void>
}

/** A few thousand entries of the ledger, and the WAL at the length at which SQLite checks it in. */
const PADDING = 8 * 1024 * 1024

/** The settings, with the folders as they are when the station begins to start. */
export interface SettingsWithFolders extends Settings {
  readonly blobsDir: string
  readonly dataFolder: KnownFolder
}

/**
 * @param onFailed told once when the disk failed under a commit or an fsync, or the data folder was replaced: the process has to end.
 * @throws when a part cannot be made; then what was opened before it is closed again, the newest first
 */
export async function composeStation(
  settings: SettingsWithFolders,
  log: Log,
  onFailed: (reason: string) => void,
): Promise<Station> {
  const opened: Opened[] = []
  try {
    return await compose(settings, log, onFailed, opened)
  } catch (error) {
    // Threads that stay open would keep the process from ending.
    for (const part of opened.reverse())
      await part.close().catch((problem: unknown) => log.warn({ err: problem }, 'a part of the station did not close'))
    throw error
  }
}

/** Commands that write nothing where nothing may be written. */
const LOOKING: ReadonlySet<string> = new Set(['verify', 'alarms', 'key.show'])

/** A station that was tampered with does for the command line what only looks. */
const refusingWhile =
  (tampered: string | null, command: CommandRunner): CommandRunner =>
  async (request, progress, signal) => {
    if (tampered !== null && !LOOKING.has(request.command)) throw new StationTampered(tampered)
    return command(request, progress, signal)
  }

/** What has threads or files of its own. */
interface Opened {
  close(): Promise<void>
}

async function compose(
  settings: SettingsWithFolders,
  log: Log,
  onFailed: (reason: string) => void,
  opened: Opened[],
): Promise<Station> {
  const clock = systemClock
  const behindProxy = isForeignUrl(settings.publicUrl)
  const addresses = createAddresses(settings, () => lan.origins())

  // Room, and whether writes are taken. First of all: even a look at the database takes room, for the shared memory of its WAL.
  const volumes = [...new Set([settings.data, settings.blobsDir])]
  const volumeOfBlobs = await volumeOf(settings.blobsDir)
  const mode = await openStationMode({
    space: async () => {
      const [space, there] = await Promise.all([
        leastSpace(volumes),
        isOnVolume(settings.blobsDir, volumeOfBlobs).catch(() => false),
      ])
      return { ...space, away: space.away || !there }
    },
    isReplaced: settings.dataFolder.isReplaced,
    minFreeBytes: settings.minFreeBytes ?? null,
    reserve: await openReserve(join(settings.data, 'reserve'), settings.reserveBytes),
    log,
    ticks: () => performance.now(),
    onFailed,
  })

  // Whether the ledger and the schema are as the station left them: before anything is opened for writing.
  const file = join(settings.data, 'sallyport.db')
  const start = await trustedStart(settings.data, clock)
  const { keys, findings, tampered } = start
  if (tampered !== null) {
    if (findings?.readable !== true) throw new StationTampered(tampered)
    mode.distrust(tampered)
  }
  const fail = (error: Error): void => mode.fail(error.message)

  // Custody
  const db = await openDatabase({
    file,
    ...(tampered !== null && { refusal: () => fault('ReadOnly', tampered) }),
    onUnknownOutcome: fail,
    beforeWrite: mode.look,
    // It takes room twice, in the file and in the WAL: never so much that the station goes read-only by it.
    padding: (await mode.spare(2 * PADDING)) ? PADDING : 0,
  })
  opened.push(db)
  await requireSameStation(db, start)
  const access = createAccess({ clock })
  const notices = createNotices({
    db,
    clock,
    access,
    mayWrite: mode.mayWrite,
    officersOf: async (tx, deviceId) => {
      const officers = await devices.register.officersAt(deviceId, timeOf(clock.now()).ticks, tx)
      return officers.map(({ PrincipalId }) => Number(PrincipalId))
    },
  })
  const ledger = createLedger({ db, clock, log, appended: notices.happened })
  const versions = createVersions({ db })
  const origin = await stationOrigin(db)
  // Beside the database: what shows an older copy of it, or an end that was cut off.
  const notesFolder = join(settings.data, 'checkpoints')
  const notes = await openNotes(notesFolder)
  if (tampered === null) {
    await finishAcceptance({ db, folder: notesFolder, keys: keys.signing.publicKeys(), origin })
    await settleRotation({ ledger, key: keys.signing })
  }
  if (keys.tightened.length > 0) log.warn({ files: keys.tightened }, 'others could read these keys until now')
  const checkpoints = createCheckpoints({
    db,
    ledger,
    clock,
    log,
    key: keys.signing,
    origin: () => origin,
    keepOutside: async (size, note, reason) => {
      // Named after the entries alone, it would pass for a checkpoint of the station that lies here now.
      await mode.look()
      await notes.keep(noteName(size), note)
      await keeping.copyOutside(reason)
    },
  })

  // Bytes
  const { established } = start
  const stillOwn = await requireOwnBlobs(
    settings.blobsDir,
    db.read,
    { origin, established, mayRecord: mode.mayRecord },
    log,
  )
  const store = await openBlobStore({
    root: settings.blobsDir,
    fileThreads: fileThreads(),
    now: clock.now,
    onUnknownOutcome: fail,
    onProblem: (problem) => log.warn({ err: problem }, 'a problem of the blob store, without harm'),
  })
  opened.push(store)
  const staging = await openStaging({ root: join(settings.blobsDir, '.staging', UPLOADS) })
  opened.push(staging)

  // What comes in
  const jobs = createJobQueue({
    db: db.inBackground,
    clock,
    log,
    handlers: () => handlers,
    lanes: settings.deriveLanes,
    // Whoever asks for a check now must not wait for the conversion of a long video.
    apart: [CHECK],
    mayRun: mode.mayWrite,
  })
  const records = createRecords({ ledger, versions, jobs, clock })
  const { uploads, completion, ingest } = composeIntake({
    settings,
    db,
    ledger,
    store,
    staging,
    records,
    jobs,
    access,
    mode,
    privateKey: keys.tenant.privateKey,
    clock,
    log,
  })

  // What is made of it
  const media = createMediaTools(
    settings.toolFolders !== undefined
      ? { searchPath: settings.toolFolders, exiftoolScript: null }
      : settings.mediaFolder !== undefined
        ? { searchPath: [settings.mediaFolder, ...USUAL_FOLDERS] }
        : {},
  )
  const deriver = createDeriver({
    tools: media,
    store,
    vendor: settings.vendor,
    log: (event) => log.info(event, 'a media tool refused a file'),
  })
  const timeZone = settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const alarms = createAlarms({ ledger, clock, log })
  const fixity = createFixity({ db, store, ledger, clock, alarms, jobs })
  const handlers = joinHandlers(
    deriveHandlers({ db: db.inBackground, store, deriver, records, ledger, jobs, clock, timeZone }),
    fixity.handlers,
    dockJobHandlers({ db: db.inBackground, ledger, versions, records, jobs, clock, tenant: settings.tenant }),
  )

  // How it goes
  const disposition = createDisposition({
    db,
    ledger,
    store,
    clock,
    log,
    times: {
      coolingMs: settings.coolingOffHours * 3_600_000,
      binDays: settings.recycleBinDays,
      settleDays: settings.approverSettleDays,
    },
    signer: keys.signing.current,
    origin,
    mayWrite: mode.mayWrite,
  })

  // How it is asked for
  const signer = linkSigner(keys.uploadSecret)
  const uploadUris = {
    uri: (origin: string, tenant: string, id: number, principalId: string) =>
      `${origin}${signer.pathFor(tenant, String(id), clock.now(), principalId)}`,
  }
  const keyStore = createKeyStore({
    db,
    ledger,
    keys: keys.tenant,
    named: async () => namedKeys(await uploads.encryptionHeaders()),
  })
  const playbacks = createPlaybacks({ ledger, clock })
  const tenant = tenantByName(settings.tenant)
  const exporting = createExporting({ ledger, disposition: (name) => contentDisposition(name, false), now: clock.now })
  const people = composePeople({
    settings,
    db,
    ledger,
    clock,
    keys,
    origin,
    addresses,
    exporting,
    tenant,
    thumbprints: (origin) => lan.thumbprints(origin),
    handOverCases: (...given) => cases.handOverCases(...given),
  })
  const { users, sessions, tokens } = people
  const { isInPolicy, isAdministrator } = users
  const devices = createDeviceService({
    db,
    ledger,
    clock,
    sealer: createSealer(keys.secretsKey),
    secretsKey: keys.secretsKey,
    isInPolicy,
    maxActiveDevices: settings.maxActiveDevices,
    tenant,
  })
  const fieldsOf = (type: 'Case' | 'Evidence') => async (from: Tx, name: string) =>
    (await templateOf(from, name, type))?.customFields ?? []
  const notesWritten = createNotes({ db, ledger, versions, clock })
  const cases = createCaseService({
    db,
    ledger,
    versions,
    clock,
    access,
    records,
    notes: notesWritten,
    notices,
    customFields: fieldsOf('Case'),
    isInPolicy,
    isAdministrator,
    exporting,
    tenant,
  })
  const calls = composeCalls({
    db,
    ledger,
    records,
    access,
    clock,
    log,
    mode,
    cases,
    isInPolicy,
    exporting,
    timeZone,
    origins: () => addresses.forTokens().origins,
    tenant,
  })
  const verifyEvidence = createVerifyEvidence({
    db,
    ledger,
    clock,
    file,
    publicKeys: keys.signing.publicKeys,
    most: MOST_RECOMPUTED,
  })
  const documents = createDocumentService({
    db,
    ledger,
    versions,
    clock,
    timeZone,
    jobs,
    access,
    records,
    notes: notesWritten,
    store,
    completion,
    uploads: uploadUris,
    deriver,
    scratch,
    fixity,
    playbacks,
    verify: verifyEvidence,
    requireBytes: mode.requireBytes,
    categories: cases.categories,
    links: cases.links,
    provesDevice: devices.register.proves,
    readHistory,
    customFields: fieldsOf('Evidence'),
    isInPolicy,
    isAdministrator,
    exporting,
    tenant,
    serveFile,
  })
  const lan = composeLan({
    settings,
    db,
    ledger,
    keys,
    clock,
    log,
    mode,
    hasAdministrator: users.hasAdministrator,
    app: () => app,
    tenant,
  })
  const clockSync = createClockSync({ searchPath: USUAL_FOLDERS, ticks: () => performance.now() })
  const warnings = createStationWarnings({ db, ledger, clock, clockSync, timeZone })
  const jobAccess = createJobAccess(access, clock.monotonic)
  const state = createStationState({
    db,
    clock,
    fixed: {
      name: settings.stationName,
      version: VERSION,
      timeZone,
      tenant: settings.tenant,
    },
    mode,
    disk: async () => {
      const space = await leastSpace(volumes)
      return { ...space, floor: floorOf(settings.minFreeBytes ?? null, space.total) }
    },
    clockSync,
    media: media.state,
    lastVerification: () => lastVerification(db.read),
    openAlarms: () => openAlarms(db.read),
    isInPolicy,
    asker: access.asker,
    levelsOnJobs: jobAccess.levels,
    copies: async () => {
      const [backups, checkpoints] = await Promise.all([targets(db.read), copyTargets(db.read)])
      return { backups: backups.length, checkpoints: checkpoints.length }
    },
    warnings,
  })
  const keeping = composeKeeping({
    settings,
    file,
    db,
    ledger,
    alarms,
    checkpoints,
    store,
    keys,
    origin,
    clock,
    log,
    mode,
    warnings: warnings.standing,
    tenant,
  })
  const profiles = createProfileFolder({
    folder: join(settings.data, 'profiles'),
    shipped: shippedProfiles(),
    onProblem: (problem) => log.warn({ ...problem }, 'a camera profile is not used'),
  })
  const dock = createDockService({
    settings,
    db,
    ledger,
    versions,
    records,
    store,
    jobs,
    clock,
    clockSync,
    log,
    mode,
    signer: keys.signing.current,
    alarms,
    origin,
    reading: createVolumeReading(),
    volumes: settings.dock
      ? volumesOfThisMachine({
          dockRoot: settings.dockRoot ?? null,
          keepOut: volumes,
          onProblem: (error) => log.warn({ err: error }, 'the volumes of this machine could not be listed'),
        })
      : null,
    identify: withProfiles(profiles, createIdentifyApart({ profiles: profiles.profiles, timeZone })),
    profiles,
    register: dockDevices(devices.register),
    timeZone,
    letterhead: { stationName: settings.stationName, timeZone },
    tenant,
    folders: volumes,
  })
  const events = createStationEvents({ db, jobs, state, isChange: (action) => kindOf(action) === 'change', clock, log })
  const metrics = createMetrics()
  registerKeeping(metrics.registry, { db, clock })
  const routes = [
    ...documents.routes,
    ...devices.routes,
    ...templateRoutes({ service: createTemplates({ db, ledger, clock }), tenant }),
    ...retentionAndDisposition({
      db,
      ledger,
      versions,
      clock,
      disposition,
      categoryExists: cases.categories.exists,
      tenant,
    }),
    ...stationRoutes({ state, events, warnings, tenant }),
    ...lan.routes,
    ...keeping.routes,
    ...dock.routes,
    ...jobRoutes({ db, jobs, ledger, access: jobAccess, evidenceAccess: access, tenant }),
    ...keyStoreRoutes({ keyStore, tenant }),
    ...blobRoutes({
      uploads,
      signer,
      clock,
      stillHeld: (holder) => isStillHeld(db.read, holder),
      onRefused: uploadRefused(ledger),
    }),
    ...people.routes,
    ...noticeRoutes({
      service: createOwnNotices({ db, ledger, access, clock, isInPolicy, isAdministrator }),
      tenant,
    }),
    ...cases.routes,
    ...calls.routes,
    ...searchRoutes({
      search: createSearch({
        db,
        access,
        isInPolicy,
        customFields: async (from, name) => ({
          Case: await fieldsOf('Case')(from, name),
          Evidence: await fieldsOf('Evidence')(from, name),
        }),
      }),
      saved: createSavedSearches({ db, ledger, clock }),
      tenant,
    }),
  ]
  let ready = false
  const httpMode = (): Mode => (!ready ? 'not-ready' : mode.mayWrite() ? 'ready' : 'read-only')
  const checks = stationChecks({ db, mode, media, store })
  const described = routes.map(({ route }) => route)
  const bodies = createBodyReader(() => new Worker(new URL('./body.worker.ts', import.meta.url)))
  const app: App = createApp({
    routes: [...routes, ...operationsRoutes({ metrics, mode: httpMode, checks, routes: described, version: VERSION })],
    authorize: createAuthorize({
      tokens,
      sessions,
      byApiKey: calls.apiKeys.principalOf,
      apiKeyInQuery: settings.apiKeyInQuery,
      isAdministrator,
      isInPolicy,
      isEnabled: async ({ id }) => (await enabledMember(db.read, Number(id))) !== null,
      levelOnEvidence: async (principal, id) => {
        const lifecycle = await lifecycleOfEvidence(db.read, id)
        // Also of what is not there: the way to the answer must not tell it from what may not be seen (decisions 13).
        const level = await access.onEvidence(db.read, principal, id)
        return lifecycle === null ? null : { level, deleted: lifecycle === 'Deleted' }
      },
    }),
    ledger,
    database: db,
    station: {
      origins: addresses.origins,
      mode: httpMode,
      publicUrlIsForeign: behindProxy,
      clock,
      log,
      observe: (request) => {
        keeping.atWork()
        metrics.observe(request)
        lan.observe(request)
      },
      bodies,
      translate: storageFault,
      mayShare: settings.apiKeyInQuery ? calls.apiKeys.mayShare : async () => false,
      site: createSite({
        files: readSite(siteFolder()),
        tiles: settings.tileUrl === undefined ? null : new URL(settings.tileUrl).origin,
      }),
    },
    settings: { ...settings, bodyMillis: BODY_MILLIS },
  })

  // What it does by itself
  const lifecycle = createLifecycle({
    settings,
    db,
    ledger,
    checkpoints,
    store,
    requireOwnBlobs: stillOwn,
    staging,
    uploads,
    jobs,
    playbacks,
    mode,
    keys,
    completion,
    disposition,
    records,
    media,
    clock,
    log,
  })
  const renewal = createRenewal({ db, jobs })
  const captures = createCaptureRenewal({ db, store, records, clock, timeZone })
  const localStarts = createZoneRenewal({ db, records, timeZone })
  const catchUp = createSearchCatchUp({ db, store })
  let upkeep: Maintenance | null = null
  const verify = createVerification({
    db,
    ledger,
    store,
    keys,
    notes,
    alarms,
    origin,
    file,
    clock,
    mayRecord: mode.mayRecord,
  })
  const daily = createDailyVerification({ db, verify, clock })
  return {
    app,
    log,
    bound: addresses.bound,
    loopbackUrl: addresses.loopbackUrl,
    prepare: async () => {
      if (tampered === null) await lifecycle.prepare()
      else log.error(`ALARM: ${tampered}`)
    },
    start: async () => {
      if (tampered !== null) {
        // Only to be looked at: no entry, no checkpoint, no job, no camera.
        ready = true
        await lan.start()
        return
      }
      await lifecycle.start()
      const own = [
        { name: 'older derivations', everyMs: 5_000, run: renewal.run },
        { name: 'times of older pictures', everyMs: 1_000, run: async () => (mode.mayWrite() ? captures.run() : 0) },
        {
          name: 'local times in the zone of the station',
          everyMs: 1_000,
          run: async () => (mode.mayWrite() ? localStarts.run() : 0),
        },
        { name: 'what the search has still to read', everyMs: 1_000, run: catchUp.run },
        { name: 'protections of cases', everyMs: 30_000, run: cases.endProtections },
        { name: 'protections of evidence', everyMs: 30_000, run: documents.endProtections },
        { name: 'keys of encrypted uploads', everyMs: 3_600_000, run: keyStore.forget },
        { name: 'verification', everyMs: 60_000, run: daily.run },
        { name: 'notices that were seen long ago', everyMs: 3_600_000, run: notices.forget },
        ...calls.chores,
        ...keeping.chores,
        ...lan.chores,
      ]
      await calls.catchUp()
      upkeep = startMaintenance(own, log)
      ready = true
      await dock.start()
      await lan.start()
    },
    stop: async () => {
      daily.stop()
      await dock.stop()
      await keeping.stop()
      await upkeep?.stop()
      await bodies.close()
      await lifecycle.stop()
    },
    command: refusingWhile(
      tampered,
      createCommands({
        users,
        people: people.people,
        resetSecondStep: sessions.account.reset,
        resetPasskeys: sessions.passkeys.reset,
        ingest,
        placeInto: cases.links.placeInto,
        tenant: settings.tenant,
        verify,
        keeping: keeping.commands,
        finishJobs: lifecycle.finishJobs,
        rotateTenantKey: keyStore.rotate,
      }),
    ),
    closeLan: lan.close,
    advice: async () => [...(await advice({ users, media, mode, behindProxy })), ...lan.advice()],
    setupUrl: async () => {
      // Where a proxy may stand in front, nobody is known to be at this machine; `setup` makes the first administrator.
      const token = behindProxy ? null : await sessions.setupToken()
      return token === null ? null : `${addresses.loopbackUrl()}/setup#token=${token}`
    },
    work: () => countBusy(db.read),
  }
}
