/** Names and values as people typed them, with whatever nobody could see made visible: one must not look like another. Pure. */

/** Controls, bidirectional marks and overrides, zero-width characters and tags. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

export const visible = (text: string): string =>
  text.replace(HIDDEN, (found) => `‹U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`)
