/**
 * A file of the contract as two modules: its schemas, and what does without them. Forms judge by schemas what somebody typed; all other pages
 * ask for routes and lists of values alone, and shall not load the library of schemas for that (decision 42). A file stays one in the sources,
 * since the station needs all of it.
 *
 * `x.ts` becomes `x.ts?plain` and `x.ts?schemas`. The second imports from the first, never the other way: what needs a schema, however
 * indirectly, is in the second. Whoever imports from the file gets what they name from the part that has it; the whole file is a list of both.
 */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, resolve } from 'node:path'
import { normalizePath, parseAst, type Plugin } from 'vite'
import { CONTRACT_FILES, forPages } from './contract-for-pages.ts'
import { childOf, childrenOf, listOf, nameOf, type Node } from './syntax.ts'

const PART = /\?(plain|schemas)$/
const LIBRARY = 'zod'
/** At the end of a name that the file does not export and its other part needs: two files may use one name for themselves. */
const OWN = '$own'
const IMPORTERS = /\/(?:renderer|shared)\/.*\.tsx?(?:\?(?:plain|schemas))?$/

const fileOf = (importer: string, from: string): string => normalizePath(resolve(dirname(importer), from))

interface Import {
  readonly from: string
  readonly imported: string
  readonly local: string
}
interface Declaration {
  readonly node: Node
  readonly names: readonly string[]
  readonly exported: boolean
  readonly uses: ReadonlySet<string>
}
/** A file whose statements are imports, declarations, and `export *` of other files. */
interface ContractFile {
  readonly code: string
  readonly imports: readonly Import[]
  /** Files all of whose exports are exports of this one. */
  readonly handedOn: readonly string[]
  readonly declarations: readonly Declaration[]
  /** Names at its top that need a schema. */
  readonly schemas: ReadonlySet<string>
}

export function schemasApart(): Plugin {
  const files = new Map<string, ContractFile>()
  return {
    name: 'schemas-apart',
    apply: 'build',
    resolveId: { order: 'pre', handler: (source) => (PART.test(source) ? source : null) },
    load(id) {
      const part = PART.exec(id)?.[1]
      if (part !== undefined) return partOf(id.replace(PART, ''), part === 'schemas', files)
      return CONTRACT_FILES.test(id) ? wholeOf(read(id, files), id) : null
    },
    transform(code, id) {
      if (!IMPORTERS.test(id)) return null
      return { code: fromParts(code, this.parse(code) as unknown as Node, id.replace(PART, ''), files), map: null }
    },
  }
}

/** @param files those that were read already. No file imports itself over others: a test of the repository asks for it. */
export function read(path: string, files: Map<string, ContractFile>): ContractFile {
  const known = files.get(path)
  if (known !== undefined) return known
  const plain = stripTypeScriptTypes(readFileSync(path, 'utf8'), { mode: 'transform' })
  const code = forPages(plain, parseAst(plain) as unknown as Node)
  const statements = listOf(parseAst(code) as unknown as Node, 'body')
  const imports = statements.flatMap(importsOf)
  const handedOn = statements.flatMap(handedOnBy)
  const declarations = statements.filter(({ type }) => !NO_DECLARATIONS.has(type)).map(declarationOf)
  const schemas = schemaNames(path, imports, declarations, files)
  for (const from of handedOn) for (const name of read(fileOf(path, from), files).schemas) schemas.add(name)
  const made = { code, imports, handedOn, declarations, schemas }
  files.set(path, made)
  return made
}

const NO_DECLARATIONS: ReadonlySet<string> = new Set(['ImportDeclaration', 'ExportAllDeclaration'])

function handedOnBy(statement: Node): readonly string[] {
  const source = childOf(statement, 'source')
  return statement.type === 'ExportAllDeclaration' && source !== null ? [textOf(source)] : []
}

function importsOf(statement: Node): readonly Import[] {
  const source = childOf(statement, 'source')
  if (statement.type !== 'ImportDeclaration' || source === null) return []
  return listOf(statement, 'specifiers').map((specifier) => ({
    from: textOf(source),
    imported: specifier.type === 'ImportSpecifier' ? nameOf(childOf(specifier, 'imported')) : '*',
    local: nameOf(childOf(specifier, 'local')),
  }))
}
const textOf = (literal: Node): string => ('value' in literal ? String(literal.value) : '')

