/** The papers of a package: drafts that a person signs, the list of exhibits, the statement of derived files, custody for people, the receipt. */
import { packagePapers as en } from '../../../../shared/packages/papers.messages.en.ts'
import { packagePapers as fr } from '../../../../shared/packages/papers.messages.fr.ts'
import { validation as validationEn } from '../../../../shared/validation/messages.en.ts'
import { validation as validationFr } from '../../../../shared/validation/messages.fr.ts'
import { LEDGER_ACTIONS } from '../../../../shared/kernel/ledger-actions.ts'
import type { PackageVariant } from '../../../../shared/packages/kinds.ts'
import { type Language, type PaperWords, paperWords } from '../../../platform/pdf/paper-words.ts'
import type { StoredEntry } from '../../../kernel/ledger/format.ts'
import { highestNumber, nameIn } from '../format/items.ts'
import { escapedName, numberOf } from '../format/names.ts'
import type { ItemFacts } from './facts.ts'
import { type Block, type PaperDocument, said, type Words } from '../../../platform/pdf/papers/paper.ts'
import { paperBlocks } from '../../../platform/pdf/papers/template.ts'

type Plain<Key extends string> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key
type PackageWord = Plain<keyof typeof en>
export type PackageWords = PaperWords<PackageWord>

export const packageWords = (language: Language, zone: string): PackageWords =>
  paperWords<PackageWord>(language === 'fr' ? fr : en, language, zone)

export interface AboutPackage {
  readonly id: string
  readonly name: string
  readonly origin: string
  readonly stationName: string
  readonly program: string
  readonly variant: PackageVariant
  readonly case: { readonly number: string; readonly title: string } | null
  /** The package to which it adds; null: none. */
  readonly supplements: { readonly id: string; readonly signedSha256: string } | null
  /** The entry `package.begun`. */
  readonly begun: { readonly seq: number; readonly timeUtc: string; readonly by: string }
  readonly keys: { readonly package: string; readonly ledger: string; readonly introducedSeq: number }
  readonly validation: {
    readonly seq: number
    readonly timeUtc: string
    readonly passed: number
    readonly all: number
  } | null
}

/** A paper that a person signs, from a template. @throws TemplateProblem */
export function draftOf(
  template: string,
  title: string,
  about: AboutPackage,
  items: readonly ItemFacts[],
  words: PackageWords,
): PaperDocument {
  const { begun, keys } = about
  const { say } = words
  const from = (text: string) => said(text, begun.seq)
  const facts = {
    itemCount: from(words.count(items.length)),
    packageId: from(about.id),
    madeTime: from(words.time(begun.timeUtc)),
    madeBy: from(begun.by),
    variant: from(say(about.variant)),
    stationName: from(about.stationName),
    origin: from(about.origin),
    program: from(about.program),
    packageKey: said(keys.package, keys.introducedSeq),
    caseWords:
      about.case === null ? said('') : from(say('caseWords', { number: about.case.number, title: about.case.title })),
  }
  const tables = {
    items: [itemTable(items, words)],
    derivations: derivationBlocks(items, words),
    validation: [validationBlock(about, words)],
  }
  return { title, banner: say('draft'), blocks: paperBlocks(template, { facts, tables }) }
}

function itemTable(items: readonly ItemFacts[], words: PackageWords): Block {
  const { say } = words
  const highest = highestNumber(items.map(({ item }) => item))
  return {
    kind: 'table',
    columns: [
      { label: say('number'), share: 7 },
      { label: say('file'), share: 22 },
      { label: say('originalName'), share: 18 },
      { label: say('bytes'), share: 13, end: true },
      { label: say('sha256'), share: 28, mono: true },
      { label: say('completed'), share: 20 },
    ],
    rows: items.map(({ item, completed }) => [
      said(numberOf(item.no, highest)),
      said(nameIn(item)),
      said(escapedName(item.originalName), completed.seq),
      said(words.count(item.bytes), completed.seq),
      said(item.sha256, completed.seq),
      said(words.time(completed.timeUtc), completed.seq),
    ]),
  }
}

function derivationBlocks(items: readonly ItemFacts[], words: PackageWords): Block[] {
  const highest = highestNumber(items.map(({ item }) => item))
  const made = items.flatMap(({ item, made: how }): Block[] =>
    how === null
      ? []
      : [
          {
            kind: 'words',
            words: said(
              words.say('derivation', {
                no: numberOf(item.no, highest),
                file: nameIn(item),
                input: how.inputSha256,
                tool: how.tool,
                version: how.version,
                arguments: how.arguments.length === 0 ? words.say('noArguments') : how.arguments.join(' '),
                output: item.sha256,
              }),
              how.seq,
            ),
          },
        ],
  )
  return made.length > 0 ? made : [{ kind: 'words', words: said(words.say('noDerivations')) }]
}

function validationBlock({ validation }: AboutPackage, { say, time, count }: PackageWords): Block {
  if (validation === null) return { kind: 'words', words: said(say('noValidation')) }
  const { seq, timeUtc, passed, all } = validation
  return {
    kind: 'words',
    words: said(say('validation', { time: time(timeUtc), passed: count(passed), all: count(all) }), seq),
  }
}

export function exhibitList(about: AboutPackage, items: readonly ItemFacts[], words: PackageWords): PaperDocument {
  const { say, time } = words
  const highest = highestNumber(items.map(({ item }) => item))
  return {
    title: say('exhibits'),
    banner: null,
    blocks: [
      { kind: 'title', text: say('exhibits') },
      leadOf(about, words),
      {
        kind: 'table',
        columns: [
          { label: say('number'), share: 7 },
          { label: say('exhibit'), share: 10 },
          { label: say('title'), share: 24 },
          { label: say('kind'), share: 12 },
          { label: say('recorded'), share: 22 },
          { label: say('sha256'), share: 30, mono: true },
        ],
        rows: items.map(({ item, completed }) => [
          said(numberOf(item.no, highest)),
          said(item.exhibit ?? ''),
          said(escapedName(item.title)),
          said(say(item.kind)),
          said(time(item.corrected.start ?? item.recorded.start)),
          said(item.sha256, completed.seq),
        ]),
      },
    ],
  }
}

