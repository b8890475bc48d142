/** Tables of figures, in a file that is named in the output: what a report about S17 shows. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export function reported(name: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const text = [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
  const folder = path.join(tmpdir(), 'sallyport-load')
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `${name.replaceAll(' ', '-')}.md`)
  writeFileSync(file, `${text}\n`)
  process.stdout.write(`${file}\n`)
}
