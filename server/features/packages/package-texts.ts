/** What goes with the items of a package: facts, entries of the ledger with their proofs, keys, instructions, the index and the papers. */
import { packageProblem } from '../../../shared/messages/package-problems.ts'
import { basename, join } from 'node:path'
import { fault } from '../../../shared/kernel/errors.ts'
import type { PackageLanguage, PackagePaper } from '../../../shared/packages/kinds.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { StoredEntry } from '../../kernel/ledger/format.ts'
import { ed25519PublicKey, sizeInNote } from '../../kernel/ledger/signed-note.ts'
import { fileLength, readText, writeChunks } from '../../platform/files/trees.ts'
import { fingerprintOf, type PackageSigner } from '../../platform/secrets/package-key.ts'
import { caseViewLines } from './format/case-view.ts'
import { type IndexInput, indexPage } from './format/index-page.ts'
import { contentsText, itemsCsv, itemsJson, type PackagedItem, withheldCsv } from './format/items.ts'
import * as layout from './format/layout.ts'
import { verifyText } from './format/verify-text.ts'
import {
  type AttachedValidation,
  type Begun,
  type DescribedPackage,
  idOf,
  idOfNumber,
  type Maker,
  type Plan,
  programOf,
} from './package-plan.ts'
import { type Custody, custodyOf, isAbout, sourceOf, type TextSource, textSource } from './package-custody.ts'
import * as rows from './packages.store.ts'
import type { PaperHead } from '../../platform/pdf/papers/draw.ts'
import { drawOnThread, drawWholeOnThread } from '../../platform/pdf/papers/drawing-thread.ts'
import type { ItemFacts } from './papers/facts.ts'
import { isStill, stillSheet } from './papers/still-sheet.ts'
import {
  type AboutPackage,
  custodyPaper,
  derivationStatement,
  draftOf,
  exhibitList,
  packageWords,
  type ReceiptFacts,
  receiptOf,
  validationPaper,
} from './papers/forms.ts'
import { type PaperDocument, paperText } from '../../platform/pdf/papers/paper.ts'
import { TemplateProblem } from '../../platform/pdf/papers/template.ts'
import { templateFile, TEMPLATES } from './papers/templates.ts'

/** A function makes a text of all items, which memory should hold no longer than it is being written. */
export type TextContent = string | Uint8Array | TextSource | (() => string)
type TextFile = readonly [path: string, content: TextContent]

export interface PackageTexts {
  readonly files: readonly TextFile[]
  /** Entries under the tree head that the proofs are under. */
  readonly ledgerSize: number
  /** The paper that goes beside the package, as PDF. */
  readonly receipt: (facts: ReceiptFacts) => Promise<Uint8Array>
  readonly described: DescribedPackage
}

/**
 * @param folder for large texts; it has to stay until the package is made
 * @param between called between two reads; what it throws ends the work
 * @throws LedgerDiffers; Fault PackageFactDiffers, PaperTemplateUnusable
 */
