/**
 * Marked copies of the files of links (docs/decisions/0037). They are no evidence: they lie in a folder of their own, one for each link, in no backup, and
 * go with their link. A copy that is not there is made anew, so no row says that there is one. Its SHA-256 stands in its name.
 */
import { jobReason } from '../../../shared/messages/job-reasons.ts'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { CopyState } from '../../../shared/share-links/rules.ts'
import { stateOf } from '../../../shared/share-links/rules.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { FinalFailure, type JobContext, type JobView, jobKind, LeaseLost, NotYet } from '../../kernel/jobs/types.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { makeFolderIn, namesIn, removeTree, renameInFolder, sumOf, syncFile } from '../../platform/files/trees.ts'
import { openPackageFile } from '../../storage/packages/package-file.ts'
import { type SharedFile, type StandingDeps, standingFiles } from './standing.ts'
import * as rows from './share-links.store.ts'

/** Of a link: what is drawn into its copies, one line each. */
export type MarkLines = (link: rows.LinkRow) => readonly string[]

/** Makes a marked copy in an empty folder, as the media feature does. */
export type MakeMarked = (marking: {
  readonly kind: 'video' | 'picture'
  readonly path: string
  readonly bytes: number
  readonly lines: readonly string[]
  readonly dir: string
  readonly options: {
    readonly signal?: AbortSignal
    readonly progress?: (fraction: number | null, message: string) => void
  }
}) => Promise<{ readonly copy: string; readonly poster: string }>

type CopyPayload = { readonly linkId: string; readonly item: string }
/** Its file lies on the machine that was asked. */
export const COPY_JOB = jobKind<CopyPayload>('shareLink.copy', 'the node that queued it')

export interface CopyFile {
  readonly size: number
  readonly sha256: string
  readonly type: string
  open(start: number, end: number): Readable
}

export interface CopyDeps extends StandingDeps, Pick<Kernel, 'db' | 'jobs' | 'store' | 'log'> {
  readonly node: Pick<Kernel['node'], 'id'>
  /** Where copies lie. */
  readonly folder: string
  readonly makeMarked: MakeMarked
  readonly markLines: MarkLines
}

export interface CopyStanding {
  readonly state: CopyState
  readonly progress: number | null
  readonly message: string
}

export type Copies = ReturnType<typeof createCopies>

const NAME = /^(\d+)\.(copy|poster)\.([0-9a-f]{64})\.(mp4|jpg)$/
const TYPES: Readonly<Record<string, string>> = { mp4: 'video/mp4', jpg: 'image/jpeg' }
const NONE: CopyStanding = { state: 'none', progress: null, message: '' }

export function createCopies(deps: CopyDeps) {
  const { db, jobs, folder } = deps
  const folderOf = (linkId: number): string => join(folder, String(linkId))
  const subjectOf = (linkId: number): string => `share-link:${linkId}`
  // Each node makes the copies that it hands out.
  const keyOf = (linkId: number, item: number): string => `${subjectOf(linkId)}:${item}:${deps.node.id}`

  const enqueue = async (tx: Tx, linkId: number, items: Iterable<number>): Promise<void> => {
    for (const item of items)
      await jobs.enqueue(
        tx,
        COPY_JOB.newJob(
          { linkId: String(linkId), item: String(item) },
          { subject: `${subjectOf(linkId)}:${item}`, key: keyOf(linkId, item) },
        ),
      )
  }
  const namesOf = async (linkId: number): Promise<readonly string[]> => (await namesIn(folderOf(linkId))) ?? []
  const find = (names: readonly string[], item: number, which: 'copy' | 'poster') =>
    names.map((name) => NAME.exec(name)).find((parts) => parts?.[1] === String(item) && parts[2] === which) ?? null

  return {
    enqueue,
    kick: () => jobs.kick(),
    /** Of each item. What should be there and is not, and what nobody makes, is queued once more. */
    standing: async (
      linkId: number,
      files: ReadonlyMap<number, SharedFile>,
    ): Promise<ReadonlyMap<number, CopyStanding>> => {
      const names = await namesOf(linkId)
      const wanted = [...files].filter(([, { shows }]) => shows !== 'nothing').map(([item]) => item)
      const known = await jobs.ofSubjects(wanted.map((item) => `${subjectOf(linkId)}:${item}`))
      const lost: number[] = []
      const found = new Map<number, CopyStanding>()
      for (const item of files.keys()) {
        const last = known.filter(({ subject }) => subject === `${subjectOf(linkId)}:${item}`).at(-1)
        if (!wanted.includes(item)) found.set(item, NONE)
        else if (find(names, item, 'copy') !== null) found.set(item, { state: 'ready', progress: 1, message: '' })
        else found.set(item, standingOf(last))
        if (found.get(item)?.state === 'making' && isOver(last)) lost.push(item)
      }
      if (lost.length > 0) {
        await db.transaction((tx) => enqueue(tx, linkId, lost))
        jobs.kick()
      }
      return found
    },
    open: async (linkId: number, item: number, which: 'copy' | 'poster'): Promise<CopyFile | null> => {
      const parts = find(await namesOf(linkId), item, which)
      if (parts === null) return null
      const file = await openPackageFile(join(folderOf(linkId), parts[0]))
      if (file === null) return null
      return {
        size: file.size,
        sha256: parts[3] as string,
        type: TYPES[parts[4] as string] as string,
        open: (start, end) => file.stream(start, end),
      }
    },
    /** Of a link that has ended. */
    remove: (linkId: number): Promise<void> => removeTree(folderOf(linkId)),
    /** Removes the copies of every link that has ended. */
    removeEnded: async (nowUtc: string): Promise<void> => {
      const names = (await namesIn(folder)) ?? []
      if (names.length === 0) return
      const open = await rows.openLinks(db.read, nowUtc)
      for (const name of names) if (!open.has(Number(name))) await removeTree(join(folder, name))
    },
    make: (job: JobContext<CopyPayload>): Promise<void> => make(deps, folderOf, job),
  }
}

