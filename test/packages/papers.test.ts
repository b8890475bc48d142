/** C6: drafts of certificates. Every fact names its entry of the ledger; what a person must say is blank; nothing else is. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredEntry } from '../../server/kernel/ledger/format.ts'
import { TEMPLATES } from '../../server/features/packages/papers/templates.ts'
import { PACKAGE_PAPERS } from '../../shared/packages/kinds.ts'
import { type PackagesWorld, packagesStation } from './world.ts'

let world: PackagesWorld
let folder: string
beforeAll(async () => {
  world = await packagesStation()
  folder = (await world.make(world.folder('papers'), { papers: PACKAGE_PAPERS })).path
}, 120_000)
afterAll(() => world?.given.close())

const textOf = (name: string, from = folder): string => readFileSync(path.join(from, name), 'utf8')
const entriesIn = (from = folder): Map<number, StoredEntry> =>
  new Map(
    textOf('meta/custody.jsonl', from)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as StoredEntry)
      .map((entry) => [entry.seq, entry]),
  )
const seqsIn = (text: string): number[] =>
  [...text.matchAll(/\[(\d+(?:, \d+)*)\]/g)].flatMap(([, all = '']) => all.split(', ').map(Number))
/** Lines end where they are full: what one looks for may stand on two. */
const unwrapped = (text: string): string => text.replaceAll(/\s+/g, ' ')

describe('C6 drafts', () => {
  it.each(PACKAGE_PAPERS)('%s: every number leads to a line of the package that states the fact', (name) => {
    const text = unwrapped(textOf(`forms/${name}.draft.txt`))
    const entries = entriesIn()
    expect(seqsIn(text).length).toBeGreaterThan(10)
    for (const seq of seqsIn(text)) expect(entries.has(seq), `entry ${seq}`).toBe(true)
    for (const [, sha256 = '', seq] of text.matchAll(/SHA-256: ([0-9a-f]{64}) \[(\d+)\]/g))
      expect(entries.get(Number(seq))?.sha256).toBe(sha256)
    for (const [, bytes = '', seq] of text.matchAll(/Bytes: ([\d,]+) \[(\d+)\]/g))
      expect(String(entries.get(Number(seq))?.bytes)).toBe(bytes.replaceAll(',', ''))
    const begun = [...entries.values()].find(({ action }) => action === 'package.begun')
    expect(text).toContain(`Sallyport 0.1.0 [${begun?.seq}]`)
    expect(text).not.toMatch(/\{\{|\}\}|undefined|null|NaN/)
  })

  it.each(PACKAGE_PAPERS)('%s: is a draft until somebody signs it, and leaves blank what they must say', (name) => {
    const text = textOf(`forms/${name}.draft.txt`)
    expect(text.startsWith('*** DRAFT')).toBe(true)
    const blanks = [...text.matchAll(/^(.+): _{20,}$/gm)].map(([, label]) => label)
    const asked = [...TEMPLATES[name].en.matchAll(/^\[\[(.+)\]\]$/gm)].map(([, label]) => label)
    expect(blanks).toEqual(asked)
    expect(text.match(/_{20,}/g)).toHaveLength(asked.length)
  })

  it('has every font in every PDF of the package, receipt and custody too', () => {
    const beside = `${folder}.receipt.pdf`
    const forms = readdirSync(path.join(folder, 'forms')).filter((name) => name.endsWith('.pdf'))
    expect(forms.length).toBeGreaterThan(3)
    for (const pdf of [
      beside,
      path.join(folder, 'meta/custody.pdf'),
      ...forms.map((name) => path.join(folder, 'forms', name)),
    ]) {
      const [, , ...fonts] = execFileSync('pdffonts', [pdf], { encoding: 'utf8' }).trimEnd().split('\n')
      expect(fonts.length, pdf).toBeGreaterThan(0)
      // Name, type, encoding, and then whether it is embedded.
      for (const font of fonts) expect(font, pdf).toMatch(/ yes (?:yes|no) (?:yes|no) +\d+ +\d+$/)
    }
  })

  it('says the same in the PDF, and on every page that it is a draft', () => {
    const pdf = path.join(folder, 'forms/certificate-902-14.draft.pdf')
    const words = execFileSync('pdftotext', ['-raw', pdf, '-'], { encoding: 'utf8' })
    expect(words).toContain('DRAFT – nobody has certified this yet')
    const pages = Number(/^Pages:\s+(\d+)$/m.exec(execFileSync('pdfinfo', [pdf], { encoding: 'utf8' }))?.[1])
    expect(words.match(/DRAFT/g)).toHaveLength(pages + 1)
    for (const { sha256, action } of entriesIn().values())
      if (action === 'resource.completed') expect(words.replaceAll(/\s/g, '')).toContain(sha256)
  })

  it('in French', async () => {
    const made = await world.make(world.folder('french'), { language: 'fr' })
    const text = textOf('forms/certificate-902-14.draft.txt', made.path)
    expect(text).toContain('PROJET')
    expect(text).toContain('L’empreinte a été calculée par la station')
  })

  it.each([
    [
      'the hash of a file',
      'UPDATE resources SET sha256 = (SELECT sha256 FROM resources WHERE resource_id <> ? AND sha256 IS NOT NULL LIMIT 1) WHERE resource_id = ?',
    ],
    ['its length', 'UPDATE resources SET length = length + 1 + 0 * ? WHERE resource_id = ?'],
    ['its name', "UPDATE resources SET name = 'other' || ? WHERE resource_id = ?"],
  ])('are not made when somebody changed %s in the database', async (what, statement) => {
    const id = Number(
      world.given.database((db) =>
        db
          .prepare("SELECT resource_id FROM resources WHERE evidence_id = ? AND role = 'original'")
          .pluck()
          .get(Number(world.evidence.statement)),
      ),
    )
    const before = world.given.database((db) =>
      db.prepare('SELECT * FROM resources WHERE resource_id = ?').get(id),
    ) as Record<string, unknown>
    await world.given.meddle((db) => db.prepare(statement).run(id, id))
    const target = world.folder(`changed-${what.replaceAll(' ', '-')}`)
    try {
      await expect(world.make(target)).rejects.toThrow(/Verify the station|SHA-256|bytes/)
      expect(execFileSync('ls', [target], { encoding: 'utf8' })).not.toMatch(/P\d{6}\n/)
    } finally {
      await world.given.meddle((db) =>
        db
          .prepare('UPDATE resources SET sha256 = ?, length = ?, name = ? WHERE resource_id = ?')
          .run(before['sha256'], before['length'], before['name'], id),
      )
    }
  })
})

