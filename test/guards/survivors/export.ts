import type { Survivor } from '../survivor.ts'

const FOLDER = 'server/features/packages/export'
const PACKAGE = `${FOLDER}/import-package.ts`
const BLOBS = `${FOLDER}/import-blobs.ts`
const STATION = `${FOLDER}/import.service.ts`
const READ = `${FOLDER}/read-export.ts`
const PART = `${FOLDER}/station-part.ts`
const IMPORTS = `${FOLDER}/verify-imports.ts`
const EXPORT = `${FOLDER}/export.service.ts`
const HAS_PROBLEM = 'What could not be opened has a problem, which is asked beside it.'
const CHANGED_BETWEEN = 'It shows only where a file changes between the verification and this reading.'

export const EXPORT_GUARDS: readonly Survivor[] = [
  { file: EXPORT, text: 'signer === null', kind: 'equivalent', why: 'The key is made before an export begins.' },
  { file: EXPORT, text: 'signer === null', at: 2, kind: 'equivalent', why: 'The key is made before an export begins.' },
  { file: BLOBS, text: 'failed !== undefined', kind: 'untested', why: CHANGED_BETWEEN },
  {
    file: BLOBS,
    text: 'await requireStillThere(tx)',
    kind: 'untested',
    why: 'A blob would have to be removed between its placing and its row, at a station in which nobody is.',
  },
  { file: PACKAGE, text: 'opened === null', kind: 'equivalent', why: HAS_PROBLEM },
  {
    file: PACKAGE,
    text: 'problems.length > 0',
    kind: 'second',
    with: [{ file: PACKAGE, text: 'problems.length > 0', at: 2 }],
    suite: 'test/packages/import-package.test.ts',
    why: 'What has a problem is not opened.',
  },
  {
    file: PACKAGE,
    text: 'problems.length > 0',
    at: 2,
    kind: 'second',
    with: [{ file: PACKAGE, text: 'problems.length > 0' }],
    suite: 'test/packages/import-package.test.ts',
    why: 'What has a problem is refused by whoever opens it.',
  },
  { file: PACKAGE, text: 'origin === null', kind: 'equivalent', why: 'A package without an origin has a problem.' },
  { file: PACKAGE, text: 'bytes === null', kind: 'untested', why: CHANGED_BETWEEN },
  { file: PACKAGE, text: 'sha256Of(bytes) !== hashes.get(path)', kind: 'untested', why: CHANGED_BETWEEN },
  { file: PACKAGE, text: 'found === undefined', kind: 'equivalent', why: 'Its row was written a moment before.' },
  { file: STATION, text: 'opened === null', kind: 'equivalent', why: HAS_PROBLEM },
  {
    file: STATION,
    text: 'row === undefined',
    kind: 'equivalent',
    why: 'Its row was written by what was just awaited.',
  },
  {
    file: STATION,
    text: 'await requireEmpty(db.read)',
    kind: 'second',
    with: [{ file: STATION, text: 'await requireEmpty(tx)' }],
    suite: 'test/packages/export.test.ts',
    why: 'The same is asked again in the transaction that writes the records; this one spares the copying before it.',
  },
  {
    file: `${FOLDER}/lists.ts`,
    text: "table.startsWith('import')",
    kind: 'equivalent',
    why: 'No other table has the number of an import.',
  },
  { file: READ, text: 'sha256 === undefined', kind: 'equivalent', why: 'No hash of bytes is undefined.' },
  {
    file: READ,
    text: "entry.kind === 'folder'",
    kind: 'equivalent',
    why: 'Only the path of a folder ends with a slash.',
  },
  {
    file: `${FOLDER}/row-lines.ts`,
    text: "'$bytes' in value",
    kind: 'equivalent',
    why: 'Without the member its type is none of text.',
  },
  { file: PART, text: 'last === 0', kind: 'equivalent', why: 'The start of a station is an entry.' },
  {
    file: PART,
    text: 'page.length === 0',
    kind: 'equivalent',
    why: 'The last entry was read before, and the ledger takes no deletion.',
  },
  {
    file: PART,
    text: 'seq !== after + 1',
    kind: 'second',
    with: [{ file: PART, text: '!isSameRoot(range.root(), root)' }],
    suite: 'test/packages/export.test.ts',
    why: 'Entries with a gap have another root than the tree.',
  },
  {
    file: READ,
    text: 'bytes === null',
    kind: 'equivalent',
    why: 'The hash of nothing is then asked for, which throws.',
  },
  {
    file: `${FOLDER}/row-lines.ts`,
    text: "typeof value !== 'object'",
    kind: 'equivalent',
    why: 'Anything else that JSON knows has no members, so it is refused by their number.',
  },
  { file: IMPORTS, text: 'line === null', kind: 'equivalent', why: 'Nothing is no line of a proof, which throws.' },
  {
    file: IMPORTS,
    text: 'proof.size === head.size',
    kind: 'equivalent',
    why: 'The steps of a proof lead to the root of a tree of its own size alone.',
  },
]
