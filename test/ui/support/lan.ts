/** A station whose LAN is heard on loopback, and a browser of another host that knows the station by name and trusts its certificate alone. */
import { createHash, X509Certificate } from 'node:crypto'
import { type Browser, chromium } from 'playwright-core'
import type { Json } from '../../support/given.ts'
import { type CasesStation, casesStation } from './cases.ts'
import { chromiumPath } from './window.ts'

export const LAN = '/api/v1/tenant/station/station/lan'
/** As the name server of a police station would have it. */
export const NAME = 'harrow-quay.example'

export interface LanStation extends CasesStation {
  status(): Promise<Json>
  change(body: unknown): Promise<Json>
  /** Where other hosts reach it; turned on before. */
  origin(): Promise<string>
  /** The CA as it is downloaded, DER. */
  ca(): Promise<Uint8Array>
}

export async function lanStation(settings: Record<string, unknown> = { lanPort: 0 }): Promise<LanStation> {
  const station = await casesStation({ lanHost: '127.0.0.1', ...settings })
  const { given, sergeant } = station
  const status = (): Promise<Json> => sergeant.send('GET', LAN)
  return {
    ...station,
    status,
    change: (body) => sergeant.send('PATCH', LAN, body),
    origin: async () => `https://${NAME}:${(await status()).Port}`,
    ca: async () => (await given.call('GET', '/pairing/ca.crt', { token: null })).bytes,
  }
}

/** Every name leads to this machine. Without keys it trusts nobody that the system does not. */
export const anotherHost = (keys: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath(),
    args: [
      '--no-sandbox',
      '--host-resolver-rules=MAP * 127.0.0.1',
      ...(keys.length === 0 ? [] : [`--ignore-certificate-errors-spki-list=${keys.join(',')}`]),
    ],
  })

/** What Chromium takes instead of a list of authorities: the public key of one certificate. */
export const keyOf = (certificate: Uint8Array | string): string =>
  createHash('sha256')
    .update(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')
