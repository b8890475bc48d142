/** The composition root: the list of features, in the order in which they start. Read it to know the system. */
import { timeOf } from '../shared/kernel/time.ts'
import { createAddresses, outsideAddress } from './app/http.ts'
import { dockingFeature } from './app/docking.ts'
import { evidenceFeature } from './app/evidence.ts'
import { asConnection, makeAssertion } from './bin/token-client.ts'
import { integrityFeature } from './app/integrity.ts'
import type { OpenedKernel } from './app/kernel.ts'
import { mapsFeature } from './features/maps/index.ts'
import { mediaFeature } from './features/media/index.ts'
import { networkFeature, type NetworkFeature } from './app/network.ts'
import { stationFeature } from './app/station.ts'
import { stationValidation } from './app/validation.ts'
import { callsBoardFeature } from './features/calls-board/index.ts'
import { type CaseService, createCaseService } from './features/cases/case-service.ts'
import { correlationFeature } from './features/correlation/index.ts'
import { explainCase } from './features/correlation/explain.ts'
import { createDeviceService } from './features/devices/device-service.ts'
import { disclosureFeature } from './features/disclosure/index.ts'
import { dispatchFeature } from './features/dispatch/index.ts'
import { forwardingFeature } from './features/forwarding/index.ts'
import { createNotes } from './kernel/annotations/notes.ts'
import { casesLosingManage } from './features/cases/last-manage.store.ts'
import { identityFeature } from './features/identity/index.ts'
import { enabledMember } from './features/identity/tokens/tokens.store.ts'
import { keyStoreFeature } from './features/identity/keystore/index.ts'
import { nodesFeature } from './features/nodes/index.ts'
import { standingAmong } from './features/disclosure/restrictions.store.ts'
import { shareLinksFeature } from './features/share-links/index.ts'
import { createSealer } from './platform/secrets/seal.ts'
import { notificationsFeature } from './features/notifications/index.ts'
import { packagesFeature } from './features/packages/index.ts'
import { retentionFeature } from './features/retention/index.ts'
import { reportsFeature } from './features/reports/index.ts'
import { sampleFeature } from './features/sample/index.ts'
import { searchFeature } from './features/search/index.ts'
import { templatesFeature } from './features/templates/index.ts'
import { endUploadAddresses } from './features/uploads/blobs/upload-addresses.ts'
import { todayFeature } from './features/today/index.ts'
import { uploadsFeature } from './features/uploads/index.ts'
import { parseJson } from './http/json.ts'
import { serveFile } from './http/ranges.ts'
import type { App } from './http/app.ts'
import type { Feature } from './kernel/kernel.ts'

/**
 * @param features gets every feature, in the order in which they start
 * @param app answers requests; asked once the station listens
 */
