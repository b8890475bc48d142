/** The evidence feature: documents, their files and streams, and custody. */
import { MOST_RECOMPUTED } from '../../shared/evidence/custody.contract.ts'
import type { CaseService } from '../features/cases/case-service.ts'
import { readHistory } from '../features/cases/history.ts'
import type { DeviceRegister } from '../features/devices/register.ts'
import { createDocumentService, type DocumentService } from '../features/evidence/document-service.ts'
import { createPlaybacks } from '../features/evidence/playbacks.ts'
import { createVerifyEvidence } from '../features/integrity/verification/verify-evidence.ts'
import type { Completion } from '../features/uploads/ingest/completion.ts'
import { serveFile } from '../http/ranges.ts'
import type { Feature, Kernel } from '../kernel/kernel.ts'
import { scratch } from '../platform/run/scratch.ts'

type ServiceDeps = Parameters<typeof createDocumentService>[0]

interface Needs {
  readonly cases: Pick<CaseService, 'categories' | 'links'>
  readonly customFields: ServiceDeps['customFields']
  readonly devices: Pick<DeviceRegister, 'proves'>
  readonly notes: ServiceDeps['notes']
  readonly shiftAt: ServiceDeps['shiftAt']
  readonly uploads: { readonly completion: Completion; readonly uris: Pick<ServiceDeps['uploads'], 'uri'> }
}

export function evidenceFeature(kernel: Kernel, needs: Needs): Feature & Pick<DocumentService, 'bookmarks'> {
  const { ledger, clock, keys, mode } = kernel
  const playbacks = createPlaybacks({ ledger, clock })
  const { routes, endProtections, bookmarks } = createDocumentService({
    ...kernel,
    scratch,
    serveFile,
    playbacks,
    readHistory,
    verify: createVerifyEvidence({ ...kernel, publicKeys: keys.signing.publicKeys, most: MOST_RECOMPUTED }),
    requireBytes: mode.requireBytes,
    notes: needs.notes,
    shiftAt: needs.shiftAt,
    uploads: { uri: needs.uploads.uris.uri, complete: needs.uploads.completion.complete },
    categories: needs.cases.categories,
    links: needs.cases.links,
    provesDevice: needs.devices.proves,
    customFields: needs.customFields,
  })
  return {
    bookmarks,
    routes,
    tasks: [
      { name: 'playbacks', runsOn: 'every node', everyMs: 20_000, run: () => playbacks.sweep() },
      { name: 'protections of evidence', runsOn: 'one node', everyMs: 30_000, run: endProtections },
    ],
    stop: async () => {
      if (mode.mayRecord()) await playbacks.stop()
    },
  }
}
