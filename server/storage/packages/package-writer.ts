/** What writes a package, whatever it becomes: a folder, a ZIP file or a disc image (docs/decisions/0034). */

export interface WrittenFile {
  /** Below the package, with `/`. */
  readonly path: string
  readonly sha256: string
  readonly bytes: number
}

/** What is written last. Until it is there, a package is none. */
export interface LastFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface PackageWriter {
  /** Where the package is when it is finished. */
  readonly path: string
  /** Whether files that were copied are only read by `settle`, so that they have to stay where they are until it ended. */
  readonly readsLater: boolean
  /**
   * Copies a file of this machine. @param to also the hash and the length that it must have
   * @returns whether it was there already, from an interrupted run @throws StorageFault
   */
  copy(source: string, to: WrittenFile, work: CopyWork): Promise<boolean>
  /** Writes a small file anew. @throws StorageFault */
  write(path: string, bytes: string | Uint8Array): Promise<WrittenFile>
  /** Removes files of an interrupted run that are not among these. */
  keepOnly(paths: ReadonlySet<string>): Promise<void>
  /**
   * Makes all of it durable and compares what is read back with the hash of each file. Nothing is written after it but the last file.
   * @param last its path and its length @throws StorageFault
   */
  settle(last: { readonly path: string; readonly length: number }, work: CopyWork): Promise<void>
  /** Writes the last file and gives the package its name. @throws StorageFault when another thing has the name */
  finish(last: LastFile, work: CopyWork): Promise<void>
  /** Writes a small file beside the finished package, named after it. @throws StorageFault */
  writeBeside(ending: string, bytes: Uint8Array): Promise<void>
  /** Removes what was written. */
  abandon(): Promise<void>
  /** Ends it. What can be taken up stays for the next run; everything else that is not finished is removed. */
  close(): Promise<void>
}

export interface CopyWork {
  readonly signal?: AbortSignal | undefined
  /** Bytes done since the last call. All bytes are counted twice, for writing and reading back. */
  readonly onProgress?: ((bytes: number) => void) | undefined
}

/** What is going to be in a package. */
export interface PackageContent {
  /** Where xorriso and 7z are looked for, and nowhere else; undefined: the usual folders of the system. */
  readonly toolFolders?: readonly string[] | undefined
  readonly bytes: number
  readonly files: number
  /** Of the package. */
  readonly folders: readonly string[]
}
