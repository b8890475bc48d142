/** The two DER forms (X.690) that the certificate library does not offer. */

export function tagged(tag: number, content: Uint8Array): Buffer {
  const { length } = content
  const head =
    length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff]
  if (length > 0xffff) throw new Error('The content is too long for this encoder')
  return Buffer.concat([Buffer.from(head), content])
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, Buffer.concat(parts))
