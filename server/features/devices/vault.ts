/** Credentials and configurations of devices as they lie in the database: sealed, and found again without being opened (decisions 5). */
import { createHmac, hkdfSync } from 'node:crypto'

/** As server/platform/secrets/seal.ts makes one; app.ts supplies it. */
export interface Sealer {
  seal(secret: Uint8Array, about: string): string
  /** Null when it was sealed by another key, is about something else, or was changed. */
  open(sealed: string, about: string): Uint8Array | null
}

export type FreeForm = Record<string, unknown>

/** What of a device is sealed: under another name it does not open. */
export type About = 'credential' | 'desired' | 'effective' | 'offered' | 'type'

export interface Vault {
  sealText(text: string, about: About, id: string): string
  openText(sealed: string | null, about: About, id: string): string | null
  seal(value: FreeForm, about: About, id: string): string
  /** Null where there is none, or the key that sealed it is lost: a station restored without its keys begins anew. */
  open(sealed: string | null, about: About, id: string): FreeForm | null
  /** Equal for equal credentials of one device; without the key it tells nothing of them, however short they are. */
  fingerprint(deviceId: string, credential: string): string
}

export function createVault({ sealer, key }: { sealer: Sealer; key: Uint8Array }): Vault {
  const own = Buffer.from(hkdfSync('sha256', key, '', 'sallyport device credentials', 32))
  const name = (about: About, id: string): string => `device ${about} ${id}`
  const sealText: Vault['sealText'] = (text, about, id) => sealer.seal(Buffer.from(text), name(about, id))
  const openText: Vault['openText'] = (sealed, about, id) => {
    const bytes = sealed === null ? null : sealer.open(sealed, name(about, id))
    return bytes === null ? null : Buffer.from(bytes).toString('utf8')
  }
  return {
    sealText,
    openText,
    seal: (value, about, id) => sealText(JSON.stringify(value), about, id),
    open: (sealed, about, id) => {
      const text = openText(sealed, about, id)
      return text === null ? null : (JSON.parse(text) as FreeForm)
    },
    fingerprint: (deviceId, credential) =>
      createHmac('sha256', own).update(deviceId).update('\u001f').update(credential).digest('hex'),
  }
}
