/** Uploads that are not finished, kept in this browser so that a reload or a restart can take them up again. */
export interface KeptUpload {
  readonly id: string
  /** Whose upload it is: another person at the same browser does not see its name. */
  readonly owner: string
  readonly name: string
  readonly size: number
  readonly modified: number
  readonly type: string
  /** The case that it goes into; missing in what was kept before there was one. */
  readonly caseId?: string | null
  readonly evidenceId: string | null
  readonly resourceId: string | null
  readonly evidenceKey: string
  readonly resourceKey: string
  readonly paused: boolean
  readonly startedAt: number
  /** SHA-256 of each block that was sent, by position: another file of the same name must not be mixed in. */
  readonly digests: Readonly<Record<number, string>>
  /** Where the browser gives one (Chromium on loopback or TLS): the file itself can be opened again without asking for it. */
  readonly handle: FileSystemFileHandle | null
}

const NAME = 'sallyport'
const STORE = 'uploads'

let opened: Promise<IDBDatabase> | null = null
function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing'))
  })
  return opened
}

async function act<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | null> {
  try {
    const db = await open()
    return await new Promise<T>((resolve, reject) => {
      const request = work(db.transaction(STORE, mode).objectStore(STORE))
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing'))
    })
  } catch {
    // Storage may be refused (private windows). Then an upload lasts as long as the page.
    return null
  }
}

export const keepUpload = (upload: KeptUpload): Promise<unknown> => act('readwrite', (store) => store.put(upload))
export const forgetUpload = (id: string): Promise<unknown> => act('readwrite', (store) => store.delete(id))
export const keptUploads = async (): Promise<KeptUpload[]> =>
  ((await act('readonly', (store) => store.getAll())) as KeptUpload[] | null) ?? []