const isOver = (job: JobView | undefined): boolean =>
  job === undefined || job.state === 'done' || job.state === 'cancelled'

/** Of a copy that is not there. One whose job ended well was lost with its folder. */
function standingOf(job: JobView | undefined): CopyStanding {
  if (job?.state === 'failed') return { state: 'failed', progress: null, message: job.message }
  return { state: 'making', progress: isOver(job) ? null : (job?.progress ?? null), message: job?.message ?? '' }
}

async function make(deps: CopyDeps, folderOf: (linkId: number) => string, job: JobContext<CopyPayload>): Promise<void> {
  const { db, store } = deps
  const [linkId, item] = [Number(job.payload.linkId), Number(job.payload.item)]
  const link = await rows.linkById(db.read, linkId)
  const isOpen = () => link !== undefined && stateOf(link, deps.clock.now()) === 'open'
  if (link === undefined || !isOpen()) return
  const file = await fileOf(deps, link, item)
  const source = await sourceOf(deps, file)
  const own = folderOf(linkId)
  const making = join(own, `making-${item}`)
  await makeFolderIn(deps.folder)
  await makeFolderIn(own)
  await removeTree(making)
  await makeFolderIn(making)
  const local = await store.localCopy(source.sha256 as string, { signal: job.signal })
  try {
    const made = await deps.makeMarked({
      kind: file.shows === 'picture' ? 'picture' : 'video',
      path: local.path,
      bytes: source.length ?? 0,
      lines: deps.markLines(link),
      dir: making,
      options: { signal: job.signal, progress: job.progress },
    })
    // It was recalled meanwhile, or the right to the evidence is gone.
    const now = await rows.linkById(db.read, linkId)
    if (now === undefined || stateOf(now, deps.clock.now()) !== 'open') return await removeTree(own)
    await fileOf(deps, now, item)
    await db.transaction((tx) => job.requireLease(tx))
    // The copy is there when the poster is.
    for (const [which, name] of [
      ['poster', made.poster],
      ['copy', made.copy],
    ] as const)
      await keep(join(making, name), own, `${item}.${which}`, name.slice(name.lastIndexOf('.')))
    job.progress(1, '')
  } catch (error) {
    if (error instanceof LeaseLost || error instanceof NotYet || error instanceof FinalFailure || job.signal.aborted)
      throw error
    deps.log.warn({ err: error, link: linkId, item }, 'a marked copy could not be made')
    throw error
  } finally {
    await local.release()
    await removeTree(making)
  }
}

async function keep(path: string, folder: string, name: string, ending: string): Promise<void> {
  const { sha256 } = await sumOf(path)
  await syncFile(path)
  await renameInFolder(path, join(folder, `${name}.${sha256}${ending}`))
}

/** @throws FinalFailure when it may not be handed out */
async function fileOf(deps: CopyDeps, link: rows.LinkRow, item: number): Promise<SharedFile> {
  const items = (await rows.itemsOf(deps.db.read, [link.link_id])).filter((one) => one.item === item)
  const file = (await standingFiles(deps, deps.db.read, link, items)).get(item)
  if (file === undefined) throw new FinalFailure(jobReason('noLongerShared'))
  return file
}

/** What players are given. @throws NotYet while it is made, FinalFailure when there is none */
async function sourceOf({ jobs }: CopyDeps, { original, shown, shows }: SharedFile) {
  if (shown?.sha256 != null && shown.state !== 'None') return shown
  const known = await jobs.ofSubjects([`resource:${original.resource_id}`])
  const isBusy = known.some(({ state }) => state === 'queued' || state === 'running' || state === 'waiting')
  if (shows !== 'nothing' && (isBusy || original.sniffed_type === null))
    throw new NotYet(jobReason('notPlayableYet'), 5_000)
  throw new FinalFailure(jobReason('nothingToMark'))
}
