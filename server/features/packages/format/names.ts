/**
 * Names in a package (docs/decisions/0034): `NNNN_` and 1 to 40 of `[a-z0-9._-]`, which every system, `sha256sum` and every program for ZIP files take as
 * they are. The name that the file was given stands in `meta/items.csv`.
 */
export { escapedName } from '../../../../shared/kernel/escaped-name.ts'

const LONGEST = 40
/** Numbers have as many digits as the highest one, so that names are in their order. */
const LEAST_DIGITS = 4

/** `0001_bodyworn_0412.mp4`. @param highest the highest number in the package */
export function packagedName(no: number, highest: number, name: string): string {
  const [, stem, ending] = partsOf(name)
  return `${numberOf(no, highest)}_${shortened(stem, LONGEST - ending.length)}${ending}`
}

/** `0001_bodyworn_0412.view.mp4`: a copy to play has the number and the name of its original, and says that it is a copy. */
export function copyName(no: number, highest: number, name: string, ending: string): string {
  const tail = `.view.${ending}`
  const [, stem] = partsOf(name)
  return `${numberOf(no, highest)}_${shortened(stem, LONGEST - tail.length)}${tail}`
}

export const numberOf = (no: number, highest: number): string =>
  String(no).padStart(Math.max(LEAST_DIGITS, String(highest).length), '0')

function partsOf(name: string): [string, string, string] {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '_')
    .replaceAll(/\.{2,}/g, '.')
  const [, stem = '', ending = ''] = /^(.*?)(\.[a-z0-9]{1,10})?$/s.exec(plain) ?? []
  return [plain, stem, ending]
}

function shortened(stem: string, most: number): string {
  const short = stem.slice(0, most).replaceAll(/^[._-]+|[._-]+$/g, '')
  return short === '' ? 'file' : short
}

/** Of the folder or file of a package: what a person may type, as every system takes it. */
export function packageFolderName(title: string, id: string): string {
  const stem = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9-]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, '')
  return `${stem === '' ? 'package' : stem}-${id}`
}
