/** Pages carry of the contract only what the client reads; what that is must not change what it answers. */
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { forPages } from '../../build/contract-for-pages.ts'

const folder = fileURLToPath(new URL('../../shared/contract', import.meta.url))
const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
const javaScript = (name: string): string =>
  stripTypeScriptTypes(readFileSync(`${folder}/${name}`, 'utf8'), { mode: 'transform' })
const reduced = (code: string): string => forPages(code, parseAst(code) as never)

describe('the contract as pages need it', () => {
  it('keeps of every route its id, method, path and answers, and nothing that is published about it', async () => {
    let routes = 0
    for (const name of files) {
      const whole = (await import(pathToFileURL(`${folder}/${name}`).href)) as Readonly<Record<string, unknown>>
      const text = reduced(javaScript(name))
      for (const [exported, value] of Object.entries(whole)) {
        if (!isRoute(value) || !text.includes(`const ${exported} =`)) continue
        routes += 1
        const declared = new RegExp(`const ${exported} = [^]*?\\n\\}\\)\\)\\)\\(\\);`).exec(text)?.[0] ?? ''
        expect(declared, `${name} ${exported}`).toContain(value.id)
        expect(declared, `${name} ${exported}`).toContain('responses')
        expect(declared, `${name} ${exported}`).not.toMatch(/\b(summary|permission|audit|body|query|params):/)
      }
    }
    expect(routes).toBeGreaterThan(150)
  })

  it('takes words away and members of routes, never members of a schema that are called like them', () => {
    const code = `import { route } from './route.ts'
const Model = z.object({ query: z.string().meta({ description: 'x' }), body: z.int() }).meta({ id: 'Model' })
export const find = route({ id: 'find', summary: 'Find', method: 'POST', path: '/find', body: Model, responses: { 200: Model }, errors: [] })
`
    const text = reduced(code)
    expect(text).toContain('z.object({ query: z.string(), body: z.int() })')
    expect(text).not.toContain('meta(')
    expect(text).toMatch(/route\(\{ id: 'find', method: 'POST', path: '\/find', responses: \{ 200: Model \}, ?\}\)/)
  })

  it('makes each value droppable where nobody uses it, and leaves functions alone', () => {
    const text = reduced(`const one = z.string()\nexport const two = () => one.parse('')\nconst three = 3\n`)
    expect(text).toContain('const one = /* @__PURE__ */ (() => (z.string()))()')
    expect(text).toContain(`export const two = () => one.parse('')`)
    expect(text).toContain('const three = 3')
    expect(reduced(`const asked = { method: 'GET', body: '' }\n`)).toContain("body: ''")
  })
})

const isRoute = (value: unknown): value is { readonly id: string; readonly responses: Record<number, z.ZodType> } =>
  typeof value === 'object' && value !== null && 'responses' in value && 'path' in value && 'id' in value
