/** The folder `validations` of the station: each result as `<time>.json`, with its signature beside it as `<time>.sig`. */
import { createHash, verify } from 'node:crypto'
import { join } from 'node:path'
import { makeFolderIn, namesIn, readText, removeTree, syncFolder, writeNew } from '../../platform/files/trees.ts'
import { readBytes } from '../../platform/files/read-text.ts'
import type { PackageSigner } from '../../platform/secrets/package-key.ts'
import { ResultSchema, type ValidationResult } from './result.ts'

export interface KeptResult {
  readonly name: string
  readonly result: ValidationResult
  /** The signed bytes. */
  readonly text: string
  readonly signature: Uint8Array
  readonly sha256: string
  /** Whether the signature holds for the text, by the key that the station has now. */
  readonly holds: boolean
}

export interface KeptResults {
  /** Writes the text. It counts as a result only when it is signed too. */
  write(name: string, text: string): Promise<void>
  sign(name: string, signature: Uint8Array): Promise<void>
  /** The newest first. What cannot be read is left out. */
  newest(count: number, key: PackageSigner | null): Promise<KeptResult[]>
  /** Removes what was never signed, and all but the newest. */
  prune(): Promise<void>
}

export const MOST_KEPT = 60
const KEY = 'station-pub.pem'
const NAME = /^(\d{8}T\d{6}\.\d{3}Z)\.(json|sig)$/

/** Such as `20261127T101112.345Z`. */
export const resultName = (startedUtc: string): string => startedUtc.replaceAll(/[-:]/g, '')

export function keptResults(folder: string, publicKey: () => string | null): KeptResults {
  const at = (name: string): string => join(folder, name)
  const namesWith = async (end: string): Promise<string[]> =>
    ((await namesIn(folder)) ?? []).flatMap((file) => {
      const [, name = '', ending] = NAME.exec(file) ?? []
      return ending === end ? [name] : []
    })
  return {
    write: async (name, text) => {
      await makeFolderIn(folder)
      await writeNew(at(`${name}.json`), text)
      await syncFolder(folder)
    },
    sign: async (name, signature) => {
      const key = publicKey()
      if (key !== null && (await readText(at(KEY)).catch(() => null)) !== key) {
        await removeTree(at(KEY))
        await writeNew(at(KEY), key)
      }
      await writeNew(at(`${name}.sig`), signature)
      await syncFolder(folder)
    },
    newest: async (count, key) => {
      const found: KeptResult[] = []
      for (const name of (await namesWith('sig')).reverse()) {
        if (found.length === count) break
        const one = await readKept(name, at, key)
        if (one !== null) found.push(one)
      }
      return found
    },
    prune: async () => {
      const signed = await namesWith('sig')
      const kept = new Set(signed.slice(-MOST_KEPT))
      for (const name of new Set([...signed, ...(await namesWith('json'))]))
        if (!kept.has(name)) for (const end of ['sig', 'json']) await removeTree(at(`${name}.${end}`))
    },
  }
}

async function readKept(
  name: string,
  at: (name: string) => string,
  key: PackageSigner | null,
): Promise<KeptResult | null> {
  try {
    const [text, signature] = [await readText(at(`${name}.json`)), await readBytes(at(`${name}.sig`))]
    const result = ResultSchema.parse(JSON.parse(text))
    const sha256 = createHash('sha256').update(text).digest('hex')
    const holds = key !== null && verify('sha256', Buffer.from(text), key.publicKey, signature)
    return { name, result, text, signature, sha256, holds }
  } catch {
    return null
  }
}
