/** Exports of lists as CSV or JSON files, page by page, with a ledger entry at the start and at the end (decisions 12). */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { CSV_MARK, csvLine, type CsvValue } from '../../shared/kernel/csv.ts'
import type { Ledger, LedgerEntry, LedgerObject } from '../kernel/ledger/ledger.ts'
import type { BytesAnswer, BytesRequest } from './bytes.ts'
import type { HttpCall } from './handlers.ts'

export type Column<T> = readonly [name: string, value: (row: T) => CsvValue]
export type ExportFormat = 'csv' | 'json'

export interface Exported<T> {
  /** File name without its extension. */
  readonly name: string
  /** For CSV only; JSON contains the rows unchanged. */
  readonly columns: readonly Column<T>[]
  /** Read one after the other. Each page is read with the rights at that time. */
  readonly pages: AsyncIterable<readonly T[]>
  readonly object: LedgerObject
  /** How the list was filtered. */
  readonly detail: Readonly<Record<string, unknown>>
}

/** @throws the error of the first page, before the answer begins */
export type Export = <T>(
  request: BytesRequest,
  call: HttpCall,
  format: ExportFormat | undefined,
  what: Exported<T>,
) => Promise<BytesAnswer>

interface Deps {
  readonly ledger: Pick<Ledger, 'record'>
  /** Content-Disposition of a download. */
  readonly disposition: (name: string) => string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
}

export function createExporting({ ledger, disposition, now }: Deps): Export {
  return async (request, call, asked, what) => {
    const format = asked ?? formatOf(request.headers.accept)
    const { object, detail } = what
    const stamp = new Date(now()).toISOString().slice(0, 19).replaceAll(':', '')
    const headers = {
      'Content-Type': TYPES[format],
      'Content-Disposition': disposition(`${what.name} ${stamp}Z.${format}`),
      'Cache-Control': 'private, no-store',
      Vary: 'Accept',
    }
    const pages = what.pages[Symbol.asyncIterator]()
    const first = await pages.next()
    if (request.method === 'HEAD') {
      await pages.return?.()
      await ledger.record(call, { action: 'list.read', object, detail: { ...detail, format } })
      return { status: 200, headers }
    }
    await ledger.record(call, { action: 'list.exportStarted', object, detail: { ...detail, format } })
    const write = async (entry: Omit<LedgerEntry, 'action' | 'object'>): Promise<void> => {
      await ledger.record(call, { action: 'list.exported', object, ...entry })
    }
    const body = Readable.from(exportBytes(pages, first, WRITERS[format](what.columns), { ...detail, format }, write), {
      objectMode: false,
    })
    return { status: 200, headers, body }
  }
}

/** CSV is the default, since lists are opened with spreadsheets. */
function formatOf(accept: string | undefined): ExportFormat {
  return accept !== undefined && /\bapplication\/json\b/i.test(accept) && !/\btext\/csv\b/i.test(accept)
    ? 'json'
    : 'csv'
}

interface Writer<T> {
  readonly head: string
  readonly row: (row: T, isFirst: boolean) => string
  readonly foot: string
}

const WRITERS = {
  csv: <T>(columns: readonly Column<T>[]): Writer<T> => ({
    head: CSV_MARK + csvLine(columns.map(([name]) => name)),
    row: (row) => csvLine(columns.map(([, value]) => value(row))),
    foot: '',
  }),
  json: <T>(_columns: readonly Column<T>[]): Writer<T> => ({
    head: '[',
    row: (row, isFirst) => `${isFirst ? '' : ','}\n${JSON.stringify(row)}`,
    foot: '\n]\n',
  }),
} as const

/**
 * The bytes of the file. The ledger entry with their hash is written before the last bytes are sent, so that a complete file always has
 * its entry. When the reader disconnects, the entry describes the part that was sent.
 */
async function* exportBytes<T>(
  pages: AsyncIterator<readonly T[]>,
  first: IteratorResult<readonly T[]>,
  { head, row, foot }: Writer<T>,
  detail: Readonly<Record<string, unknown>>,
  write: (entry: Omit<LedgerEntry, 'action' | 'object'>) => Promise<void>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let bytes = 0
  let rows = 0
  let whole = false
  const put = (text: string): Buffer => {
    const out = Buffer.from(text, 'utf8')
    hash.update(out)
    bytes += out.byteLength
    return out
  }
  const sum = () => ({ bytes, sha256: hash.copy().digest('hex'), detail: { ...detail, rows } })
  try {
    yield put(head)
    for (let page = first; page.done !== true; page = await pages.next()) {
      let text = ''
      for (const one of page.value) text += row(one, rows++ === 0)
      yield put(text)
    }
    const last = put(foot)
    whole = true
    await write(sum())
    yield last
  } finally {
    if (!whole) {
      await pages.return?.()
      await write({ outcome: 'failed', reason: 'It was not sent to its end.', ...sum() })
    }
  }
}
