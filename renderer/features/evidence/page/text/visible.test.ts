import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode, pieces, visible } from './visible.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('S7: what cannot be seen is written out', () => {
  it('a name cannot turn itself round or hide its end', () => {
    expect(visible('photo\u202Egpj.exe')).toBe('photo‹U+202E›gpj.exe')
    expect(visible('a\u0000b\u200Bc\u2066d\u{E0041}e\r\nf')).toBe('a‹U+0000›b‹U+200B›c‹U+2066›d‹U+E0041›e‹U+000A›f')
    expect(visible('Tanner’s Row – Zoë 👮🏽‍♀️')).toBe('Tanner’s Row – Zoë 👮🏽‍♀️')
  })

  it('nothing else is changed, and nothing is lost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const found = pieces(text)
        const back = found.map((piece) =>
          piece.hidden ? String.fromCodePoint(Number.parseInt(piece.text.slice(2), 16)) : piece.text,
        )
        expect(back.join('')).toBe(text)
        expect(pieces(visible(text)).some(({ hidden }) => hidden)).toBe(false)
      }),
    )
  })
})

describe('how text is encoded', () => {
  it('is told by its mark, else found out', () => {
    expect(decode(bytes('\ufeffMaße'), false)).toEqual({ text: 'Maße', encoding: 'utf-8', marked: true })
    expect(decode(bytes('Maße'), false)).toEqual({ text: 'Maße', encoding: 'utf-8', marked: false })
    expect(decode(Uint8Array.of(0xff, 0xfe, 0x4d, 0x00), false)).toEqual({
      text: 'M',
      encoding: 'utf-16le',
      marked: true,
    })
    expect(decode(Uint8Array.of(0xfe, 0xff, 0x00, 0x4d), false)).toEqual({
      text: 'M',
      encoding: 'utf-16be',
      marked: true,
    })
    expect(decode(Uint8Array.of(0x4d, 0x61, 0xdf, 0x65), false)).toEqual({
      text: 'Maße',
      encoding: 'windows-1252',
      marked: false,
    })
  })

  it('a character cut through by the end of what was read is no sign against UTF-8', () => {
    const cut = bytes('Maß').slice(0, 3)
    expect(decode(cut, true)).toEqual({ text: 'Ma', encoding: 'utf-8', marked: false })
    expect(decode(cut, false).encoding).toBe('windows-1252')
  })
})
