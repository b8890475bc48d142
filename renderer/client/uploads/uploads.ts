/**
 * Files that go into evidence from this page. They outlive every screen, a lock and a sign-out (blocks carry their own authority); a
 * reload or a restart takes them up again from what the station has.
 */
import { Fault, newKey } from '../api.ts'
import { forgetUpload, type KeptUpload, keepUpload, keptUploads } from './kept.ts'
import { FileGone, OtherFile, UploadRefused } from './refusals.ts'

export type UploadState =
  | 'queued'
  | 'preparing'
  | 'sending'
  | 'readingBack'
  | 'done'
  | 'paused'
  /** Goes on by itself when the station answers again, or when somebody has signed in. */
  | 'waiting'
  /** A person can mend it and go on: nothing that was sent is lost. */
  | 'stopped'
  /** After a reload: the browser needs the file, or the right to read it, once more. */
  | 'needsFile'
  | 'refused'

export type UploadProblem =
  | { readonly kind: 'fileGone' | 'otherFile' | 'unreachable' | 'signedOut' | 'locked' | 'busy' }
  | { readonly kind: 'said'; readonly message: string; readonly code: string }

export interface Upload {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly state: UploadState
  /** Acknowledged by the station: safe there. */
  readonly sent: number
  /** Bytes a second over the last seconds; null while unknown. */
  readonly speed: number | null
  readonly problem: UploadProblem | null
  readonly evidenceId: string | null
  /** The case that it goes into. */
  readonly caseId: string | null
  /** The browser can open the file again without asking for it. */
  readonly hasHandle: boolean
}

interface Entry {
  kept: KeptUpload
  view: Upload
  file: File | null
  stop: AbortController | null
  measured: { at: number; bytes: number }[]
}

const FILES_AT_ONCE = 2
const RETRY_AFTER = 5_000
const ENGINE_AFTER = 5_000

/** What sends a file; no screen needs it before there is one. */
const engine = () => import('./engine.ts')

const entries = new Map<string, Entry>()
const listeners = new Set<() => void>()
const finished = new Set<(upload: Upload) => void>()
let snapshot: readonly Upload[] = []
let session: { tenant: string; owner: string } | null = null
let mayCreate = false
let told = false

export const uploads = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  list: (): readonly Upload[] => snapshot,
  onFinished: (listener: (upload: Upload) => void): (() => void) => {
    finished.add(listener)
    return () => finished.delete(listener)
  },
  /** Told who is signed in; null while nobody is, or the screen is locked. Takes up what this person left unfinished. */
  signedIn: async (next: { tenant: string; owner: string } | null): Promise<void> => {
    mayCreate = next !== null
    if (next === null) return
    const other = session !== null && session.owner !== next.owner
    session = next
    // Fetched once the screen stands: by the time a file is added the station may be away.
    setTimeout(() => void engine().catch(() => {}), ENGINE_AFTER)
    if (other) drop()
    for (const kept of await keptUploads()) {
      if (kept.owner === next.owner && !entries.has(kept.id)) entries.set(kept.id, entryOf(kept, null))
    }
    for (const entry of entries.values()) {
      if (entry.view.state === 'waiting') set(entry, { state: 'queued', problem: null })
      if (entry.view.state === 'needsFile' && entry.kept.handle !== null && !entry.kept.paused)
        void reopen(entry, false)
    }
    changed()
    startNext()
  },
  /** @param caseId the case that they go into; null: none */
  add: async (
    files: readonly { file: File; handle: FileSystemFileHandle | null }[],
    caseId: string | null = null,
  ): Promise<void> => {
    if (session === null) return
    const { owner } = session
    for (const { file, handle } of files) {
      const kept: KeptUpload = {
        id: newKey(),
        owner,
        name: nameOf(file),
        size: file.size,
        modified: file.lastModified,
        type: file.type,
        caseId,
        evidenceId: null,
        resourceId: null,
        evidenceKey: newKey(),
        resourceKey: newKey(),
        paused: false,
        startedAt: Date.now(),
        digests: {},
        handle,
      }
      entries.set(kept.id, entryOf(kept, file))
      await keepUpload(kept)
    }
    changed()
    startNext()
  },
  pause: (id: string): void => {
    const entry = entries.get(id)
    if (entry === undefined || ['done', 'readingBack', 'refused'].includes(entry.view.state)) return
    halt(entry)
    void learn(entry, { paused: true })
    set(entry, { state: 'paused', speed: null, problem: null })
    startNext()
  },
  /** Also after a problem. @param file when the browser had to be given it again. */
  resume: async (id: string, file?: { file: File; handle: FileSystemFileHandle | null }): Promise<void> => {
    const entry = entries.get(id)
    if (entry === undefined) return
    await learn(entry, { paused: false, ...(file === undefined ? {} : { handle: file.handle }) })
    if (file !== undefined) entry.file = file.file
    if (entry.file === null || entry.view.problem?.kind === 'fileGone') {
      if (entry.kept.handle !== null) return reopen(entry, true)
      if (file === undefined) return set(entry, { state: 'needsFile', problem: null })
    }
    set(entry, { state: 'queued', problem: null })
    startNext()
  },
  pauseAll: (): void => {
    for (const { view } of entries.values()) uploads.pause(view.id)
  },
  resumeAll: async (): Promise<void> => {
    for (const { view } of entries.values()) if (view.state === 'paused') await uploads.resume(view.id)
  },
  /** What was sent stays with the station until it is purged, 24 hours after its last block; nothing becomes evidence of it. */
  cancel: (id: string): void => {
    const entry = entries.get(id)
    if (entry === undefined) return
    halt(entry)
    entries.delete(id)
    void forgetUpload(id)
    changed()
    startNext()
  },
  clearFinished: (): void => {
    for (const { view } of entries.values()) if (view.state === 'done') entries.delete(view.id)
    changed()
  },
}

