/** The composition root: builds every part once, in order. Read it to know the system. */
import { join } from 'node:path'
import { MOST_RECOMPUTED } from '../shared/contract/custody.ts'
import type { Settings } from './config/settings.ts'
import { createAlarms } from './custody/alarms.ts'
import { openAlarms } from './custody/alarms.repository.ts'
import { createCheckpoints, settleRotation } from './custody/checkpoints.ts'
import { kindOf } from './custody/kinds.ts'
import { createLedger } from './custody/ledger.ts'
import { createVerifyEvidence } from './custody/verify-evidence.ts'
import { createVersions } from './custody/versions.ts'
import { openDatabase, type Tx } from './db/database.ts'
import { lifecycleOfEvidence } from './evidence/access/access.repository.ts'
import { createAccess } from './evidence/access/access.ts'
import { uploadAuthority } from './evidence/access/upload-authority.ts'
import { deriveHandlers } from './evidence/derive/derive.jobs.ts'
import { createDeriver } from './evidence/derive/derive.ts'
import { createRenewal } from './evidence/derive/renew.ts'
import { createDisposition } from './evidence/disposition/disposition.ts'
import { CHECK, createFixity } from './evidence/fixity/fixity.ts'
import { createSearchCatchUp } from './evidence/search/catch-up.ts'
import { createCompletion } from './evidence/ingest/completion.ts'
import { createDecryption } from './evidence/ingest/decryption.ts'
import { namedKeys } from './evidence/ingest/encryption-data.ts'
import { createFolderIngest } from './evidence/ingest/folder.ts'
import { createNotes } from './evidence/reading/notes.ts'
import { createRecords } from './evidence/records/records.ts'
import { openStaging } from './evidence/store/staging/staging.ts'
import { openBlobStore } from './evidence/store/store.ts'
import { contentDisposition } from './http/disposition.ts'
import { type App, BODY_MILLIS, createApp } from './http/app.ts'
import { createMetrics } from './http/metrics.ts'
import { operationsRoutes } from './http/operations.ts'
import type { Mode } from './http/ports.ts'
import { serveFile } from './http/ranges.ts'
import { createSite } from './http/site.ts'
import { blobRoutes } from './interfaces/blobs/blobs.routes.ts'
import { linkSigner } from './interfaces/blobs/blobs.signature.ts'
import { uploads as createUploads } from './interfaces/blobs/uploads.ts'
import { encryptionOf } from './interfaces/blobs/uploads.repository.ts'
import { caseExportRoutes } from './interfaces/cases/case-exports.handlers.ts'
import { caseNoteRoutes } from './interfaces/cases/case-notes.handlers.ts'
import { caseRoutes } from './interfaces/cases/cases.handlers.ts'
import { createCaseActs } from './interfaces/cases/case-acts.service.ts'
import { createCaseList } from './interfaces/cases/case-list.service.ts'
import { createCaseCore } from './interfaces/cases/cases.core.ts'
import { createCases } from './interfaces/cases/cases.service.ts'
import { createLinks } from './interfaces/cases/links.service.ts'
import { readHistory } from './interfaces/cases/history.ts'
import { casesLosingManage } from './interfaces/cases/last-manage.repository.ts'
import { categoryRoutes } from './interfaces/cases/categories.handlers.ts'
import { createCategories } from './interfaces/cases/categories.service.ts'
import { departmentRoutes } from './interfaces/cases/departments.handlers.ts'
import { createDepartments } from './interfaces/cases/departments.service.ts'
import { prefilledFieldRoutes } from './interfaces/cases/prefilled-fields.handlers.ts'
import { createPrefilledFields } from './interfaces/cases/prefilled-fields.service.ts'
import { actRoutes } from './interfaces/documents/acts.handlers.ts'
import { createEvidenceActs } from './interfaces/documents/acts.service.ts'
import { createBookmarks } from './interfaces/documents/bookmarks.service.ts'
import { captionRoutes } from './interfaces/documents/captions.handlers.ts'
import { createCaptions } from './interfaces/documents/captions.service.ts'
import { changeRoutes } from './interfaces/documents/change.handlers.ts'
import { createEvidenceHistory } from './interfaces/documents/change.history.ts'
import { createEvidenceChanging } from './interfaces/documents/change.service.ts'
import { custodyRoutes } from './interfaces/documents/custody.handlers.ts'
import { documentRoutes } from './interfaces/documents/documents.handlers.ts'
import { createDocumentsService } from './interfaces/documents/documents.service.ts'
import { createDuplicates } from './interfaces/documents/duplicates.service.ts'
import { documentExportRoutes } from './interfaces/documents/exports.handlers.ts'
import { fixityRoutes } from './interfaces/documents/fixity.handlers.ts'
import { listRoutes } from './interfaces/documents/list.handlers.ts'
import { createListService } from './interfaces/documents/list.service.ts'
import { mediaRoutes } from './interfaces/documents/media.handlers.ts'
import { createMediaService } from './interfaces/documents/media.service.ts'
import { createStills } from './interfaces/documents/media.stills.ts'
import { createPlaybacks } from './interfaces/documents/playbacks.ts'
import { dispositionRoutes } from './interfaces/disposition/disposition.handlers.ts'
import { createDispositionService } from './interfaces/disposition/disposition.service.ts'
import { quarantineRoutes } from './interfaces/disposition/quarantine.handlers.ts'
import { createQuarantineService } from './interfaces/disposition/quarantine.service.ts'
import { retentionRoutes } from './interfaces/disposition/retention.handlers.ts'
import { createRetentionPreview } from './interfaces/disposition/retention.preview.ts'
import { createSources } from './interfaces/disposition/sources.service.ts'
import { reachForWriting } from './interfaces/documents/reading.access.ts'
import { readingRoutes } from './interfaces/documents/reading.handlers.ts'
import { createExporting } from './interfaces/exporting.ts'
import { jobRoutes } from './interfaces/jobs/jobs.handlers.ts'
import { keyStoreRoutes } from './interfaces/keystore/keystore.handlers.ts'
import { createKeyStore } from './interfaces/keystore/keystore.service.ts'
import { accountRoutes } from './interfaces/sessions/account.handlers.ts'
import { clearCookie } from './interfaces/sessions/cookie.ts'
import { accountSubject } from './interfaces/sessions/failure-book.ts'
import { createSealer } from './interfaces/sessions/seal.ts'
import { sessionRoutes } from './interfaces/sessions/sessions.handlers.ts'
import { createSessions } from './interfaces/sessions/sessions.service.ts'
import { createStationEvents } from './interfaces/station/station.events.ts'
import { stationRoutes } from './interfaces/station/station.handlers.ts'
import { createStationState } from './interfaces/station/station.service.ts'
import { templateRoutes } from './interfaces/templates/templates.handlers.ts'
import { templateOf } from './interfaces/templates/templates.repository.ts'
import { createSavedSearches } from './interfaces/search/saved.service.ts'
import { searchRoutes } from './interfaces/search/search.handlers.ts'
import { createSearch } from './interfaces/search/search.service.ts'
import { createTemplates } from './interfaces/templates/templates.service.ts'
import { createAuthorizations } from './interfaces/tokens/authorizations.service.ts'
import { tokenRoutes } from './interfaces/tokens/tokens.handlers.ts'
import { enabledMember } from './interfaces/tokens/tokens.repository.ts'
import { createTokens } from './interfaces/tokens/tokens.service.ts'
import { noticeRoutes } from './interfaces/users/notices.handlers.ts'
import { createNotices } from './interfaces/users/notices.service.ts'
import { hashPassword, verifyPassword } from './interfaces/users/passwords.ts'
import { createUserService } from './interfaces/users/user-service.ts'
import { createUsers } from './interfaces/users/users.service.ts'
import { countBusy } from './jobs/jobs.repository.ts'
import { createJobQueue } from './jobs/queue.ts'
import { systemClock } from './platform/clock/clock.ts'
import { createClockSync } from './platform/clock/sync.ts'
import { createMediaTools } from './platform/ffmpeg/media-tools.ts'
import { openReserve } from './platform/files/reserve.ts'
import { openNotes } from './platform/files/notes.ts'
import { readSite, siteFolder } from './platform/files/site.ts'
import { leastSpace } from './platform/files/space.ts'
import { walk } from './platform/files/walk.ts'
import type { Log } from './platform/log/log.ts'
import { scratch } from './platform/run/scratch.ts'
import { USUAL_FOLDERS } from './platform/run/tools.ts'
import { openKeys } from './platform/secrets/keys.ts'
import { createCommands, type CommandRunner } from './commands.ts'
import { VERSION } from './openapi.ts'
import { createAddresses } from './station/addresses.ts'
import { createAuthorize } from './station/authorize.ts'
import { advice, stationChecks } from './station/checks.ts'
import { lastVerification, stationOrigin } from './station/identity.repository.ts'
import { composeKeeping } from './station/keeping.ts'
import { registerKeeping } from './station/keeping-metrics.ts'
import { createLifecycle, UPLOADS } from './station/lifecycle.ts'
import { type Maintenance, startMaintenance } from './station/maintenance.ts'
import { floorOf, openStationMode } from './station/mode.ts'
import { tenantByName } from './station/tenant.ts'
import { httpLedger, isDiskFailure, storageFault, uploadRefused } from './station/refusals.ts'
import { createDailyVerification, createVerification } from './station/verification.ts'

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