export async function textsOf(
  deps: Maker,
  begun: Begun,
  signer: PackageSigner,
  { folder, between }: { readonly folder: string; readonly between: () => void },
): Promise<PackageTexts> {
  const { plan, row } = begun
  const { items } = plan
  const attached = await attachedValidation(deps)
  const custody = await custodyOf(deps, begun, {
    fingerprint: signer.fingerprint,
    beside: attached?.seq ?? null,
    folder,
    between,
  })
  const { note } = custody
  const ledgerKey = ed25519PublicKey(deps.keys.signing.current().publicKey)
  const about: AboutPackage = {
    id: idOf(deps, row),
    name: row.name,
    origin: deps.origin,
    stationName: deps.stationName,
    program: programOf(deps),
    variant: row.variant,
    case: plan.case === null ? null : { number: plan.case.number, title: plan.title },
    supplements: supplementOf(deps, plan),
    begun: custody.begun,
    keys: { package: signer.fingerprint, ledger: fingerprintOf(ledgerKey), introducedSeq: custody.keySeq },
    validation: attached === null ? null : shownValidation(attached),
  }
  const described = await deps.gate.describe(deps.db.read, {
    caseId: row.case_id,
    caseTitle: plan.case === null ? '' : `${plan.case.number} ${plan.title}`,
    variant: row.variant,
    language: row.language,
    packageId: about.id,
    madeUtc: about.begun.timeUtc,
    items,
    withheld: plan.withheld,
  })
  const papers = [
    ...described.files,
    ...(await papersOf(deps, begun, about, custody, { folder, between })),
    ...(await validationFiles(deps, begun, about, attached)),
  ]
  const index: IndexInput = {
    items,
    packageId: about.id,
    name: row.name,
    title: row.title,
    caseNumber: plan.case?.number ?? null,
    station: deps.stationName,
    madeUtc: about.begun.timeUtc,
    madeBy: about.begun.by,
    timeZone: deps.timeZone,
    variant: row.variant,
    supplements: about.supplements,
    withheld: described.withheld.length,
    withheldUnnamed: described.unnamed,
    fingerprint: signer.fingerprint,
    forms: papers.map(([path]) => path),
  }
  const view = await textSource(
    join(folder, 'case.jsonld'),
    caseViewLines(about.id, items, custody.actors, actionsOf(custody.readable(), items)),
  )
  return {
    ledgerSize: sizeInNote(note),
    described,
    files: [
      ...listsOf(items, index),
      [layout.CUSTODY, custody.custody],
      [layout.PROOFS, custody.proofs],
      [layout.CHECKPOINT, note],
      [layout.CHECKPOINT_BODY, note.slice(0, note.indexOf('\n\n') + 1)],
      [layout.CHECKPOINT_SIGNATURE, layout.signatureIn(note)],
      [layout.WITHHELD, withheldCsv(described.withheld, row.variant)],
      [layout.DERIVATIONS, derivationsText(items, await derivationsOf(deps.db, items))],
      [layout.CASE_VIEW, view],
      [layout.PACKAGE_KEY, signer.publicKey],
      [layout.LEDGER_KEY, ledgerKey.export({ type: 'spki', format: 'pem' })],
      ['VERIFY.txt', verifyText('en')],
      ['VERIFY.fr.txt', verifyText('fr')],
      ...papers,
    ],
    receipt: (facts) =>
      drawWholeOnThread(
        receiptOf(about, facts, packageWords(row.language, deps.timeZone)),
        headOf(deps, about, row.language),
      ),
  }
}

/** Of all items. One of thousands takes a tenth of a second: others of the station get their turn while it is written. */
const listsOf = (items: readonly PackagedItem[], index: IndexInput): readonly TextFile[] => [
  [layout.CONTENTS, () => contentsText(items)],
  [layout.ITEMS_CSV, () => itemsCsv(items)],
  [layout.ITEMS_JSON, () => itemsJson(items)],
  ['README.html', () => indexPage('en', index)],
  ['README.fr.html', () => indexPage('fr', index)],
]

const supplementOf = (deps: Maker, { supplements }: Plan) =>
  supplements === null ? null : { id: idOfNumber(deps, supplements.packageId), signedSha256: supplements.signedSha256 }

interface Attached extends AttachedValidation {
  /** Of the entry that names it. */
  readonly seq: number
}

/** The newest self-validation that the ledger names with the hash that it has. */
async function attachedValidation({ ledger, newestValidation }: Maker): Promise<Attached | null> {
  const newest = await newestValidation()
  if (newest === null) return null
  const [named] = await ledger.entriesFor('validation', newest.name, { count: 1 })
  return named?.entry.sha256 === newest.sha256 ? { ...newest, seq: named.entry.seq } : null
}

const shownValidation = ({ seq, result }: Attached) => ({
  seq,
  timeUtc: result.startedUtc,
  passed: result.counts.ok,
  all: result.checks.length,
})

async function validationFiles(
  deps: Maker,
  { row }: Begun,
  about: AboutPackage,
  attached: Attached | null,
): Promise<TextFile[]> {
  if (attached === null) return []
  const paper = validationPaper(
    attached.result.checks,
    shownValidation(attached),
    packageWords(row.language, deps.timeZone),
    row.language,
  )
  return [
    ['forms/validation.json', attached.text],
    ['forms/validation.sig', attached.signature],
    ['forms/validation.pdf', await drawWholeOnThread(paper, headOf(deps, about, row.language))],
  ]
}

