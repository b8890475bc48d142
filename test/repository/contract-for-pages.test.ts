/** Pages carry of the contract only what the client reads; what that is must not change what it answers. */
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, parseAst } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONTRACT_FILES, forPages } from '../../build/contract-for-pages.ts'
import { schemasApart } from '../../build/schemas-apart.ts'

const shared = fileURLToPath(new URL('../../shared', import.meta.url))
const work = fileURLToPath(new URL('../.work', import.meta.url))
/** What the build reduces, as `feature/name.ts`: what a folder of shared holds, its messages and tests apart. */
const files: readonly string[] = globSync('*/*.ts', { cwd: shared }).filter(
  (file) => CONTRACT_FILES.test(`/shared/${file}`) && !file.endsWith('.test.ts'),
)
const reduced = (code: string): string => forPages(code, parseAst(code) as never)

/** As the window is built. @param inputs by the name of what comes out of them @returns of each its modules and what it asks for first */
async function bundled(folder: string, inputs: Readonly<Record<string, string>>) {
  const made = await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    plugins: [schemasApart()],
    build: {
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: {
        input: inputs,
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].mjs', chunkFileNames: 'chunk-[hash].mjs' },
      },
    },
  })
  const chunks = [made].flat().flatMap((one) => ('output' in one ? one.output : []))
  return new Map(chunks.flatMap((one) => (one.type === 'chunk' ? [[one.name, one] as const] : [])))
}

interface Route {
  readonly id: string
  readonly method: string
  readonly path: string
  /** By status: `true` or a schema where JSON is answered. */
  readonly responses: Readonly<Record<number, object | true | 'bytes' | null>>
}
const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'responses' in value && 'path' in value && 'id' in value
const exportsOf = async (file: string): Promise<Readonly<Record<string, unknown>>> => import(pathToFileURL(file).href)
const routesOf = async (file: string): Promise<readonly (readonly [string, Route])[]> =>
  Object.entries(await exportsOf(file)).filter((entry): entry is [string, Route] => isRoute(entry[1]))

interface Schema {
  readonly safeParse: (value: unknown) => unknown
}
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && 'safeParse' in value && typeof value.safeParse === 'function'
/** Of a schema its kind and the names of its members. */
const said = (schema: Schema): string =>
  JSON.stringify([undefined, null, '', 1, [], {}, [{}], { Items: [{}] }].map((value) => schema.safeParse(value)))

/** What the client reads of a route. */
const read = ({ id, method, path: at, responses }: Route) => ({
  id,
  method,
  path: at,
  responses: Object.fromEntries(
    Object.entries(responses).map(([status, answers]) => [
      status,
      answers === null || answers === 'bytes' ? answers : 'json',
    ]),
  ),
})

