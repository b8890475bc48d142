/** A name as it may stand in a text: what does not print, changes the direction, or ends a line is written as its code. */
export const escapedName = (name: string): string =>
  name
    .toWellFormed()
    .replaceAll('\\', '\\\\')
    .replaceAll(/[\p{C}\u2028\u2029]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