/** @param onFailed told once when the disk failed under a commit or an fsync: the process has to end. */
export async function composeStation(
  settings: Settings & { blobsDir: string },
  log: Log,
  onFailed: (reason: string) => void,
): Promise<Station> {
  const clock = systemClock
  const addresses = createAddresses(settings)

  // Room, and whether writes are taken
  const volumes = [...new Set([settings.data, settings.blobsDir])]
  const mode = await openStationMode({
    space: () => leastSpace(volumes),
    minFreeBytes: settings.minFreeBytes ?? null,
    reserve: await openReserve(join(settings.data, 'reserve'), settings.reserveBytes),
    log,
    ticks: () => performance.now(),
    onFailed,
  })
  const fail = (error: Error): void => mode.fail(error.message)

  // Custody
  const file = join(settings.data, 'sallyport.db')
  const db = await openDatabase({
    file,
    onUnknownOutcome: fail,
    makeRoom: mode.look,
    // It takes room twice, in the file and in the WAL: never so much that the station goes read-only by it.
    padding: (await mode.spare(2 * PADDING)) ? PADDING : 0,
  })
  const ledger = createLedger({ db, clock, log })
  const keys = await openKeys(join(settings.data, 'keys'), { clock, established: (await ledger.head()).seq > 0 })
  const versions = createVersions({ db })
  const origin = await stationOrigin(db)
  // Beside the database: what shows an older copy of it, or an end that was cut off.
  const notes = await openNotes(join(settings.data, 'checkpoints'))
  await settleRotation({ ledger, key: keys.signing })
  if (keys.tightened.length > 0) log.warn({ files: keys.tightened }, 'others could read these keys until now')
  const checkpoints = createCheckpoints({
    db,
    ledger,
    clock,
    log,
    key: keys.signing,
    origin: () => origin,
    keepOutside: (size, note) => notes.keep(String(size).padStart(12, '0'), note),
  })

  // Bytes
  const store = await openBlobStore({
    root: settings.blobsDir,
    now: clock.now,
    onUnknownOutcome: fail,
    onProblem: (problem) => log.warn({ err: problem }, 'a problem of the blob store, without harm'),
  })
  const staging = await openStaging({ root: join(settings.blobsDir, '.staging', UPLOADS) })

  // What comes in
  const jobs = createJobQueue({
    db,
    clock,
    log,
    handlers: () => handlers,
    lanes: settings.deriveLanes,
    // Whoever asks for a check now must not wait for the conversion of a long video.
    apart: [CHECK],
    mayRun: mode.mayWrite,
  })
  const records = createRecords({ ledger, versions, jobs, clock })
  const uploads = createUploads({
    database: db,
    staging,
    clock,
    mayWrite: mode.admission,
    onStorageFault: fail,
    onCommitted: async (tx, call, { resourceId, length, blocks }) => {
      const object = { type: 'resource', id: String(resourceId), name: '' }
      await ledger.append(tx, call, { action: 'upload.committed', object, bytes: length, detail: { blocks } })
    },
  })
  const users = createUsers({ db, ledger, clock })
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
      signInLockSeconds: settings.signInLockSeconds,
    },
  })
  const access = createAccess({ clock })
  const completion = createCompletion({
    db,
    store,
    records,
    jobs,
    uploads: {
      assemble: async (resourceId) => {
        try {
          const found = await uploads.assemble(resourceId, store)
          return found === null ? null : { staged: found.staged, encryption: encryptionOf(found.metadata) }
        } catch (error) {
          if (isDiskFailure(error)) fail(error)
          throw error
        }
      },
      release: uploads.release,
      forget: uploads.forget,
      discard: uploads.discard,
    },
    decrypt: createDecryption({ store, privateKey: keys.tenant.privateKey }),
    log,
    stillAllowed: uploadAuthority({ db, access, isMember: async (id) => (await enabledMember(db.read, id)) !== null }),
    requireWrites: mode.requireWrites,
  })
  const ingest = createFolderIngest({
    db,
    store,
    records,
    jobs,
    clock,
    walk,
    lanes: settings.ingestLanes,
    requireBytes: mode.requireBytes,
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
  const alarms = createAlarms({ ledger, clock, log })
  const fixity = createFixity({ db, store, ledger, clock, alarms, jobs })
  const handlers = { ...deriveHandlers({ db, store, deriver, records, ledger, jobs }), ...fixity.handlers }

  // How it goes
  const disposition = createDisposition({
    db,
    ledger,
    store,
    clock,
    log,
    times: { coolingMs: settings.coolingOffHours * 3_600_000, binDays: settings.recycleBinDays },
    signer: keys.signing.current,
    origin,
    mayWrite: mode.mayWrite,
  })

  // How it is asked for
  const signer = linkSigner(keys.uploadSecret)
  const uploadUris = {
    uri: (origin: string, tenant: string, id: number) => `${origin}${signer.pathFor(tenant, String(id), clock.now())}`,
  }
  const keyStore = createKeyStore({
    db,
    ledger,
    keys: keys.tenant,
    named: async () => namedKeys(await uploads.encryptionHeaders()),
  })
  const playbacks = createPlaybacks({ ledger, clock })
  const tenant = tenantByName(settings.tenant)
  const categories = createCategories({ db, ledger, versions, clock })
  const { isInPolicy, isAdministrator } = users
  const exporting = createExporting({ ledger, disposition: (name) => contentDisposition(name, false), now: clock.now })
  const userService = createUserService({
    db,
    ledger,
    clock,
    users,
    casesLosing: casesLosingManage,
    accountSubject,
    lifetimes: { idleSeconds: settings.idleLockSeconds, sessionSeconds: settings.sessionSeconds },
    tenant,
    exporting,
  })
  const departments = createDepartments({ db, ledger, versions, clock, isInPolicy })
  const fieldsOf = (type: 'Case' | 'Evidence') => async (from: Tx, name: string) =>
    (await templateOf(from, name, type))?.customFields ?? []
  const caseCore = createCaseCore({ db, ledger, versions, clock, access })
  const caseLinks = createLinks({ db, core: caseCore, records, versions, access, clock, isInPolicy })
  const caseActs = createCaseActs({ db, core: caseCore, access, ledger, clock, isInPolicy, records })
  const caseService = createCases({
    db,
    core: caseCore,
    links: caseLinks,
    ledger,
    versions,
    clock,
    customFields: fieldsOf('Case'),
    isInPolicy,
    isAdministrator,
  })
  const documents = createDocumentsService({
    db,
    records,
    ledger,
    versions,
    jobs,
    uploads: uploadUris,
    completion,
    access,
    clock,
    categoryExists: categories.exists,
    linkNew: caseLinks.linkNew,
    customFields: fieldsOf('Evidence'),
    requireBytes: mode.requireBytes,
  })
  const changing = createEvidenceChanging({
    db,
    records,
    ledger,
    access,
    categoryEnabled: categories.isEnabled,
    customFields: fieldsOf('Evidence'),
  })
  const evidenceHistory = createEvidenceHistory({
    db,
    ledger,
    access,
    people: users,
    versions,
    readHistory,
  })
  const evidenceActs = createEvidenceActs({ db, records, access, clock, moveBetween: caseLinks.moveBetween })
  const reach = reachForWriting(access)
  const bookmarks = createBookmarks({ db, ledger, versions, clock, reach })
  const notesWritten = createNotes({ db, ledger, versions, clock })
  const mediaService = createMediaService({ db, documents, jobs, store, ledger })
  const stills = createStills({ db, documents, jobs, store, deriver, records, requireBytes: mode.requireBytes })
  const captions = createCaptions({ db, documents, store, scratch, records, requireBytes: mode.requireBytes })
  const verifyEvidence = createVerifyEvidence({
    db,
    ledger,
    clock,
    file,
    publicKeys: keys.signing.publicKeys,
    most: MOST_RECOMPUTED,
  })
  const state = createStationState({
    db,
    clock,
    fixed: {
      name: settings.stationName,
      version: VERSION,
      timeZone: settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      tenant: settings.tenant,
    },
    mode,
    disk: async () => {
      const space = await leastSpace(volumes)
      return { ...space, floor: floorOf(settings.minFreeBytes ?? null, space.total) }
    },
    clockSync: createClockSync({ searchPath: USUAL_FOLDERS, ticks: () => performance.now() }),
    media: media.state,
    lastVerification: () => lastVerification(db.read),
    openAlarms: () => openAlarms(db.read),
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
    tenant,
  })
  const events = createStationEvents({ db, jobs, state, isChange: (action) => kindOf(action) === 'change', clock, log })
  const metrics = createMetrics()
  registerKeeping(metrics.registry, { db, clock })
  const evidenceList = createListService({ db, jobs, access, isInPolicy })
  const caseList = createCaseList({ db, access, isInPolicy })
  const routes = [
    ...documentRoutes({ service: documents, store, ledger, playbacks, uploads: uploadUris, tenant, serveFile }),
    ...changeRoutes({ service: changing, history: evidenceHistory, tenant }),
    ...actRoutes({ acts: evidenceActs, duplicates: createDuplicates({ db, access, documents }), tenant }),
    ...readingRoutes({ documents, bookmarks, notes: notesWritten, reach, tenant }),
    ...templateRoutes({ service: createTemplates({ db, ledger, clock }), tenant }),
    ...listRoutes({ service: evidenceList, tenant }),
    ...documentExportRoutes({ db, documents, list: evidenceList, history: evidenceHistory, exporting, tenant }),
    ...mediaRoutes({ service: mediaService, stills, store, ledger, tenant, serveFile }),
    ...captionRoutes({ captions, tenant }),
    ...custodyRoutes({ db, service: documents, verify: verifyEvidence, tenant }),
    ...fixityRoutes({ db, service: documents, fixity, tenant }),
    ...dispositionRoutes({
      service: createDispositionService({ db, ledger, clock, disposition }),
      db,
      ledger,
      times: disposition.times,
      tenant,
    }),
    ...quarantineRoutes({
      service: createQuarantineService({ db, ledger, clock, quarantine: disposition.quarantine }),
      tenant,
    }),
    ...retentionRoutes({
      sources: createSources({ db, ledger, versions, clock }),
      preview: createRetentionPreview({
        db,
        clock,
        binDays: settings.recycleBinDays,
        categoryExists: categories.exists,
      }),
      tenant,
    }),
    ...stationRoutes({ state, events, tenant }),
    ...keeping.routes,
    ...jobRoutes({ db, jobs, ledger, access, tenant }),
    ...keyStoreRoutes({ keyStore, tenant }),
    ...blobRoutes({ uploads, signer, clock, onRefused: uploadRefused(ledger) }),
    ...tokenRoutes({
      tokens,
      authorizations,
      addresses: addresses.forTokens,
      signingOut: { signOut: sessions.signOut, clearCookie },
    }),
    ...sessionRoutes(sessions),
    ...accountRoutes({ ...sessions, tenant }),
    ...userService.routes,
    ...noticeRoutes({ service: createNotices({ db, ledger, access, clock }), tenant }),
    ...caseRoutes({
      service: caseService,
      acts: caseActs,
      links: caseLinks,
      list: caseList,
      tenant,
    }),
    ...caseExportRoutes({ list: caseList, service: caseService, exporting, tenant }),
    ...caseNoteRoutes({ db, core: caseCore, notes: notesWritten, tenant }),
    ...categoryRoutes({ service: categories, tenant }),
    ...departmentRoutes({ service: departments, tenant }),
    ...prefilledFieldRoutes({ service: createPrefilledFields({ db, ledger, clock }), tenant }),
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
  const app = createApp({
    routes: [...routes, ...operationsRoutes({ metrics, mode: httpMode, checks, routes: described, version: VERSION })],
    authorize: createAuthorize({
      tokens,
      sessions,
      isAdministrator,
      isInPolicy,
      levelOnEvidence: async (principal, id) => {
        const lifecycle = await lifecycleOfEvidence(db.read, id)
        if (lifecycle === null) return null
        return { level: await access.onEvidence(db.read, principal, id), deleted: lifecycle === 'Deleted' }
      },
    }),
    ledger: httpLedger(ledger),
    database: db,
    station: {
      origins: addresses.origins,
      mode: httpMode,
      clock,
      log,
      observe: (request) => {
        keeping.atWork()
        metrics.observe(request)
      },
      translate: storageFault,
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
  const catchUp = createSearchCatchUp({ db, store })
  let upkeep: Maintenance | null = null
  const verify = createVerification({ db, ledger, store, keys, notes, alarms, origin, file, clock })
  const daily = createDailyVerification({ db, verify, clock })
  return {
    app,
    log,
    bound: addresses.bound,
    loopbackUrl: addresses.loopbackUrl,
    prepare: lifecycle.prepare,
    start: async () => {
      await lifecycle.start()
      const own = [
        { name: 'older derivations', everyMs: 5_000, run: renewal.run },
        { name: 'what the search has still to read', everyMs: 1_000, run: catchUp.run },
        { name: 'protections of cases', everyMs: 30_000, run: async () => void (await caseActs.endProtections()) },
        { name: 'protections of evidence', everyMs: 30_000, run: evidenceActs.endProtections },
        { name: 'keys of encrypted uploads', everyMs: 3_600_000, run: keyStore.forget },
        { name: 'verification', everyMs: 60_000, run: daily.run },
        ...keeping.chores,
      ]
      upkeep = startMaintenance(own, log)
      ready = true
    },
    stop: async () => {
      daily.stop()
      await keeping.stop()
      await upkeep?.stop()
      await lifecycle.stop()
    },
    command: createCommands({
      users,
      people: userService.people,
      resetSecondStep: sessions.account.reset,
      resetPasskeys: sessions.passkeys.reset,
      ingest,
      placeInto: caseLinks.placeInto,
      tenant: settings.tenant,
      verify,
      keeping: keeping.commands,
      finishJobs: lifecycle.finishJobs,
      rotateTenantKey: keyStore.rotate,
    }),
    advice: () => advice({ users, media, mode }),
    setupUrl: async () => {
      const token = await sessions.setupToken()
      return token === null ? null : `${addresses.loopbackUrl()}/setup#token=${token}`
    },
    work: () => countBusy(db.read),
  }
}