function entryOf(kept: KeptUpload, file: File | null): Entry {
  const sent = file === null ? Object.keys(kept.digests).length : 0
  return {
    kept,
    file,
    stop: null,
    measured: [],
    view: {
      id: kept.id,
      name: kept.name,
      size: kept.size,
      state: file !== null ? 'queued' : kept.paused && kept.handle !== null ? 'paused' : 'needsFile',
      sent: Math.min(kept.size, sent * 4 * 1024 * 1024),
      speed: null,
      problem: null,
      evidenceId: kept.evidenceId,
      caseId: kept.caseId ?? null,
      hasHandle: kept.handle !== null,
    },
  }
}

/** Everything of another person leaves the page; it stays kept for that person. */
function drop(): void {
  for (const [id, entry] of entries) {
    if (entry.kept.owner === session?.owner) continue
    halt(entry)
    entries.delete(id)
  }
}

function halt(entry: Entry): void {
  entry.stop?.abort()
  entry.stop = null
}

function set(entry: Entry, what: Partial<Upload>): void {
  entry.view = { ...entry.view, ...what }
  changed()
}

/** Listeners are told at most once a frame. */
function changed(): void {
  snapshot = [...entries.values()].map(({ view }) => view)
  if (told) return
  told = true
  setTimeout(() => {
    told = false
    for (const listener of listeners) listener()
  }, 100)
}

async function learn(entry: Entry, what: Partial<KeptUpload>): Promise<void> {
  entry.kept = { ...entry.kept, ...what }
  if (what.evidenceId !== undefined) set(entry, { evidenceId: what.evidenceId })
  if (entries.has(entry.kept.id)) await keepUpload(entry.kept)
}

/** @param ask only from a person's act may the browser ask for the right to read. */
async function reopen(entry: Entry, ask: boolean): Promise<void> {
  const handle = entry.kept.handle as (FileSystemFileHandle & PermissionedHandle) | null
  try {
    let granted = (await handle?.queryPermission({ mode: 'read' })) === 'granted'
    if (!granted && ask) granted = (await handle?.requestPermission({ mode: 'read' })) === 'granted'
    if (handle === null || !granted) return set(entry, { state: 'needsFile', problem: null })
    const file = await handle.getFile()
    if (file.size !== entry.kept.size || file.lastModified !== entry.kept.modified)
      return set(entry, { state: 'stopped', problem: { kind: 'otherFile' } })
    entry.file = file
    set(entry, { state: 'queued', problem: null })
    startNext()
  } catch {
    set(entry, { state: 'stopped', problem: { kind: 'fileGone' } })
  }
}

