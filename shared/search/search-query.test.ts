import { describe, expect, it } from 'vitest'
import { findWords, matchOf, parseSearch, snippetOf, wordsToShow } from './search-query.ts'

const term = (text: string, more: object = {}) => ({ field: null, text, exclude: false, prefix: false, ...more })

describe('what is typed', () => {
  it.each([
    ['', []],
    ['  \t\n ', []],
    ['burglary', [term('burglary', { prefix: true })]],
    ['mill lane', [term('mill'), term('lane', { prefix: true })]],
    ['mill* lane', [term('mill*', { prefix: true }), term('lane', { prefix: true })]],
    ['"mill lane"', [term('mill lane')]],
    ['"mill lane"*', [term('mill lane', { prefix: true })]],
    ['"mill la', [term('mill la', { prefix: true })]],
    ['-lane mill', [term('lane', { exclude: true }), term('mill', { prefix: true })]],
    ['mill -lane', [term('mill'), term('lane', { exclude: true })]],
    ['tag:night', [term('night', { field: 'tag', prefix: true })]],
    ['TAG:"night shift" x', [term('night shift', { field: 'tag' }), term('x', { prefix: true })]],
    ['-officer:okafor mill', [term('okafor', { field: 'officer', exclude: true }), term('mill', { prefix: true })]],
    ['case:2026-000123', [term('2026-000123', { field: 'case', prefix: true })]],
    ['http://a', [term('http://a', { prefix: true })]],
    ['other:thing', [term('other:thing', { prefix: true })]],
    ['- -- "" -"" tag: * :', []],
    ['\ue00012 x\u0000y', [term('12'), term('x'), term('y', { prefix: true })]],
    ['a"b c"d', [term('a'), term('b c'), term('d', { prefix: true })]],
  ])('%j', (typed, terms) => {
    expect(parseSearch(typed)).toEqual(terms)
  })

  it('is cut where nobody means it any more', () => {
    expect(parseSearch('x '.repeat(5_000))).toHaveLength(24)
    expect(parseSearch('x'.repeat(5_000))[0]?.text).toHaveLength(1_000)
  })
})

describe('what the index is asked', () => {
  it('words anywhere, and the same in names and numbers', () => {
    expect(matchOf(parseSearch('mill "quay road" lane'))).toEqual({
      all: '("mill" AND "quay road" AND "lane" *)',
      named: '({name numbers} : ("mill" AND "quay road" AND "lane" *))',
      without: null,
    })
  })
  it('fields, and what is left out', () => {
    expect(matchOf(parseSearch('tag:night officer:okafor mill -lane -device:axon'))).toEqual({
      all: '("mill" AND tags : "night" AND people : "okafor") NOT ("lane" OR device : "axon")',
      named: '({name numbers} : ("mill") AND tags : "night" AND people : "okafor") NOT ("lane" OR device : "axon")',
      without: null,
    })
  })
  it('nothing but what is left out', () => {
    expect(matchOf(parseSearch('-lane'))).toEqual({ all: null, named: null, without: '("lane")' })
    expect(matchOf(parseSearch('category:theft case:12'))).toEqual({ all: null, named: null, without: null })
  })
  it('an id is a word of its own', () => {
    expect(matchOf(parseSearch('0042')).all).toBe('(("0042" * OR numbers : "\ue00042"))')
  })
  it('one letter is a word, not the beginning of nearly everything', () => {
    expect(matchOf(parseSearch('b')).all).toBe('("b")')
    expect(matchOf(parseSearch('b*')).all).toBe('("b*" *)')
    expect(matchOf(parseSearch('b!!')).all).toBe('("b!!")')
  })
})

describe('the plate of a vehicle', () => {
  const ways = ['"bhx4411"', '"bhx 4411"', '"b hx4411"', '"b hx 4411"', '"bh x4411"', '"bh x 4411"']
  it.each(['bhx4411', 'B-HX4411', 'b-hx 4411', 'B HX 4411', 'BHX 4411', 'B·HX-4411'])(
    '%s is asked for in every way in which it may be written',
    (typed) => {
      const { all } = matchOf(parseSearch(`${typed} `))
      for (const way of ways) expect(all).toContain(`${way} *`)
    },
  )
  it('also one whose digits come first or in the middle', () => {
    expect(matchOf(parseSearch('ab123cd x')).all).toContain('"ab 123 cd"')
    expect(matchOf(parseSearch('1234bcd x')).all).toContain('"1234 bcd"')
  })
  it('nothing else is taken for one', () => {
    expect(matchOf(parseSearch('camera 0417')).all).toBe('("camera" AND ("0417" * OR numbers : "\ue000417"))')
    expect(matchOf(parseSearch('quay "road 14" r2')).all).toBe('("quay" AND "road 14" AND "r2" *)')
  })
  it('stands where it is written otherwise', () => {
    const places = (text: string, typed: string) =>
      findWords(text, wordsToShow(parseSearch(typed))).map(({ start, end }) => text.slice(start, end))
    for (const typed of ['bhx4411', 'b hx 4411', 'BHX 4411'])
      expect(places('Blue van, B-HX 4411, by the bridge', typed)).toEqual(['B-HX 4411'])
    expect(places('BHX4411', 'b-hx 4411')).toEqual(['BHX4411'])
  })
})

describe('where words stand', () => {
  const places = (text: string, typed: string) =>
    findWords(text, wordsToShow(parseSearch(typed))).map(({ start, end }) => text.slice(start, end))
  it('at the beginnings of words, without case and accents', () => {
    expect(places('The Mill Lane, windmill', 'mill')).toEqual(['Mill'])
    expect(places('Řeznická 4', 'rez')).toEqual(['Řez'])
    expect(places('Rˇ cafe\u0301 x', 'café')).toEqual(['cafe\u0301'])
    expect(places('👮 okafor', 'officer:okaf')).toEqual(['okaf'])
    expect(places('İstanbul', 'ist')).toEqual(['İst'])
  })
  it('a line around the first of them', () => {
    const long = `${'lorem ipsum '.repeat(40)}burglary at the mill ${'dolor sit '.repeat(40)}`
    const line = snippetOf(['nothing here', long], wordsToShow(parseSearch('burgl')))
    expect(line).toMatch(/^… .*burglary at the mill.* …$/)
    expect(line?.length).toBeLessThan(200)
    expect(snippetOf(['short mill'], ['mill'])).toBe('short mill')
    expect(snippetOf(['short mill'], ['zebra'])).toBeNull()
    expect(snippetOf(['short mill'], [])).toBeNull()
  })
})