export function composeFeatures(kernel: OpenedKernel, features: Feature[], app: () => App) {
  const { settings, keys, clock } = kernel
  const add = <F extends Feature>(feature: F): F => {
    features.push(feature)
    return feature
  }
  const addresses = createAddresses(settings, () => network.origins())

  const isMember = async (id: number): Promise<boolean> => (await enabledMember(kernel.db.read, id)) !== null

  const media = add(mediaFeature(kernel, { serveFile }))
  const uploads = add(uploadsFeature(kernel, { isMember }))
  const keyStore = add(keyStoreFeature(kernel, { keysInUse: uploads.namedKeys }))
  const identity = add(
    identityFeature(kernel, {
      addresses: addresses.forTokens,
      thumbprints: (origin) => network.thumbprints(origin),
      casesLosing: casesLosingManage,
      handOverCases: (...given) => cases.handOverCases(...given),
      endUploadAddresses,
    }),
  )
  const templates = add(templatesFeature(kernel))
  add(mapsFeature(kernel))
  const devices = add(
    createDeviceService({
      ...kernel,
      sealer: createSealer(keys.secretsKey),
      secretsKey: keys.secretsKey,
      maxActiveDevices: settings.maxActiveDevices,
    }),
  )
  const { notices } = add(
    notificationsFeature(kernel, {
      officersOf: async (tx, deviceId) => {
        const officers = await devices.register.officersAt(deviceId, timeOf(clock.now()).ticks, tx)
        return officers.map(({ PrincipalId }) => Number(PrincipalId))
      },
    }),
  )
  const notes = createNotes({ ...kernel, notices })
  const cases: CaseService = add(
    createCaseService({ ...kernel, notes, notices, customFields: templates.fieldsOf('Case') }),
  )
  const station = add(stationFeature(kernel, media))
  const nodes = add(nodesFeature(kernel))
  const integrity = add(integrityFeature(kernel, { notes: kernel.notes, warnings: station.warnings.standing }))
  const { disposition, holdsOf, countApprovable, upcoming, whyNotSecondPerson } = add(
    retentionFeature(kernel, { categoryExists: cases.categories.exists }),
  )
  const { bookmarks } = add(
    evidenceFeature(kernel, {
      cases,
      devices: devices.register,
      notes,
      uploads,
      shiftAt: (...given) => shiftAt(...given),
      customFields: templates.fieldsOf('Evidence'),
    }),
  )
  add(
    searchFeature(kernel, {
      notices,
      customFields: async (from, name) => ({
        Case: await templates.fieldsOf('Case')(from, name),
        Evidence: await templates.fieldsOf('Evidence')(from, name),
      }),
    }),
  )
  const dispatch = add(
    dispatchFeature(kernel, {
      writeCase: cases.cad.write,
      parseJson,
      reachCase: cases.reach,
      origins: () => addresses.forTokens().origins,
    }),
  )
  const { countReviews } = add(
    correlationFeature(kernel, {
      reachCase: cases.reach,
      linkToCase: cases.links.apply,
      linksChanged: cases.linksChanged,
    }),
  )
  const { shiftAt, callLines } = add(callsBoardFeature(kernel, { reachCase: cases.reach, explainCase }))
  const {
    commands: disclosureCommands,
    gate,
    countToApprove,
  } = add(disclosureFeature(kernel, { reachCase: cases.reach, notices, whyNotSecondPerson }))
  add(
    todayFeature(kernel, {
      shiftAt,
      countReviews,
      countApprovals: countApprovable,
      countDisclosures: countToApprove,
      countTasks: cases.countTasks,
      countAccessRequests: cases.countAccessRequests,
      levelsOnJobs: station.levelsOnJobs,
    }),
  )
  add(
    sampleFeature(kernel, {
      tools: media.tools,
      notes,
      addBookmark: bookmarks.create,
      linkNew: cases.links.linkNew,
      cases: cases.sample,
      disposition,
      holdsOf,
    }),
  )
  add(
    reportsFeature(kernel, {
      reachCase: cases.reach,
      callLines,
      upcoming,
      levelsOnJobs: station.levelsOnJobs,
      disk: station.disk,
    }),
  )
  const { drives } = add(dockingFeature(kernel, { clockSync: station.clockSync, devices: devices.register }))
  const { service: forwarding } = add(
    forwardingFeature(kernel, {
      tokens: { asConnection, makeAssertion },
      sealer: createSealer(keys.secretsKey),
      present: integrity.present,
      mayRemove: () => !integrity.isMakingSnapshot(),
      holdsOf,
    }),
  )
  const { validation, newestValidation } = add(
    stationValidation(kernel, { tools: media.tools, clockSync: station.clockSync }),
  )
  const { packages, exchange } = add(
    packagesFeature(kernel, {
      newestValidation,
      gate,
      reachCase: cases.reach,
      isMember,
      serveFile,
      cosigned: integrity.cosigned,
      smallPicture: media.smallPicture,
      drives,
    }),
  )
  const { findGuest } = add(
    shareLinksFeature(kernel, {
      serveFile,
      notices,
      codes: identity.sessions.guestCodes,
      makeMarked: media.makeMarked,
      missingLetters: media.missingLetters,
      restrictedAmong: async (from, ids) => new Set((await standingAmong(from, ids)).keys()),
      reach: (origin) => outsideAddress(origin, addresses.forTokens().issuer, network.origins()),
    }),
  )
  const network: NetworkFeature = add(
    networkFeature(kernel, { hasAdministrator: identity.users.hasAdministrator, app }),
  )
  return {
    addresses,
    media,
    uploads,
    keyStore,
    identity,
    cases,
    nodes,
    integrity,
    packages,
    exchange,
    disclosureCommands,
    validation,
    disposition,
    dispatch,
    forwarding,
    network,
    findGuest,
  }
}