/** The browser's API for handles; not yet among the types. */
interface PermissionedHandle {
  queryPermission(options: { mode: 'read' }): Promise<PermissionState>
  requestPermission(options: { mode: 'read' }): Promise<PermissionState>
}

function startNext(): void {
  const running = [...entries.values()].filter(({ stop }) => stop !== null).length
  const waiting = [...entries.values()].filter(({ view, file }) => view.state === 'queued' && file !== null)
  for (const entry of waiting.slice(0, Math.max(0, FILES_AT_ONCE - running))) void run(entry)
}

async function run(entry: Entry): Promise<void> {
  if (session === null || entry.file === null) return
  // Blocks that run go on while the screen is locked; nothing new is begun.
  if (!mayCreate && entry.kept.resourceId === null) return set(entry, { state: 'waiting', problem: { kind: 'locked' } })
  const stop = new AbortController()
  entry.stop = stop
  entry.measured = []
  try {
    const { sendFile } = await engine()
    await sendFile(
      entry.file,
      {
        upload: () => entry.kept,
        learn: (what) => learn(entry, what),
        step: (state) => set(entry, { state, ...(state === 'sending' ? {} : { speed: null }) }),
        sent: (bytes, fresh) => set(entry, { sent: bytes, speed: speedOf(entry, fresh) }),
        tenant: session.tenant,
      },
      stop.signal,
    )
    set(entry, { state: 'done', sent: entry.kept.size, speed: null, problem: null })
    await forgetUpload(entry.kept.id)
    for (const listener of finished) listener(entry.view)
  } catch (error) {
    if (entry.stop === stop) fail(entry, error)
  } finally {
    if (entry.stop === stop) entry.stop = null
    startNext()
  }
}

/** Over the last five seconds. */
function speedOf(entry: Entry, fresh: number): number | null {
  const now = performance.now()
  entry.measured = [...entry.measured.filter(({ at }) => now - at < 5_000), { at: now, bytes: fresh }]
  const [first] = entry.measured
  if (first === undefined || now - first.at < 500) return entry.view.speed
  const bytes = entry.measured.slice(1).reduce((sum, { bytes: some }) => sum + some, 0)
  return (bytes / (now - first.at)) * 1000
}

function fail(entry: Entry, error: unknown): void {
  const later = (problem: UploadProblem, after: number): void => {
    set(entry, { state: 'waiting', speed: null, problem })
    setTimeout(() => {
      if (entry.view.state !== 'waiting' || !entries.has(entry.kept.id)) return
      set(entry, { state: 'queued', problem: null })
      startNext()
    }, after)
  }
  if (error instanceof FileGone) return set(entry, { state: 'stopped', speed: null, problem: { kind: 'fileGone' } })
  if (error instanceof OtherFile) {
    entry.file = null
    return set(entry, { state: 'stopped', speed: null, problem: { kind: 'otherFile' } })
  }
  if (error instanceof TypeError) return later({ kind: 'unreachable' }, RETRY_AFTER)
  if (error instanceof Fault) {
    if (error.code === 'SessionLocked')
      return set(entry, { state: 'waiting', speed: null, problem: { kind: 'locked' } })
    if (error.code === 'Unauthorized')
      return set(entry, { state: 'waiting', speed: null, problem: { kind: 'signedOut' } })
    if (error.code === 'TooManyRequests' || error.code === 'NotReady')
      return later({ kind: 'busy' }, (error.retryAfter ?? 5) * 1000)
    const state = ['HashMismatch', 'UploadDamaged', 'Forbidden', 'ResourceNotFound', 'EvidenceNotFound'].includes(
      error.code,
    )
      ? 'refused'
      : 'stopped'
    return set(entry, { state, speed: null, problem: { kind: 'said', message: error.message, code: error.code } })
  }
  if (error instanceof UploadRefused) {
    if (error.status === 503 || error.status === 500) return later({ kind: 'busy' }, RETRY_AFTER)
    return set(entry, {
      state: 'stopped',
      speed: null,
      problem: { kind: 'said', message: error.message, code: String(error.status) },
    })
  }
  set(entry, {
    state: 'stopped',
    speed: null,
    problem: { kind: 'said', message: error instanceof Error ? error.message : String(error), code: '' },
  })
}

/** With its folder where a folder was dropped. */
const nameOf = (file: File): string => (file.webkitRelativePath === '' ? file.name : file.webkitRelativePath)