// Both take the eight seconds of a self-validation: the second one alters what the first one made.
describe('C7 the newest self-validation', { tags: ['merge'] }, () => {
  it('goes along with its signature, and the certificate names its entry', async () => {
    await world.given.command('validate', {})
    const { path: at } = await world.make(world.folder('validated'), { papers: ['certificate-902-13'] })
    const signed = execFileSync(
      'openssl',
      ['dgst', '-sha256', '-verify', 'station-pub.pem', '-signature', 'forms/validation.sig', 'forms/validation.json'],
      { cwd: at, encoding: 'utf8' },
    )
    expect(signed).toContain('Verified OK')
    const text = unwrapped(textOf('forms/certificate-902-13.draft.txt', at))
    const [, seq] = /in forms\/validation\.json\. \[(\d+)\]/.exec(text) ?? []
    expect(entriesIn(at).get(Number(seq))?.action).toBe('station.validated')
    const words = execFileSync('pdftotext', ['-raw', path.join(at, 'forms/validation.pdf'), '-'], { encoding: 'utf8' })
    expect(words).toContain('Known hashes')
  })

  it('is left out when its file is not the one that the ledger names', async () => {
    const folder = path.join(world.given.data, 'validations')
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.json')))
      writeFileSync(path.join(folder, name), readFileSync(path.join(folder, name), 'utf8').replace('"ok"', '"failed"'))
    const { path: at } = await world.make(world.folder('not-validated'), { papers: ['certificate-902-13'] })
    expect(readdirSync(path.join(at, 'forms')).filter((name) => name.startsWith('validation'))).toEqual([])
    expect(textOf('forms/certificate-902-13.draft.txt', at)).toContain('No self-validation of this installation')
  })
})

describe('templates of the agency', () => {
  const papers = (): string => path.join(world.given.data, 'papers')

  it('go before the built-in ones', async () => {
    mkdirSync(papers(), { recursive: true })
    writeFileSync(
      path.join(papers(), 'certificate-902-14.en.txt'),
      '# Ours\n\nMade {{madeTime}}.\n\n{{items}}\n\n[[Seal]]\n',
    )
    const made = await world.make(world.folder('own'))
    const text = textOf('forms/certificate-902-14.draft.txt', made.path)
    expect(text).toContain('OURS')
    expect(text).toMatch(/^Seal: _+$/m)
    expect(text).not.toContain('902(14)')
  })

  it.each([
    [
      'a fact that there is not',
      'Made {{madeTme}}.',
      /Line 1: there is no fact \{\{madeTme\}\}\. There are .*madeTime/,
    ],
    ['braces that do not belong together', 'Made {{madeTime}.', /Line 1: “\{\{” and “\}\}”/],
    ['nothing', '\n\n', /It is empty/],
  ])('with %s are refused, and the line is named', async (what, text, expected) => {
    mkdirSync(papers(), { recursive: true })
    writeFileSync(path.join(papers(), 'certificate-902-14.en.txt'), text)
    try {
      await expect(world.make(world.folder(`bad ${what}`))).rejects.toThrow(expected)
    } finally {
      rmSync(papers(), { recursive: true })
    }
  })
})
