/** The longest name of a file in the archive, with its ending. */
const LONGEST = 100

/**
 * A name that every system and every program for ZIP files takes as it is: letters and digits of ASCII, point, dash and underline. It neither
 * begins with a point nor ends with one. The name that the file was given stands in the manifest.
 */
export function safeName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '_')
  const [, stem = '', ending = ''] = /^(.*?)(\.[A-Za-z0-9]{1,10})?$/s.exec(plain) ?? []
  const short = stem.slice(0, LONGEST - ending.length).replaceAll(/^[._-]+|[._]+$/g, '')
  return `${short === '' ? 'file' : short}${ending}`
}
