/** The path in the header: which pages an address stands under. */
import { describe, expect, it } from 'vitest'
import { allPages, trailOf } from './pages.ts'

const trail = (address: string) => trailOf(address).map(({ page, to, id }) => [page.path, to, id])

describe('pages', () => {
  it('the trail leads from the area down, each step with its own address and id', () => {
    expect(trail('/cases/12/edit')).toEqual([
      ['/cases', '/cases', ''],
      ['/cases/$caseId', '/cases/12', '12'],
      ['/cases/$caseId/edit', '/cases/12/edit', '12'],
    ])
  })

  it('an address in words is not taken for an id', () => {
    expect(trail('/cases/new').at(-1)?.[0]).toBe('/cases/new')
    expect(trail('/devices/types').at(-1)?.[0]).toBe('/devices/types')
    expect(trail('/dock/sessions').at(-1)?.[0]).toBe('/dock/sessions')
  })

  it('an address that leads nowhere is shown as what it begins with, else as the first area', () => {
    expect(trail('/administration/nothing')).toEqual([['/administration', '/administration', '']])
    expect(trail('/nothing')).toEqual([['/today', '/today', '']])
    expect(trail('/')).toEqual([['/today', '/today', '']])
  })

  it('every page that stands under another names one of the list, and no address or key is taken twice', () => {
    const paths = allPages.map(({ path }) => path)
    expect(
      allPages.flatMap(({ under }) => (under === undefined ? [] : [under])).filter((one) => !paths.includes(one)),
    ).toEqual([])
    const keys = allPages.flatMap(({ key }) => (key === undefined ? [] : [key.letter]))
    expect(new Set(paths).size).toBe(paths.length)
    expect(new Set(keys).size).toBe(keys.length)
  })
})
