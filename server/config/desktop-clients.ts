import { z } from 'zod'
import { isRedirect } from '../../shared/identity/redirects.ts'
import { jsonSetting } from './json-setting.ts'

/** A program that people may let work in their name (decisions 9, RFC 8252). It keeps no secret: whoever has it could read one. */
export interface DesktopClient {
  readonly id: string
  /** As people are asked about it. */
  readonly name: string
  /** Where it may be answered; see `fitsRedirect`. */
  readonly redirects: readonly string[]
}

const Client = z.strictObject({
  // No @: that is how services are named.
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'id is lower-case letters, digits, dots and dashes'),
  name: z.string().trim().min(1).max(100),
  redirects: z
    .array(
      z
        .string()
        .refine(
          isRedirect,
          'a redirect is http://127.0.0.1/… or http://[::1]/… without a port, or com.example.program:/…',
        ),
    )
    .min(1)
    .max(10),
})

const Clients = z
  .array(Client)
  .max(50)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'an id is there twice')

/** The setting: JSON, or the list itself. Empty: no program may ask. */
export const DesktopClients = jsonSetting(Clients)
