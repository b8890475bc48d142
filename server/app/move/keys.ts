/** The step of a move that is about keys: in files on SQLite, wrapped in the database on PostgreSQL (decisions 28). */
import { join } from 'node:path'
import { openWrappedKeys } from '../../kernel/database/postgres/wrapped-keys.ts'
import { KEY_NAMES, type KeyStore, openFolderKeyStore, REQUIRED_KEYS } from '../../platform/secrets/key-store.ts'
import { openWrappingKeys } from '../../platform/secrets/wrapping.ts'
import type { OpenedKernel } from '../kernel.ts'
import type { Place } from './places.ts'

type Settings = OpenedKernel['settings']

/**
 * Before anything is copied: whether the keys can be read, and wrapped where they go.
 * @throws KeysUnusable without a wrapping key for PostgreSQL; Error when a key is missing
 */
export async function requireKeys(settings: Settings, from: Place, to: Place): Promise<void> {
  const source = await keysAt(settings, from)
  try {
    const missing = REQUIRED_KEYS.filter((name) => source.text(name) === null)
    if (missing.length > 0) throw new Error(`${source.place} lacks ${missing.map(source.label).join(', ')}.`)
    if (to.databaseUrl !== null) await wrappingOf(settings)
  } finally {
    await source.close()
  }
}

/** Writes the same keys at the new place, over those of an unfinished move. Never over those of a home that is in use. @returns a sentence for the report */
export async function carryKeys(settings: Settings, from: Place, to: Place): Promise<string> {
  const source = await keysAt(settings, from)
  try {
    if (from.databaseUrl === to.databaseUrl) return `The keys stay in ${source.place}.`
    const target = await keysAt(settings, to)
    try {
      for (const name of KEY_NAMES) await target.change(name, async () => source.text(name))
      return `The keys are in ${target.place} too. ca.json of the LAN stays in the data folder.`
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

const keysAt = async (settings: Settings, { databaseUrl }: Place): Promise<KeyStore> =>
  databaseUrl === null
    ? openFolderKeyStore(join(settings.data, 'keys'))
    : openWrappedKeys(databaseUrl, await wrappingOf(settings))

const wrappingOf = ({ wrappingKeyFile: file, wrappingKey: text }: Settings) => openWrappingKeys({ file, text })
