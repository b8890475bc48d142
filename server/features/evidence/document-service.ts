/** The document service (interfaces.md 4.3, decisions 6): its parts, built once, and their routes. */
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { VerifyEvidence } from '../integrity/verification/verify-evidence.ts'
import type { Versions } from '../../kernel/versions/versions.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { Deriver } from '../media/derive/types.ts'
import type { Fixity } from '../integrity/fixity/fixity.ts'
import type { Completion } from '../uploads/ingest/completion.ts'
import type { Notes } from '../../kernel/annotations/notes.ts'
import type { Records } from '../../kernel/evidence/records.ts'
import type { BlobStore, StagedBlob } from '../../storage/store.ts'
import type { JobQueue } from '../../kernel/jobs/queue.ts'
import type { ServeFile } from '../../http/bytes.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Scratch } from '../../platform/run/scratch.ts'
import type { Export } from '../../http/exports.ts'
import type { BoundRoute } from '../../http/handlers.ts'
import { actRoutes } from './acts.routes.ts'
import { createEvidenceActs } from './acts.service.ts'
import { createBookmarks } from './bookmarks.service.ts'
import { captionRoutes } from './captions.routes.ts'
import { createCaptions } from './captions.service.ts'
import { changeRoutes } from './change.routes.ts'
import { createEvidenceHistory } from './change.history.ts'
import { createEvidenceChanging } from './change.service.ts'
import { custodyRoutes } from './custody.routes.ts'
import { documentRoutes } from './documents.routes.ts'
import { createDocumentsService, type UploadPort } from './documents.service.ts'
import { createDuplicates } from './duplicates.service.ts'
import { createReach } from './evidence.access.ts'
import { documentExportRoutes } from './exports.routes.ts'
import { fixityRoutes } from './fixity.routes.ts'
import { listRoutes } from './list.routes.ts'
import { createListService } from './list.service.ts'
import { mediaRoutes } from '../media/media.routes.ts'
import { createMediaService } from '../media/media.service.ts'
import { createStills } from '../media/media.stills.ts'
import type { Playbacks } from './playbacks.ts'
import { readingRoutes } from './annotations.routes.ts'

type DocumentsDeps = Parameters<typeof createDocumentsService>[0]

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly versions: Versions
  readonly clock: Clock
  /** IANA name, of the station. */
  readonly timeZone: string
  readonly jobs: JobQueue
  readonly access: Access
  readonly records: Records
  readonly notes: Notes
  readonly store: BlobStore
  readonly completion: Completion
  readonly uploads: UploadPort
  readonly deriver: Deriver<StagedBlob>
  readonly scratch: Pick<Scratch, 'write'>
  readonly fixity: Fixity
  readonly playbacks: Playbacks
  readonly verify: VerifyEvidence
  /** @throws Fault InsufficientStorage */
  readonly requireBytes: (bytes: number) => Promise<void>
  /** What the case service gives: whether a category is there and in use, and links made in the caller's transaction. */
  readonly categories: {
    readonly exists: DocumentsDeps['categoryExists']
    readonly isEnabled: Parameters<typeof createEvidenceChanging>[0]['categoryEnabled']
  }
  readonly links: {
    readonly linkNew: DocumentsDeps['linkNew']
    readonly moveBetween: Parameters<typeof createEvidenceActs>[0]['moveBetween']
  }
  /** What the device service knows: whether an uploader proved to be the device. */
  readonly provesDevice: DocumentsDeps['provesDevice']
  readonly readHistory: Parameters<typeof createEvidenceHistory>[0]['readHistory']
  /** Of evidence, as its template has them. */
  readonly customFields: DocumentsDeps['customFields']
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly isAdministrator: (principalId: string) => Promise<boolean>
  readonly exporting: Export
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
  readonly serveFile: ServeFile
}

export interface DocumentService {
  /** A task: protections whose time is over. */
  readonly endProtections: () => Promise<void>
  readonly routes: BoundRoute[]
}

export function createDocumentService(deps: Deps): DocumentService {
  const { db, ledger, access, store, tenant, notes, serveFile, exporting, categories, links } = deps
  const { reach, look } = createReach(deps)
  const documents = createDocumentsService({
    ...deps,
    reach,
    look,
    categoryExists: categories.exists,
    linkNew: links.linkNew,
  })
  const changing = createEvidenceChanging({ ...deps, categoryEnabled: categories.isEnabled })
  const history = createEvidenceHistory({ ...deps, people: deps })
  const acts = createEvidenceActs({ ...deps, moveBetween: links.moveBetween })
  const bookmarks = createBookmarks({ ...deps, reach })
  const list = createListService(deps)
  return {
    endProtections: async () => void (await acts.endProtections()),
    routes: [
      ...documentRoutes({ ...deps, service: documents }),
      ...changeRoutes({ service: changing, history, tenant }),
      ...actRoutes({ acts, duplicates: createDuplicates({ db, access, documents }), tenant }),
      ...readingRoutes({ db, documents, bookmarks, notes, reach, tenant }),
      ...listRoutes({ service: list, tenant }),
      ...documentExportRoutes({ db, documents, list, history, exporting, tenant }),
      ...mediaRoutes({
        service: createMediaService({ ...deps, documents }),
        stills: createStills({ ...deps, documents, reach }),
        store,
        ledger,
        tenant,
        serveFile,
      }),
      ...captionRoutes({ captions: createCaptions({ ...deps, documents, reach }), tenant }),
      ...custodyRoutes({ db, service: documents, verify: deps.verify, tenant }),
      ...fixityRoutes({ db, service: documents, fixity: deps.fixity, tenant }),
    ],
  }
}