function declarationOf(node: Node): Declaration {
  const exported = node.type === 'ExportNamedDeclaration'
  const declared = exported ? childOf(node, 'declaration') : node
  if (declared === null || !['VariableDeclaration', 'FunctionDeclaration', 'ClassDeclaration'].includes(declared.type))
    throw new Error(`A file of the contract holds a ${node.type}, of which schemas cannot be told apart`)
  const targets = declared.type === 'VariableDeclaration' ? listOf(declared, 'declarations') : [declared]
  const uses = new Set<string>()
  namesUsed(declared, uses)
  return { node, names: targets.flatMap((one) => namesBound(childOf(one, 'id'))), exported, uses }
}

/** Of a name itself, of a pattern all names in it. What stands in place of a missing value binds nothing. */
function namesBound(pattern: Node | null): readonly string[] {
  if (pattern === null) return []
  if (pattern.type === 'Identifier') return [nameOf(pattern)]
  if (pattern.type === 'AssignmentPattern') return namesBound(childOf(pattern, 'left'))
  const inner = pattern.type === 'Property' ? [childOf(pattern, 'value')] : childrenOf(pattern)
  return inner.flatMap((one) => namesBound(one))
}

/** Names that are no members and no parameters. One that is declared inside counts too, so a declaration may seem to use more than it does. */
function namesUsed(node: Node, found: Set<string>): void {
  const parameters = listOf(node, 'params')
  if (parameters.length > 0) {
    const inside = new Set<string>()
    for (const child of childrenOf(node)) namesUsed(child, inside)
    const bound = new Set(parameters.flatMap((one) => namesBound(one)))
    for (const name of inside) if (!bound.has(name)) found.add(name)
    return
  }
  if (node.type === 'Identifier') found.add(nameOf(node))
  for (const child of partsWithNames(node)) namesUsed(child, found)
}

/** The parts of a node in which names stand for values: neither the name of a member that is read nor that of a property. */
function partsWithNames(node: Node): readonly Node[] {
  if ('computed' in node && node.computed === true) return childrenOf(node)
  const member = node.type === 'MemberExpression' ? childOf(node, 'property') : null
  const key = node.type === 'Property' ? childOf(node, 'key') : null
  return childrenOf(node).filter((child) => child !== member && child !== key)
}

function schemaNames(
  path: string,
  imports: readonly Import[],
  declarations: readonly Declaration[],
  files: Map<string, ContractFile>,
): Set<string> {
  const found = new Set(imports.filter((one) => isSchema(one, path, files)).map(({ local }) => local))
  for (let before = -1; before < found.size; ) {
    before = found.size
    for (const { names, uses } of declarations)
      if ([...uses].some((name) => found.has(name))) for (const name of names) found.add(name)
  }
  return found
}

function isSchema({ from, imported }: Import, path: string, files: Map<string, ContractFile>): boolean {
  if (from === LIBRARY) return true
  const file = fileOf(path, from)
  return CONTRACT_FILES.test(file) && read(file, files).schemas.has(imported)
}

const isOfSchemas = ({ names }: Declaration, { schemas }: ContractFile): boolean =>
  names.some((name) => schemas.has(name))

const isInParts = ({ schemas }: ContractFile): boolean => schemas.size > 0

/** One without schemas stays one module. */
function wholeOf(file: ContractFile, path: string): string {
  if (!isInParts(file)) return file.code
  const lines = file.handedOn.map((from) => `export * from ${JSON.stringify(fileOf(path, from))}`)
  for (const part of ['plain', 'schemas']) {
    const names = file.declarations
      .filter((one) => one.exported && isOfSchemas(one, file) === (part === 'schemas'))
      .flatMap((one) => one.names)
    lines.push(`export { ${names.join(', ')} } from ${JSON.stringify(`${path}?${part}`)}`)
  }
  return lines.join('\n')
}

type Edit = readonly [start: number, end: number, text: string]

