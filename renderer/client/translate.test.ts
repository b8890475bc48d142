/** Words of a key: its number, its parts, and English where another language lacks it. */
import { afterEach, describe, expect, it } from 'vitest'
import { addWords, changeLanguage, hasMessage, translate } from './translate.ts'

const english = {
  plain: 'Cases',
  gone_zero: 'None',
  gone_one: '{{count}} gone of {{all}}',
  gone_other: '{{count}} gone',
}
const french = {
  plain: 'Affaires',
  gone_one: '{{count}} partie',
  gone_many: '{{count}} de parties',
  gone_other: '{{count}} parties',
}
const say = translate as (area: 'cases', key: string, fill?: object) => string

describe('translate', () => {
  addWords('en', 'cases', english)
  addWords('fr', 'cases', french)
  afterEach(() => changeLanguage('en'))

  it('fills in numbers and parts, as they are and as often as they stand there', () => {
    addWords('en', 'common', { twice: '<b>{{name}}</b> {{name}}' })
    expect(
      (translate as (area: 'common', key: string, fill: object) => string)('common', 'twice', { name: '$& & co' }),
    ).toBe('<b>$& & co</b> $& & co')
  })

  it.each([
    ['en', 0, 'None'],
    ['en', 1, '1 gone of 3'],
    ['en', 2, '2 gone'],
    ['fr', 0, '0 partie'],
    ['fr', 1, '1 partie'],
    ['fr', 2, '2 parties'],
    ['fr', 1_000_000, '1000000 de parties'],
  ] as const)('in %s the number %i has its own words', (language, count, words) => {
    changeLanguage(language)
    expect(say('cases', 'gone', { count, all: 3 })).toBe(words)
  })

  it('says in English what the other language does not have, and the key of what nobody has', () => {
    addWords('en', 'search', { here: 'Here' })
    changeLanguage('fr')
    expect((translate as (area: 'search', key: string) => string)('search', 'here')).toBe('Here')
    expect(say('cases', 'nowhere')).toBe('nowhere')
    expect(say('cases', 'plain')).toBe('Affaires')
    expect([hasMessage('cases', 'plain'), hasMessage('cases', 'nowhere')]).toEqual([true, false])
  })
})