describe('the contract as pages need it', () => {
  let folder: string
  beforeAll(async () => {
    mkdirSync(work, { recursive: true })
    folder = mkdtempSync(path.join(work, 'contract-'))
    await bundled(folder, Object.fromEntries(files.map((file) => [file.slice(0, -3), path.join(shared, file)])))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('keeps of every route its id, method, path and which status answers with JSON, and nothing else', async () => {
    let routes = 0
    for (const file of files) {
      const kept = new Map(await routesOf(path.join(folder, file.replace(/ts$/, 'mjs'))))
      for (const [exported, whole] of await routesOf(path.join(shared, file))) {
        routes += 1
        const one = kept.get(exported)
        expect(one === undefined ? exported : read(one)).toEqual(read(whole))
        expect(Object.keys(one ?? {}).filter((member) => !MEMBERS.has(member))).toEqual([])
        expect(Object.values(one?.responses ?? {}).filter((answers) => typeof answers === 'object' && answers)).toEqual(
          [],
        )
      }
    }
    expect(routes).toBeGreaterThan(150)
  })

  it('keeps every schema as it is, since forms judge by it what somebody typed', async () => {
    let schemas = 0
    for (const file of files) {
      const kept = await exportsOf(path.join(folder, file.replace(/ts$/, 'mjs')))
      for (const [exported, schema] of Object.entries(await exportsOf(path.join(shared, file)))) {
        if (!isSchema(schema)) continue
        schemas += 1
        const one = kept[exported]
        expect([file, exported, isSchema(one) ? said(one) : null]).toEqual([file, exported, said(schema)])
      }
    }
    expect(schemas).toBeGreaterThan(150)
  })

  it('V6 a page that asks for routes and lists of values comes without schemas, however it imports them', async () => {
    const pages = {
      named: `import { getCase } from '${shared}/cases/contract.ts'
        import { PERIODS } from '${shared}/evidence/contract.ts'
        export const said = [getCase.path, PERIODS.length]`,
      whole: `import * as contract from '${shared}/cases/contract.ts'
        import * as evidence from '${shared}/evidence/contract.ts'
        export const said = [contract.getCase.path, evidence.PERIODS.length]`,
    }
    for (const [name, code] of Object.entries(pages)) {
      const page = path.join(folder, `renderer/${name}.ts`)
      mkdirSync(path.dirname(page), { recursive: true })
      writeFileSync(page, code)
      const made = (await bundled(folder, { [`page-${name}`]: page })).get(`page-${name}`)
      expect(made?.moduleIds.filter((id) => /\?schemas$|\/zod\//.test(id))).toEqual([])
      expect(made?.imports).toEqual([])
      const { said } = await exportsOf(path.join(folder, `page-${name}.mjs`))
      expect(said).toEqual(['/api/v1/case/:tenantId/:caseId', 5])
    }
  })

  it('a form gets the schema that it names from among routes, and a list of all is whole', async () => {
    const page = path.join(folder, 'renderer/form.ts')
    mkdirSync(path.dirname(page), { recursive: true })
    writeFileSync(
      page,
      `import * as contract from '${shared}/cases/contract.ts'
       import { CASE_FIELDS, inputsOf } from '${shared}/cases/fields.ts'
       const contractOf = { contract: 'another name' }
       export const said = [contract.CreateCaseModel.safeParse({ Title: '' }).success, contract.getCase.path, contractOf.contract]
       export const all = () => Object.keys(contract)
       export const fields = [Object.keys(inputsOf(['Title'])), CASE_FIELDS.Title.column]`,
    )
    await bundled(folder, { form: page })
    const made = await exportsOf(path.join(folder, 'form.mjs'))
    expect(made['said']).toEqual([false, '/api/v1/case/:tenantId/:caseId', 'another name'])
    expect(made['fields']).toEqual([['Title'], 'title'])
    const whole = Object.keys(await exportsOf(path.join(shared, 'cases/contract.ts')))
    expect(new Set((made['all'] as () => string[])())).toEqual(new Set(whole))
  })

  it('what a file keeps for itself is there in both of its parts', async () => {
    const [contract, page] = [path.join(folder, 'shared/made/contract.ts'), path.join(folder, 'renderer/both.ts')]
    for (const file of [contract, page]) mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(
      contract,
      `import { z } from 'zod'
       const LIMIT = 5
       export const Model = z.string().max(LIMIT)
       export const atMost = (limit: number = LIMIT, { Model = 'no schema' } = {}) => [limit, Model]
       export const judged = (text: string, by = Model) => by.safeParse(text).success`,
    )
    writeFileSync(
      page,
      `import * as contract from '${contract}'
       export const said = [contract.atMost(), contract.judged('123456'), contract.Model.safeParse('12345').success]`,
    )
    const made = (await bundled(folder, { both: page })).get('both')
    expect((await exportsOf(path.join(folder, 'both.mjs')))['said']).toEqual([[5, 'no schema'], false, true])
    expect(made?.moduleIds.some((id) => id.endsWith('made/contract.ts?plain'))).toBe(true)
  })

  it('takes words away and members of routes, never members of a schema that are called like them', () => {
    const text = reduced(`import { route } from '../kernel/route.ts'
const Model = z.object({ method: z.string().meta({ description: 'x' }), query: z.int(), body: z.int() }).meta({ id: 'Model' })
export const find = route({ id: 'find', summary: 'Find', method: 'POST', body: Model, responses: { 200: Model, 204: null } })
`)
    expect(text).toContain('(z.object({ method: z.string(), query: z.int(), body: z.int() }))')
    expect(text).toContain(`route({ id: 'find', method: 'POST', responses: { 200: true, 204: null } })`)
    expect(reduced(`const asked = { method: 'GET', body: '' }\n`)).toContain(`body: ''`)
  })

  it('makes each value droppable where nobody uses it, and leaves functions alone', () => {
    const text = reduced(`const one = z.string()\nexport const two = () => one.parse('')\nconst three = 3\n`)
    expect(text).toContain('const one = /* @__PURE__ */ (() => (z.string()))()')
    expect(text).toContain(`export const two = () => one.parse('')`)
    expect(text).toContain('const three = 3')
  })
})

const MEMBERS: ReadonlySet<string> = new Set(['id', 'method', 'path', 'responses'])