/** A file that imports from the parts of files in parts. @param program the tree of `code`, which is JavaScript */
export function fromParts(code: string, program: Node, path: string, files: Map<string, ContractFile>): string {
  const edits: Edit[] = []
  for (const statement of listOf(program, 'body')) {
    const source = statement.type === 'ImportDeclaration' ? childOf(statement, 'source') : null
    const target = source === null ? '' : fileOf(path, textOf(source))
    if (!CONTRACT_FILES.test(target) || !isInParts(read(target, files))) continue
    const { schemas } = read(target, files)
    const partWith = (name: string): string => JSON.stringify(`${target}?${schemas.has(name) ? 'schemas' : 'plain'}`)
    const imports = importsOf(statement).flatMap(({ imported, local }) => {
      if (imported !== '*') return [`import { ${imported} as ${local} } from ${partWith(imported)}`]
      const reads = readsOf(program, local)
      if (reads === null) return [`import * as ${local} from ${JSON.stringify(target)}`]
      const ofSchemas = reads.filter(({ member }) => schemas.has(member))
      edits.push(...ofSchemas.map(({ object }): Edit => [object.start, object.end, `${local}$schemas`]))
      return [
        `import * as ${local} from ${JSON.stringify(`${target}?plain`)}`,
        ...(ofSchemas.length === 0 ? [] : [`import * as ${local}$schemas from ${JSON.stringify(`${target}?schemas`)}`]),
      ]
    })
    edits.push([statement.start, statement.end, imports.join('\n')])
  }
  return edits
    .toSorted(([one], [other]) => other - one)
    .reduce((text, [start, end, put]) => text.slice(0, start) + put + text.slice(end), code)
}

interface Read {
  readonly object: Node
  readonly member: string
}
/** Where members of a namespace are read; null where it is used as a whole. */
function readsOf(node: Node, local: string): readonly Read[] | null {
  if (node.type === 'ImportDeclaration') return []
  if (node.type === 'Identifier') return nameOf(node) === local ? null : []
  const computed = 'computed' in node && node.computed === true
  const object = node.type === 'MemberExpression' && !computed ? childOf(node, 'object') : null
  if (object?.type === 'Identifier' && nameOf(object) === local)
    return [{ object, member: nameOf(childOf(node, 'property')) }]
  const found = partsWithNames(node).map((child) => readsOf(child, local))
  return found.includes(null) ? null : found.flatMap((reads) => reads ?? [])
}

/** The declarations of one part, with the imports that they need. */
function partOf(path: string, schemas: boolean, files: Map<string, ContractFile>): string {
  const file = read(path, files)
  const here = file.declarations.filter((one) => isOfSchemas(one, file) === schemas)
  const uses = new Set(here.flatMap((one) => [...one.uses]))
  const imports = file.imports
    .filter(({ local }) => uses.has(local))
    .map(({ from, imported, local }) => {
      const source = JSON.stringify(from.startsWith('.') ? fileOf(path, from) : from)
      return imported === '*'
        ? `import * as ${local} from ${source}`
        : `import { ${imported} as ${local} } from ${source}`
    })
  const plain = file.declarations
    .filter((one) => schemas && !isOfSchemas(one, file))
    .flatMap(({ names, exported }) => names.map((name) => [name, exported ? name : `${name}${OWN}`] as const))
    .filter(([name]) => uses.has(name))
    .map(([name, exported]) => `${exported} as ${name}`)
  const handedOn = file.handedOn.flatMap((from) => {
    const target = fileOf(path, from)
    if (isInParts(read(target, files)))
      return [`export * from ${JSON.stringify(`${target}?${schemas ? 'schemas' : 'plain'}`)}`]
    return schemas ? [] : [`export * from ${JSON.stringify(target)}`]
  })
  return [
    ...imports,
    ...handedOn,
    ...(plain.length === 0 ? [] : [`import { ${plain.join(', ')} } from ${JSON.stringify(`${path}?plain`)}`]),
    ...here.map(({ node, exported, names }) => {
      const text = file.code.slice(node.start, node.end)
      return exported ? text : `${text}\nexport { ${names.map((name) => `${name} as ${name}${OWN}`).join(', ')} }`
    }),
  ].join('\n')
}
