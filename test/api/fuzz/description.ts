/** The OpenAPI document of a running station as somebody reads it who has nothing else: operations, what they take, what they answer. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Given, Json } from '../../support/given.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Json
}

export interface Operation {
  readonly id: string
  readonly method: string
  /** With `{name}` for parameters. */
  readonly path: string
  readonly service: string
  readonly parameters: readonly Parameter[]
  /** Null where it takes none. */
  readonly body: { readonly types: readonly string[]; readonly schema: Json } | null
  readonly answers: ReadonlyMap<number, Documented>
}

export interface Documented {
  /** Media types; null where there is no body. */
  readonly types: readonly string[] | null
  /** Null where any body will do. Called when an answer is judged: to compile all schemas takes half a minute of a busy machine. */
  readonly validator: (() => ValidateFunction) | null
  /** The error codes that may be told under this status; null for a success. */
  readonly codes: readonly string[] | null
}

export interface Description {
  readonly operations: readonly Operation[]
  /** The schema behind a `$ref`, else the schema itself. */
  readonly resolved: (schema: Json) => Json
}

/** Read as it is served. */
export async function described(given: Given): Promise<Description> {
  const document = (await given.call('GET', '/openapi.json', { token: null })).json
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'document', ...document })
  const resolved = (schema: Json): Json => {
    const name = /^#\/components\/schemas\/(.+)$/.exec(schema?.$ref ?? '')?.[1]
    return name === undefined ? schema : resolved(document.components.schemas[name])
  }
  const compiled = new Map<string, ValidateFunction>()
  const validatorOf = (schema: Json): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
    const made = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, made)
    return made
  }
  const documented = (answer: Json): Documented => {
    const content = answer.content as Record<string, Json> | undefined
    const schema = content === undefined ? undefined : Object.values(content)[0]?.schema
    return {
      types: content === undefined ? null : Object.keys(content),
      validator: schema === undefined ? null : () => validatorOf(schema),
      codes: answer['x-error-codes'] ?? null,
    }
  }
  const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, about]): Operation => {
      const content = about.requestBody?.content as Record<string, Json> | undefined
      return {
        id: about.operationId,
        method: method.toUpperCase(),
        path,
        service: about.tags[0],
        parameters: (about.parameters ?? []).map((one: Json) => ({ required: false, schema: {}, ...one })),
        body:
          content === undefined
            ? null
            : { types: Object.keys(content), schema: Object.values(content)[0]?.schema ?? {} },
        answers: new Map(
          Object.entries<Json>(about.responses).map(([status, answer]) => [Number(status), documented(answer)]),
        ),
      }
    }),
  )
  return { operations, resolved }
}