/** What was done with the files of the package, for its view as CASE. */
async function* actionsOf(entries: AsyncIterable<StoredEntry>, items: readonly PackagedItem[]) {
  const inPackage = new Set(items.map(({ resourceId }) => resourceId))
  for await (const entry of entries)
    if (isAbout(entry, inPackage)) {
      const { seq, timeUtc, action, actor, object } = entry
      yield { seq, timeUtc, action, actor: actor.name, resourceId: object.id }
    }
}

/** The folder gets them: of thousands of files they are more than memory should hold. */
async function papersOf(
  deps: Maker,
  { row }: Begun,
  about: AboutPackage,
  custody: Custody,
  { folder, between }: { readonly folder: string; readonly between: () => void },
): Promise<TextFile[]> {
  const words = packageWords(row.language, deps.timeZone)
  const facts = custody.facts.facts()
  const files: TextFile[] = []
  const add = async (path: string, paper: PaperDocument, withText: boolean): Promise<void> => {
    const source = join(folder, `${basename(path)}.pdf`)
    const drawn = drawOnThread(paper, headOf(deps, about, row.language), between)
    files.push([`${path}.pdf`, sourceOf(source, await writeChunks(source, drawn))])
    if (withText) files.push([`${path}.txt`, paperText(paper)])
  }
  for (const name of JSON.parse(row.papers) as PackagePaper[])
    await add(
      `forms/${name}.draft`,
      await draft(deps, name, row.language, (text) => draftOf(text, words.say(name), about, facts, words)),
      true,
    )
  await add('forms/exhibits', exhibitList(about, facts, words), false)
  if (facts.some(({ made }) => made !== null))
    await add('forms/derivations', derivationStatement(about, facts, words), true)
  if (facts.some(isStill))
    await add('forms/stills', await stillSheet(about, facts, words, (one) => pictureOf(deps, one)), true)
  await add('meta/custody', custodyPaper(about, custody.readable(), custody.withheld, words), false)
  return files
}

async function pictureOf({ store, smallPicture }: Maker, { item }: ItemFacts): Promise<Buffer | null> {
  const local = await store.localCopy(item.sha256)
  try {
    return await smallPicture(local.path)
  } finally {
    await local.release()
  }
}

/** A file of the agency's goes before the built-in template. @throws Fault PaperTemplateUnusable, which names it */
async function draft(
  { templates }: Maker,
  name: PackagePaper,
  language: PackageLanguage,
  make: (template: string) => PaperDocument,
): Promise<PaperDocument> {
  const file = join(templates, templateFile(name, language))
  const own = (await fileLength(file)) === null ? null : await readText(file)
  try {
    return make(own ?? TEMPLATES[name][language])
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error
    throw fault('PaperTemplateUnusable', packageProblem('templateUnusable', { file, why: error.message }))
  }
}

const headOf = ({ stationName }: Maker, { id, begun }: AboutPackage, language: PackageLanguage): PaperHead => ({
  author: stationName,
  language,
  paper: 'a4',
  // Whoever files it may not have the fonts that it names.
  embedded: true,
  made: new Date(begun.timeUtc),
  foot: id,
})

async function derivationsOf(db: Database, items: readonly PackagedItem[]): Promise<Map<string, unknown>> {
  const made = items.filter(({ kind }) => kind !== 'original')
  const found = new Map<string, unknown>()
  for (let at = 0; at < made.length; at += DERIVATIONS_AT_ONCE) {
    const ids = made.slice(at, at + DERIVATIONS_AT_ONCE).map(({ resourceId }) => Number(resourceId))
    for (const one of await rows.derivationsOf(db.read, ids))
      found.set(String(one.resource_id), one.derivation === null ? null : JSON.parse(one.derivation))
  }
  return found
}
const DERIVATIONS_AT_ONCE = 500

/** By item: the hash of what it was made from, the tool, its arguments, and the hash of what it made. `proof` is of redactions. */
const derivationsText = (items: readonly PackagedItem[], derivations: ReadonlyMap<string, unknown>): string =>
  `[\n${items
    .filter(({ kind }) => kind !== 'original')
    .map(({ no, kind, parent, path, sha256, resourceId }) =>
      JSON.stringify({
        no,
        kind,
        parent,
        path,
        derivation: derivations.get(resourceId) ?? null,
        outputSha256: sha256,
        proof: null,
      }),
    )
    .join(',\n')}\n]\n`
