import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { ZipFile } from 'yazl'
import { csvLine, CSV_MARK, type CsvValue } from '../../../shared/kernel/csv.ts'

/** A file of the archive. */
export interface ArchivedFile {
  /** With `/`, of safe names only. */
  readonly path: string
  readonly size: number
  /** Lowercase hex. */
  readonly sha256: string
  readonly modified: Date
  /** Of the manifest: the values of its columns before path, length and hash. */
  readonly described: readonly CsvValue[]
  readonly open: () => Promise<Readable>
}

export interface Archive {
  /** Destroying it closes the file that is being read. */
  readonly bytes: Readable
  readonly size: number
}

/** Only the owner writes, everybody reads; for systems that keep such a thing. */
const MODE = 0o100644

/**
 * A ZIP file that is written while it is read: first `manifest.csv` and `sha256.txt` (for `sha256sum -c`), then each file as it is, uncompressed. A
 * file whose bytes are others than its hash says ends the archive with an error: a ZIP file without its end opens nowhere.
 * @param columns names of `described`
 */
export async function archiveOf(columns: readonly string[], files: readonly ArchivedFile[]): Promise<Archive> {
  const zip = new ZipFile()
  const bytes = zip.outputStream as Readable
  // Whoever sends it listens too, but may have left: an error that nobody listens for would end the program.
  bytes.on('error', () => {})
  let reading: Readable | null = null
  bytes.once('close', () => reading?.destroy())
  zip.on('error', (error: Error) => bytes.destroy(error))
  const now = new Date()
  const text = { compress: false, mtime: now, mode: MODE }
  zip.addBuffer(manifestOf(columns, files), 'manifest.csv', text)
  zip.addBuffer(Buffer.from(files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('')), 'sha256.txt', text)
  for (const file of files)
    zip.addReadStreamLazy(
      file.path,
      { compress: false, size: file.size, mtime: file.modified, mode: MODE },
      (give: (error: unknown, stream: Readable) => void) => {
        file.open().then(
          (stream) => {
            if (bytes.destroyed) return void stream.destroy()
            reading = checkedBytes(stream, file)
            // The ZIP file itself does not listen for errors of what it reads.
            reading.on('error', (error) => bytes.destroy(error))
            give(null, reading)
          },
          (error: unknown) => void bytes.destroy(error as Error),
        )
      },
    )
  // Its types leave out what the callback is given.
  const size = await new Promise<number>((resolve) => zip.end(undefined, resolve as () => void))
  return { bytes, size }
}

const manifestOf = (columns: readonly string[], files: readonly ArchivedFile[]): Buffer =>
  Buffer.from(
    CSV_MARK +
      [
        csvLine([...columns, 'Path', 'LengthInBytes', 'Sha256']),
        ...files.map(({ described, path, size, sha256 }) => csvLine([...described, path, size, sha256])),
      ].join(''),
  )

/** Passes bytes on and fails at their end when they are not those of the hash. */
function checkedBytes(source: Readable, { path, sha256 }: ArchivedFile): Readable {
  const hash = createHash('sha256')
  const checked = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
    flush: (done) => {
      const found = hash.digest('hex')
      done(found === sha256 ? null : new Error(`${path} does not have the bytes that its SHA-256 names`))
    },
  })
  source.once('error', (error) => checked.destroy(error))
  checked.once('close', () => source.destroy())
  return source.pipe(checked)
}
