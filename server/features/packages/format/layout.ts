/** Files and folders of a package (docs/decisions/0034). Paths are below the package, with `/`. */

export const FOLDERS = ['data', 'forms', 'meta'] as const

export const PAYLOAD_LIST = 'manifest-sha256.txt'
export const TAG_LIST = 'tagmanifest-sha256.txt'
export const SIGNATURE = 'tagmanifest.sig'
/** Of an authority outside (RFC 3161), on the list that is signed. */
export const TIMESTAMP = 'tagmanifest.tsr'
export const AGENCY_SIGNATURE = 'tagmanifest.p7s'
/** Of paired stations, on the tree head: two lines for each (C2SP tlog-cosignature). */
export const COSIGNATURES = 'tagmanifest.cosignatures'
/** May be added later: they are not in the list that is signed. */
export const LATER = [AGENCY_SIGNATURE, TIMESTAMP, COSIGNATURES, 'tagmanifest-certificates.pem'] as const
export const PACKAGE_KEY = 'station-pub.pem'
export const LEDGER_KEY = 'ledger-pub.pem'
export const CONTENTS = 'data/0000_contents.txt'
export const ITEMS_CSV = 'meta/items.csv'
export const ITEMS_JSON = 'meta/items.json'
export const CUSTODY = 'meta/custody.jsonl'
export const PROOFS = 'meta/proofs.txt'
export const CHECKPOINT = 'meta/checkpoint.txt'
export const CHECKPOINT_BODY = 'meta/checkpoint.body'
export const CHECKPOINT_SIGNATURE = 'meta/checkpoint.sig'
export const WITHHELD = 'meta/withheld.csv'
export const DERIVATIONS = 'meta/derivations.json'
export const CASE_VIEW = 'meta/case.jsonld'
export const BAG = 'bagit.txt'
export const BAG_INFO = 'bag-info.txt'

/** A line of a manifest, as `sha256sum` writes and checks it. */
export const manifestLine = (sha256: string, path: string): string => `${sha256}  ${path}\n`

/** A manifest of these files, in the order of their names. */
export const manifestText = (files: readonly { readonly path: string; readonly sha256: string }[]): string =>
  files
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, sha256 }) => manifestLine(sha256, path))
    .join('')

/** Of a signed note: the bytes of the signature alone. */
export const signatureIn = (note: string): Uint8Array =>
  Buffer.from(/\n— \S+ (\S+)\n$/.exec(note)?.[1] ?? '', 'base64').subarray(4)

export interface ListedFile {
  readonly path: string
  readonly sha256: string
}

/** @throws Error for any other text: a name twice, a folder above, a line that `sha256sum -c --strict` refuses */
export function readManifest(text: string): ListedFile[] {
  if (text !== '' && !text.endsWith('\n')) throw new Error('The list does not end with a line.')
  const names = new Set<string>()
  return text
    .split('\n')
    .slice(0, -1)
    .map((line, at) => {
      const [, sha256, path] = /^([0-9a-f]{64}) {2}((?:[a-z]+\/)?[A-Za-z0-9][A-Za-z0-9._-]{0,99})$/.exec(line) ?? []
      if (sha256 === undefined || path === undefined) throw new Error(`Line ${at + 1} of the list is none.`)
      if (names.has(path)) throw new Error(`The list names ${path} twice.`)
      names.add(path)
      return { path, sha256 }
    })
}

/** @param payload bytes and number of the files below `data/` */
export function bagInfo(about: {
  readonly organization: string
  readonly id: string
  readonly madeUtc: string
  readonly payload: { readonly bytes: number; readonly files: number }
  /** The package to which it adds, by its id; null: none. */
  readonly supplements: string | null
}): string {
  const { organization, id, madeUtc, payload, supplements } = about
  return [
    ['Source-Organization', organization],
    ['External-Identifier', id],
    ['Bagging-Date', madeUtc.slice(0, 10)],
    ['Payload-Oxum', `${payload.bytes}.${payload.files}`],
    ['Bag-Size', sizeOf(payload.bytes)],
    ...(supplements === null ? [] : [['Supplements', supplements]]),
  ]
    .map(([label, value]) => `${label}: ${(value ?? '').replaceAll(/\s+/g, ' ').trim()}\n`)
    .join('')
}

export const BAG_TEXT = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n'

/** As RFC 8493 shows it: for people. */
function sizeOf(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const at = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** at
  return `${at === 0 ? value : value.toFixed(1)} ${units[at]}`
}
