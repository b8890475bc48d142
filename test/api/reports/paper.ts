/** What a document says, as programs of somebody else read it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface Paper {
  readonly pages: readonly string[]
  /** Of the first page, in points. */
  readonly size: readonly [number, number]
  readonly title: string
  /** Pictures in it, masks left out. */
  readonly images: number
  /** Names of the fonts in it. */
  readonly fonts: string
  readonly file: string
}

export function readPaper(folder: string, bytes: Uint8Array): Paper {
  const own = mkdtempSync(path.join(folder, 'paper-'))
  const file = path.join(own, 'document.pdf')
  writeFileSync(file, bytes)
  const run = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { cwd: own, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  const info = run('pdfinfo', file)
  const size = /Page size:\s+([\d.]+) x ([\d.]+)/.exec(info)
  return {
    file,
    pages: run('pdftotext', '-raw', file, '-').split('\f').slice(0, -1),
    size: [Math.round(Number(size?.[1])), Math.round(Number(size?.[2]))],
    title: /Title:\s+(.*)/.exec(info)?.[1] ?? '',
    images: run('pdfimages', '-list', file)
      .split('\n')
      .filter((line) => /\simage\s/.test(line)).length,
    fonts: run('pdffonts', file),
  }
}

/** Without the breaks that lay-out puts in. */
export const tight = (text: string): string => text.replaceAll(/\s/g, '')
