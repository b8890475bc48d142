import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPathTree } from '../../../server/http/routing.ts'
import { compareShapes } from './shapes.ts'

function treeOf(paths: readonly string[]) {
  const tree = createPathTree<string>()
  for (const path of paths) tree.at(path, () => path)
  return (path: string): string | null => tree.find(path)?.value ?? null
}

describe('a tree of paths', () => {
  it('finds the literal before the parameter, from left to right', () => {
    const find = treeOf(['/a/:/:', '/a/b/:', '/a/:/c', '/a', '/a/b/c', '/a/:'])
    const paths = ['/a', '/a/x', '/a/b/c', '/a/b/x', '/a/x/c', '/a/x/x', '/a/b']
    expect(paths.map(find)).toEqual(['/a', '/a/:', '/a/b/c', '/a/b/:', '/a/:/c', '/a/:/:', '/a/:'])
  })

  it('goes back to the parameter where the literal leads nowhere', () => {
    const find = treeOf(['/a/b/c', '/a/:/d', '/:/b/e'])
    expect(['/a/b/c', '/a/b/d', '/a/b/e', '/a/b/f'].map(find)).toEqual(['/a/b/c', '/a/:/d', '/:/b/e', null])
  })

  it('takes one slash at the end, and no empty segment', () => {
    const find = treeOf(['/a/:', '/a/b'])
    expect(['/a/b/', '/a/x/', '/a/x//', '/a//', '/a/', '//a/x', '/', '', 'a/b'].map(find)).toEqual([
      '/a/b',
      '/a/:',
      ...Array.from({ length: 7 }, () => null),
    ])
  })

  it('gives the segments as they came, and one value to paths that differ by names alone', () => {
    const tree = createPathTree<string>()
    expect(tree.at('/a/:one', () => 'first')).toBe('first')
    expect(tree.at('/a/:two', () => 'second')).toBe('first')
    expect(tree.values()).toEqual(['first'])
    expect(tree.find('/a/%2F')).toEqual({ value: 'first', segments: ['', 'a', '%2F'] })
    for (const name of ['__proto__', 'constructor', ':one']) expect(tree.find(`/${name}/x`)).toBeNull()
  })

  it('finds of any paths what the first that fits in their order is', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', ':'), { minLength: 1, maxLength: 4 })
      .map((parts) => `/${parts.join('/')}`)
    const asked = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
      .map((parts) => `/${parts.join('/')}`)
    const fits = (shape: string, text: string): boolean => {
      const [left, right] = [shape.split('/'), text.split('/')]
      return left.length === right.length && left.every((part, index) => part === ':' || part === right[index])
    }
    fc.assert(
      fc.property(fc.uniqueArray(path), asked, (paths, text) => {
        const first = paths.toSorted(compareShapes).find((shape) => fits(shape, text))
        expect(treeOf(paths)(text)).toBe(first ?? null)
      }),
    )
  })
})