export const leadOf = (about: AboutPackage, { say, time }: PackageWords): Block => ({
  kind: 'words',
  words: said(
    say('exhibitsLead', {
      package: about.id,
      time: time(about.begun.timeUtc),
      who: about.begun.by,
      station: about.stationName,
    }),
    about.begun.seq,
  ),
})

export const derivationStatement = (
  about: AboutPackage,
  items: readonly ItemFacts[],
  words: PackageWords,
): PaperDocument => ({
  title: words.say('derivations'),
  banner: null,
  blocks: [{ kind: 'title', text: words.say('derivations') }, leadOf(about, words), ...derivationBlocks(items, words)],
})

/** @param withheld how many entries the recipient may not read */
export function custodyPaper(
  about: AboutPackage,
  entries: AsyncIterable<StoredEntry>,
  withheld: number,
  words: PackageWords,
): PaperDocument {
  const { say, time } = words
  return {
    title: say('custody'),
    banner: null,
    blocks: [
      { kind: 'title', text: say('custody') },
      leadOf(about, words),
      { kind: 'words', words: said(say('custodyLead')) },
      ...(withheld === 0 ? [] : [{ kind: 'words', words: said(say('withheldEntries', { count: withheld })) } as const]),
      {
        kind: 'longTable',
        columns: [
          { label: say('entry'), share: 9 },
          { label: say('time'), share: 22 },
          { label: say('who'), share: 16 },
          { label: say('what'), share: 40 },
          { label: say('object'), share: 22 },
        ],
        rows: custodyRows(entries, time),
      },
    ],
  }
}

async function* custodyRows(
  entries: AsyncIterable<StoredEntry>,
  time: PackageWords['time'],
): AsyncGenerator<readonly Words[]> {
  for await (const { seq, timeUtc, actor, action, outcome, object } of entries)
    yield [
      said(String(seq)),
      said(time(timeUtc)),
      said(actor.name),
      said(`${action}: ${meaningOf(action)}${outcome === 'ok' ? '' : ` (${outcome})`}`),
      said(escapedName(object.name)),
    ]
}

const meaningOf = (action: string): string =>
  Object.hasOwn(LEDGER_ACTIONS, action) ? LEDGER_ACTIONS[action as keyof typeof LEDGER_ACTIONS].meaning : ''

/** The checks of a self-validation, for people; the signed file is beside it. */
export function validationPaper(
  checks: readonly { readonly name: string; readonly result: string; readonly problem: string | null }[],
  validation: NonNullable<AboutPackage['validation']>,
  words: PackageWords,
  language: Language,
): PaperDocument {
  const labels: Readonly<Record<string, string>> = language === 'fr' ? validationFr : validationEn
  const labelOf = (key: string): string => (Object.hasOwn(labels, key) ? (labels[key] ?? key) : key)
  const { seq, timeUtc, passed, all } = validation
  return {
    title: labelOf('title'),
    banner: null,
    blocks: [
      { kind: 'title', text: labelOf('title') },
      {
        kind: 'words',
        words: said(
          words.say('validation', {
            time: words.time(timeUtc),
            passed: words.count(passed),
            all: words.count(all),
          }),
          seq,
        ),
      },
      {
        kind: 'table',
        columns: [
          { label: words.say('check'), share: 18 },
          { label: words.say('what'), share: 46 },
          { label: words.say('result'), share: 14 },
          { label: words.say('remark'), share: 30 },
        ],
        rows: checks.map(({ name, result, problem }) => [
          said(labelOf(name)),
          said(labelOf(`${name}What`)),
          said(labelOf(result)),
          said(problem ?? ''),
        ]),
      },
    ],
  }
}

export interface ReceiptFacts {
  readonly items: number
  readonly bytes: number
  readonly signedSha256: string
}

/** The paper beside the package: by its fingerprints a stranger knows whose package it is. */
export function receiptOf(
  about: AboutPackage,
  { items, bytes, signedSha256 }: ReceiptFacts,
  words: PackageWords,
): PaperDocument {
  const { say, time } = words
  return {
    title: say('receipt'),
    banner: null,
    blocks: [
      { kind: 'title', text: say('receipt') },
      { kind: 'words', words: said(say('receiptLead')) },
      {
        kind: 'facts',
        facts: [
          [say('station'), said(`${about.stationName} (${about.origin})`)],
          [say('packageId'), said(about.id)],
          [say('folder'), said(about.name)],
          ...(about.case === null ? [] : [[say('case'), said(`${about.case.number} ${about.case.title}`)] as const]),
          [say('for'), said(say(about.variant))],
          ...(about.supplements === null
            ? []
            : [[say('supplements'), said(say('supplementsWords', about.supplements), about.begun.seq)] as const]),
          [say('made'), said(say('madeBy', { time: time(about.begun.timeUtc), who: about.begun.by }), about.begun.seq)],
          [say('contents'), said(say('contentsOf', { items: words.count(items), bytes: words.bytes(bytes) }))],
          [say('packageKey'), said(about.keys.package, about.keys.introducedSeq)],
          [say('ledgerKey'), said(about.keys.ledger)],
          [say('signedList'), said(signedSha256)],
        ],
      },
      { kind: 'heading', text: say('handedOver') },
      { kind: 'blank', label: say('givenBy') },
      { kind: 'blank', label: say('takenBy') },
    ],
  }
}
