import { describe, expect, it } from 'vitest'
import { noticeOf, noticesText, packageOf, programPackages } from '../../build/scripts/notices.ts'

describe('third-party notices', () => {
  const notices = programPackages().map(noticeOf)

  it('name the licence of every package that the program needs when it runs, with its text', () => {
    expect(notices.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['koa', 'better-sqlite3', 'mediabunny', 'png-js', 'zod']),
    )
    for (const { name, license, text } of notices)
      expect([name, license.length > 0, text.length > 60]).toEqual([name, true, true])
    expect(notices.filter(({ license }) => /\bA?GPL/.test(license) && !license.includes(' OR '))).toEqual([])
  })

  it('say where the source of packages under a copyleft licence is', () => {
    const mediabunny = notices.find(({ name }) => name === 'mediabunny')
    expect(mediabunny?.license).toBe('MPL-2.0')
    expect(mediabunny?.source).toMatch(/^https:\/\//)
    expect(noticesText('Title', mediabunny === undefined ? [] : [mediabunny])).toContain(
      `Source: ${mediabunny?.source}`,
    )
  })

  it('take the package of a bundled file from its path', () => {
    expect(packageOf('/x/node_modules/react/index.js')).toBe('node_modules/react')
    expect(packageOf('/x/node_modules/@tanstack/store/dist/a.js')).toBe('node_modules/@tanstack/store')
    expect(packageOf('/x/node_modules/a/node_modules/@b/c/d.css')).toBe('node_modules/a/node_modules/@b/c')
    expect(packageOf('/x/renderer/app/main.tsx')).toBeNull()
  })
})
