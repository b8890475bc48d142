/** Why there are no passkeys at an address: it is made of numbers, or what travels to it can be read on the way. */
export type NoPasskeys = 'address' | 'plain'

const ORIGIN = /^(https?):\/\/(\[[0-9a-f:.]+\]|[^/:]+)(?::\d+)?$/

/**
 * Where passkeys can be (WebAuthn Level 3, 5.1.3): at a name, never at an IP address, and in a secure context, which is TLS or this very
 * machine by the name `localhost`.
 * @param origin as `URL.origin` writes it.
 */
export function passkeysAt(origin: string): { readonly rpId: string } | { readonly none: NoPasskeys } {
  const [, scheme = '', host = ''] = ORIGIN.exec(origin) ?? []
  if (host === '' || host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host)) return { none: 'address' }
  const here = host === 'localhost' || host.endsWith('.localhost')
  return scheme === 'https' || here ? { rpId: host } : { none: 'plain' }
}

/** So many a person may have; enough for every desk and phone, few enough to be looked through. */
export const MOST_PASSKEYS = 20
