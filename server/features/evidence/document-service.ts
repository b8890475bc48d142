/** The document service (interfaces.md 4.3, decisions 6): its parts, built once, and their routes. */
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { VerifyEvidence } from '../../kernel/ledger/evidence-verification.ts'
import type { Versions } from '../../kernel/versions/versions.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { Notes } from '../../kernel/annotations/notes.ts'
import type { Records } from '../../kernel/evidence/records.ts'
import type { BlobStore } from '../../storage/store.ts'
import type { JobQueue } from '../../kernel/jobs/queue.ts'
import type { ServeFile } from '../../http/bytes.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Scratch } from '../../platform/run/scratch.ts'
import type { Export } from '../../http/exports.ts'
import type { BoundRoute } from '../../http/handlers.ts'
import { actRoutes, captionRoutes, changeRoutes, listRoutes, suggestionRoutes } from './evidence.routes.ts'
import { createEvidenceActs } from './acts.service.ts'
import { type Bookmarks, createBookmarks } from './bookmarks.service.ts'
import { createCaptions } from './captions.service.ts'
import { createEvidenceHistory } from './change.history.ts'
import { createEvidenceChanging } from './change.service.ts'
import { custodyRoutes } from './custody.routes.ts'
import { documentRoutes } from './documents.routes.ts'
import { createDocumentsService, type UploadPort } from './documents.service.ts'
import { createDuplicates } from './duplicates.service.ts'
import { createReach } from '../../kernel/evidence/reach.ts'
import { downloadRoutes } from './download.routes.ts'
import { documentExportRoutes } from './exports.routes.ts'
import { createListService } from './list.service.ts'
import { createPeriods } from './list.periods.ts'
import type { Playbacks } from './playbacks.ts'
import { readingRoutes } from './annotations.routes.ts'
import { createSuggestions } from './suggestions/suggestions.service.ts'

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
  readonly uploads: UploadPort
  readonly scratch: Pick<Scratch, 'write'>
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
  readonly shiftAt: Parameters<typeof createListService>[0]['shiftAt']
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly isAdministrator: (principalId: string) => Promise<boolean>
  readonly exporting: Export
  readonly serveFile: ServeFile
}

export interface DocumentService {
  /** A task: protections whose time is over. */
  readonly endProtections: () => Promise<void>
  readonly bookmarks: Pick<Bookmarks, 'list' | 'create'>
  readonly routes: BoundRoute[]
}

export function createDocumentService(deps: Deps): DocumentService {
  const { db, access, notes, exporting, categories, links } = deps
  const reached = createReach(deps)
  const { reachRows } = reached
  const documents = createDocumentsService({
    ...deps,
    ...reached,
    categoryExists: categories.exists,
    linkNew: links.linkNew,
  })
  const changing = createEvidenceChanging({ ...deps, categoryEnabled: categories.isEnabled })
  const history = createEvidenceHistory({ ...deps, people: deps })
  const acts = createEvidenceActs({ ...deps, moveBetween: links.moveBetween })
  const bookmarks = createBookmarks({ ...deps, ...reached })
  const list = createListService(deps)
  const spanOf = createPeriods(deps)
  return {
    endProtections: async () => void (await acts.endProtections()),
    bookmarks,
    routes: [
      ...documentRoutes({ ...deps, reachRows, service: documents }),
      ...changeRoutes({ service: changing, history }),
      ...actRoutes({ acts, duplicates: createDuplicates({ db, access, reachRows }) }),
      ...suggestionRoutes({ suggestions: createSuggestions({ ...deps, reachRows }) }),
      ...readingRoutes({ db, ...reached, bookmarks, notes }),
      ...listRoutes({ service: list, spanOf }),
      ...documentExportRoutes({ db, reachRows, list, history, spanOf, exporting }),
      ...downloadRoutes({ ...deps, reachRows }),
      ...captionRoutes({ captions: createCaptions({ ...deps, ...reached }) }),
      ...custodyRoutes({ db, reachRows, verify: deps.verify }),
    ],
  }
}
