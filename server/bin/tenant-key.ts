import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { settingsFromEnvironment } from '../config/environment.ts'
import { inStation } from './in-station.ts'

/** `key rotate-tenant` (decisions 6 and 12). @returns the exit code */
export async function rotateTenantKey(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { data: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  const { keyId, replaced } = (await inStation({
    settings: settingsFromEnvironment(values.data === undefined ? {} : { data: resolve(values.data) }),
    command: 'key.rotate-tenant',
    args: {},
    mustExist: true,
  })) as { keyId: string; replaced: string | null }
  const before = replaced === null ? '' : ` It takes the place of ${replaced}.`
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ keyId, replaced })}\n`
      : `Uploads are encrypted for key ${keyId} from now on.${before}\n`,
  )
  return 0
}
