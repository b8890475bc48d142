import { z } from 'zod'
import { isRedirect } from '../../shared/identity/redirects.ts'
import { jsonSetting } from './json-setting.ts'

/** A program that people may authorise to act for them (decisions 9, RFC 8252). It has no secret, since its users could read it. */
const Client = z.strictObject({
  // Without @, which ids of services contain.
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'id is lower-case letters, digits, dots and dashes'),
  /** Shown when people are asked for authorisation. */
  name: z.string().trim().min(1).max(100),
  /** See `fitsRedirect`. */
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
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'an id is repeated')

/** The setting, as JSON or as the list itself. With an empty list no program can be authorised. */
export const DesktopClients = jsonSetting(Clients)
