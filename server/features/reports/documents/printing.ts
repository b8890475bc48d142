/** Documents as answers: PDF that is made while it is sent, with an entry of the ledger at its start and at its end. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { BytesAnswer, BytesRequest } from '../../../http/bytes.ts'
import type { HttpCall } from '../../../http/handlers.ts'
import type { Appended, Ledger, LedgerObject } from '../../../kernel/ledger/ledger.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { documentBytes } from '../../../platform/pdf/document.ts'
import type { Paper, Sheet } from '../../../platform/pdf/sheet.ts'
import type { Language } from '../../../platform/pdf/paper-words.ts'

export interface Printed {
  readonly title: string
  /** Of the file, in ASCII, without its extension. */
  readonly fileName: string
  readonly language: Language
  readonly paper: Paper
  readonly size?: readonly [number, number] | undefined
  readonly object: LedgerObject
  readonly detail: Readonly<Record<string, unknown>>
  readonly foot: ((page: number) => string) | null
  /** @param begun the entry that says that the document was begun: it goes up to there @returns what the last entry says beside */
  readonly draw: (sheet: Sheet, begun: Appended) => Promise<Readonly<Record<string, unknown>>>
}

export type Print = (request: BytesRequest, call: HttpCall, what: Printed) => Promise<BytesAnswer>

interface Deps {
  readonly ledger: Pick<Ledger, 'record'>
  readonly clock: Clock
  readonly stationName: string
}

export function createPrint({ ledger, clock, stationName }: Deps): Print {
  return async (request, call, what) => {
    const { title, fileName, language, paper, size, object, detail, foot, draw } = what
    const made = new Date(clock.now())
    const stamp = made.toISOString().slice(0, 19).replaceAll(':', '')
    const headers = {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="${fileName} ${stamp}Z.pdf"`,
      'Cache-Control': 'private, no-store',
    }
    if (request.method === 'HEAD') {
      await ledger.record(call, { action: 'report.read', object, detail })
      return { status: 200, headers }
    }
    const begun = await ledger.record(call, { action: 'document.begun', object, detail })
    let drawn: Readonly<Record<string, unknown>> = {}
    const head = { title, author: stationName, language, paper, size, made, foot }
    const bytes = documentBytes(head, async (sheet) => {
      drawn = await draw(sheet, begun)
    })
    const write = async (sum: Sum, whole: boolean): Promise<void> => {
      await ledger.record(call, {
        action: 'document.made',
        object,
        ...sum,
        detail: { ...detail, ...drawn },
        ...(whole ? {} : { outcome: 'failed', reason: 'It was not sent to its end.' }),
      })
    }
    return { status: 200, headers, body: Readable.from(withEntry(bytes, write), { objectMode: false }) }
  }
}

interface Sum {
  readonly bytes: number
  readonly sha256: string
}

/** The entry with the hash is written before the last bytes are sent, so that a complete document always has its entry. */
async function* withEntry(
  chunks: AsyncGenerator<Buffer>,
  write: (sum: Sum, whole: boolean) => Promise<void>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let bytes = 0
  let last: Buffer | null = null
  let whole = false
  const sum = (): Sum => ({ bytes, sha256: hash.copy().digest('hex') })
  try {
    for await (const chunk of chunks) {
      if (last !== null) yield last
      last = chunk
      hash.update(chunk)
      bytes += chunk.length
    }
    await write(sum(), true)
    whole = true
    if (last !== null) yield last
  } finally {
    if (!whole) await write(sum(), false)
  }
}
