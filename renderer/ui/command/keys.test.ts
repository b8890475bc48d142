import { describe, expect, it } from 'vitest'
import { isSingle, keyText, step } from './keys.ts'
import { fitting } from './matching.ts'

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

describe('keys', () => {
  it.each([
    [{ key: 'k', ctrlKey: true }, 'Control+k'],
    [{ key: 'k', metaKey: true }, 'Control+k'],
    [{ key: 'L', ctrlKey: true, shiftKey: true }, 'Control+Shift+l'],
    [{ key: '?', shiftKey: true }, '?'],
    [{ key: 'D', shiftKey: true }, 'Shift+d'],
    [{ key: 'F6', shiftKey: true }, 'Shift+F6'],
    [{ key: ' ' }, 'Space'],
    [{ key: 'ArrowLeft', altKey: true }, 'Alt+ArrowLeft'],
  ])('%o is %s', (pressed, text) => expect(keyText({ ...plain, ...pressed })).toBe(text))

  it.each([
    ['f', true],
    ['?', true],
    ['Shift+d', true],
    ['g e', true],
    ['Control+k', false],
    ['F6', false],
    ['Escape', false],
  ])('%s makes text: %s', (shortcut, single) => expect(isSingle(shortcut)).toBe(single))

  it('a sequence waits for its second key; a stranger in between begins anew', () => {
    const known = ['g e', 'g c', 'e', 'f']
    expect(step(known, '', 'g')).toEqual({ wait: 'g' })
    expect(step(known, 'g', 'e')).toEqual({ run: 'g e' })
    expect(step(known, 'g', 'f')).toEqual({ run: 'f' })
    expect(step(known, 'g', 'g')).toEqual({ wait: 'g' })
    expect(step(known, 'g', 'x')).toEqual({ nothing: true })
    expect(step(known, '', 'e')).toEqual({ run: 'e' })
  })
})

describe('commands', () => {
  const all = [
    { label: 'Lock the screen' },
    { label: 'Évidences à revoir', words: 'review' },
    { label: 'Add evidence' },
  ]
  it.each([
    ['', 3],
    ['lock', 1],
    ['scr lo', 1],
    ['evid', 2],
    ['rev', 1],
    ['ock', 0],
  ])('“%s” fits %d', (text, count) => expect(fitting(all, text)).toHaveLength(count))
})
