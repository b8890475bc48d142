/** Small files of many kinds, some of them hostile. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { exiftoolPath } from 'exiftool-vendored'

const run = promisify(execFile)

/** A folder that goes with the process. */
export function scratch(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-files-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const ffmpeg = (...args: string[]): Promise<unknown> => run('ffmpeg', ['-v', 'error', '-y', ...args])

interface Picture {
  readonly name: string
  readonly size: string
  /** As exiftool takes them: `GPSLatitude=52.37`. */
  readonly tags?: readonly string[]
}

/** A JPEG, PNG or TIFF by its ending. */
export async function picture(folder: string, { name, size, tags = [] }: Picture): Promise<string> {
  const file = path.join(folder, name)
  await ffmpeg('-f', 'lavfi', '-i', `testsrc2=s=${size}`, '-frames:v', '1', '-update', '1', file)
  if (tags.length > 0)
    await run(await exiftoolPath(), ['-q', '-overwrite_original', ...tags.map((tag) => `-${tag}`), file])
  return file
}

export async function heic(folder: string, name: string): Promise<string> {
  const png = await picture(folder, { name: `${name}.png`, size: '640x480' })
  const file = path.join(folder, name)
  await run('heif-enc', ['-q', '60', png, '-o', file])
  return file
}

/** What a PDF is made of: each page its content stream. */
interface Pdf {
  readonly pages: readonly string[]
  /** Further objects, from number 100 on, and how resources call them. */
  readonly objects?: readonly { readonly head: string; readonly data?: Buffer }[]
  readonly resources?: string
  /** Put into the catalogue: what acts in other readers. */
  readonly catalogue?: string
}

/** By hand, so that every byte of it is meant. */
export function pdf({ pages, objects = [], resources = '', catalogue = '' }: Pdf): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets = new Map<number, number>()
  const length = (): number => parts.reduce((sum, part) => sum + part.length, 0)
  const put = (number: number, head: string, data?: Buffer): void => {
    offsets.set(number, length())
    parts.push(Buffer.from(`${number} 0 obj\n${head}\n`, 'latin1'))
    if (data !== undefined) parts.push(Buffer.from('stream\n'), data, Buffer.from('\nendstream\n'))
    parts.push(Buffer.from('endobj\n'))
  }
  const kids = pages.map((_page, index) => `${10 + index * 2} 0 R`).join(' ')
  put(1, `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`)
  put(2, `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`)
  put(3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  pages.forEach((content, index) => {
    const data = Buffer.from(content, 'latin1')
    put(
      10 + index * 2,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Contents ${11 + index * 2} 0 R /Resources << /Font << /F1 3 0 R ${/\/Font/.test(resources) ? resources.replace(/^\/Font /, '') : ''} >> ${/\/Font/.test(resources) ? '' : resources} >> >>`,
    )
    put(11 + index * 2, `<< /Length ${data.length} >>`, data)
  })
  objects.forEach(({ head, data }, index) => put(100 + index, head, data))
  const start = length()
  const numbers = [...offsets.keys()].sort((a, b) => a - b)
  const table = numbers
    .map((number) => `${number} 1\n${String(offsets.get(number)).padStart(10, '0')} 00000 n \n`)
    .join('')
  parts.push(
    Buffer.from(
      `xref\n0 1\n0000000000 65535 f \n${table}trailer\n<< /Size 200 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

/** A picture in JPEG 2000, as scanners put it into PDFs. */
export async function jpeg2000(folder: string): Promise<Buffer> {
  const file = path.join(folder, 'scan.jp2')
  await ffmpeg('-f', 'lavfi', '-i', 'color=c=red:s=64x64', '-frames:v', '1', '-c:v', 'jpeg2000', '-update', '1', file)
  return readFileSync(file)
}
