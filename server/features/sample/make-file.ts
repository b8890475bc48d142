/** The bytes of a sample file, made on the spot: nothing of them comes with the program. */
import { join } from 'node:path'
import { FinalFailure } from '../../kernel/jobs/types.ts'
import type { MediaTools } from '../../platform/ffmpeg/media-tools.ts'
import { documentBytes } from '../../platform/pdf/document.ts'
import type { EvidenceStep, Language } from './plan.ts'

const MIB = 1024 * 1024

interface Making {
  /** A private folder in staging. */
  readonly dir: string
  readonly language: Language
  readonly now: number
  readonly signal: AbortSignal
}

/** @returns the path of the file @throws FinalFailure without ffmpeg */
export async function makeSampleFile(
  tools: Pick<MediaTools, 'ffmpeg' | 'scratch'>,
  { file, source, title }: EvidenceStep,
  { dir, language, now, signal }: Making,
): Promise<string> {
  const { scratch } = tools
  if (source.kind === 'text') return scratch.write(dir, file, source.text)
  if (source.kind === 'document') {
    const chunks: Buffer[] = []
    for await (const chunk of documentOf(source, language, now)) chunks.push(chunk)
    return scratch.write(dir, file, Buffer.concat(chunks))
  }
  // The sandbox shows the program one file. It reads nothing here.
  const nothing = await scratch.write(dir, 'nothing', '')
  const made = await tools.ffmpeg(nothing, source.args, {
    outDir: dir,
    signal,
    timeoutMs: 120_000,
    memoryBytes: 1024 * MIB,
    fileBytes: 64 * MIB,
  })
  if (made.ok) return join(dir, file)
  signal.throwIfAborted()
  const why = made.why === 'missing' ? 'ffmpeg is not installed' : made.detail
  throw new FinalFailure(`“${title}” could not be made: ${why}`)
}

const documentOf = (
  { title, text }: { readonly title: string; readonly text: string },
  language: Language,
  now: number,
): AsyncGenerator<Buffer> =>
  documentBytes(
    { title, author: 'Sallyport', language, paper: 'a4', made: new Date(now), foot: null },
    async (sheet) => {
      sheet.words(title, { size: 16, bold: true, gap: 12 })
      sheet.words(text, { size: 11 })
    },
  )
