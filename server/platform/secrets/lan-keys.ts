import { createPrivateKey } from 'node:crypto'
import { type Credential, type Reach, readCertificate } from '../certificates/authority.ts'
import type { KeyFiles } from './key-files.ts'

/**
 * The CA and the certificate of the LAN, with their keys (decisions 10 and 12). They are created when the LAN is turned on, since most stations
 * never need them. After the loss of the CA the station still works; every host must pair again.
 */
export interface LanKeys {
  current(): LanCredentials | null
  /** Stores the keys durably. */
  save(made: LanCredentials): Promise<void>
}

export interface LanCredentials {
  readonly authority: Credential & Reach
  readonly certificate: Credential
}

export const LAN = 'ca.json'

export interface LanKeysFile extends LanCredentials {
  readonly format: 1
}

function checkLan(file: LanKeysFile): LanKeysFile {
  for (const { key, certificate } of [file.authority, file.certificate]) {
    readCertificate(certificate)
    if (createPrivateKey(key).asymmetricKeyType !== 'ec') throw new Error('it holds no such key')
  }
  if (![...file.authority.names, ...file.authority.networks].every((text) => typeof text === 'string'))
    throw new Error('it does not say for what the CA may speak')
  return file
}

/** @throws Error, which does not quote the file, for one that is damaged */
export async function openLanKeys(files: KeyFiles): Promise<LanKeys> {
  const text = await files.read(LAN)
  let current: LanCredentials | null = null
  try {
    if (text !== null) current = checkLan(JSON.parse(text) as LanKeysFile)
  } catch {
    throw new Error(`${files.dir}: ${LAN} is damaged. Put it back from a copy.`)
  }
  return {
    current: () => current,
    save: async ({ authority, certificate }) => {
      const put = current === null ? files.create : files.write
      await put(LAN, JSON.stringify({ format: 1, authority, certificate } satisfies LanKeysFile))
      current = { authority, certificate }
    },
  }
}
