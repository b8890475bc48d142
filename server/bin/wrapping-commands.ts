/** The key that wraps the keys of a headquarters in its database (docs/decisions/0028): made, replaced, and first used. */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { claimPrivateFile } from '../platform/files/private-file.ts'
import { KEY_NAMES, openFolderKeyStore, REQUIRED_KEYS } from '../platform/secrets/key-store.ts'
import { newWrappingKey, openWrappingKeys, wrappingKeyOf } from '../platform/secrets/wrapping.ts'
import { DATA, JSON_FLAG, out, settings } from './arguments.ts'
import type { Command } from './command.ts'
import { UsageError } from './error-messages.ts'

export const WRAPPING_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'key make-wrapping',
    {
      usage: 'key make-wrapping --out FILE',
      does: 'makes a key that wraps the keys of a headquarters in its PostgreSQL database',
      run: makeWrapping,
    },
  ],
  [
    'key rewrap',
    {
      usage: 'key rewrap',
      does: 'wraps the keys in the database anew, by the last key of the wrapping key file',
      run: rewrap,
    },
  ],
  [
    'key import',
    {
      usage: 'key import [--data DIR]',
      does: 'puts the keys in the folder keys/ into a database that has none yet',
      run: importFolder,
    },
  ],
]

async function makeWrapping(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...JSON_FLAG, out: { type: 'string' } } })
  if (values.out === undefined) throw new UsageError('key make-wrapping needs --out.')
  const target = resolve(values.out)
  const file = await claimPrivateFile(target).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? new Error(`${target} is there already. Name another file: a wrapping key is never replaced.`)
      : new Error(`${target} cannot be written, so nothing was made: ${error.message}.`)
  })
  const key = newWrappingKey()
  await file.write(`${key}\n`)
  const { id } = wrappingKeyOf(key, target)
  out(
    values.json
      ? JSON.stringify({ id, file: target })
      : `The wrapping key ${id} is in ${target} and nowhere else. Give it to every node, and keep a copy apart from backups of the database.`,
  )
  return 0
}

/** The database and its wrapping keys, as the settings name them. @throws UsageError, KeysUnusable */
async function headquarters(values: { readonly data?: string | undefined }) {
  const { databaseUrl: url, wrappingKeyFile: file, wrappingKey: text, data } = settings(values)
  if (url === undefined)
    throw new UsageError(
      'A station keeps its keys in files. This is for a database: name it in SALLYPORT_DATABASE_URL.',
    )
  return { url, data, wrapping: await openWrappingKeys({ file, text }) }
}

async function rewrap(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG } })
  const { url, wrapping } = await headquarters(values)
  const { rewrapKeys } = await import('../kernel/database/postgres/wrapped-keys.ts')
  const { keys, before, now } = await rewrapKeys(url, wrapping)
  const done = `${keys.length} keys (${keys.join(', ')}) are wrapped by ${now} from now on`
  out(values.json ? JSON.stringify({ keys, before, now }) : `${done}, before by ${before.join(', ') || 'none'}.`)
  return 0
}

async function importFolder(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG } })
  const { url, data, wrapping } = await headquarters(values)
  const folder = join(data, 'keys')
  const store = await openFolderKeyStore(folder)
  const missing = REQUIRED_KEYS.filter((name) => store.text(name) === null)
  if (missing.length > 0) throw new Error(`${folder} lacks ${missing.map(store.label).join(', ')}.`)
  const texts = new Map(
    KEY_NAMES.flatMap((name) => {
      const text = store.text(name)
      return text === null ? [] : [[name, text] as const]
    }),
  )
  const { migratePostgres } = await import('../kernel/database/postgres/migrate.ts')
  const { importKeys } = await import('../kernel/database/postgres/wrapped-keys.ts')
  await migratePostgres(url, { readOnly: false })
  await importKeys(url, wrapping, texts)
  const names = [...texts.keys()]
  out(
    values.json
      ? JSON.stringify({ keys: names, folder })
      : `The database has the keys ${names.join(', ')}, wrapped by ${wrapping.newest().id}. Remove their files from ${folder}, but keep ca.json.`,
  )
  return 0
}
