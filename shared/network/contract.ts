import { z } from 'zod'
import { line, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { LONGEST_HOST_NAME } from './host-names.ts'

/** The station on its network (decisions 10): turned on and off, its names, its own CA and certificate, who may come and who is there, pairing. Extensions. */

const Time = z.string()

export const CertificateModel = z.object({
  Subject: z.string(),
  Issuer: z.string(),
  SerialNumber: z.string().meta({ description: 'Hexadecimal.' }),
  Names: z.array(z.string()).meta({
    description: 'DNS names and addresses: of the certificate those it is for, of the CA those it may speak for.',
  }),
  NotBeforeUtc: Time,
  NotAfterUtc: Time,
  RenewsTimeUtc: Time.nullable().meta({
    description: 'When the station makes the next one by itself; null for the CA.',
  }),
  Sha256Fingerprint: z.string().meta({ description: '64 hexadecimal digits, of the certificate as DER.' }),
  Words: z.array(z.string()).length(8).meta({
    description:
      'The first 64 bits of the fingerprint as eight words of a fixed list, a word for each byte: the same on both screens, or it is another certificate.',
  }),
})

export const LanModel = z
  .object({
    Enabled: z.boolean().meta({ description: 'What was chosen; it survives a restart.' }),
    Listening: z.boolean().meta({ description: 'Whether it is heard now.' }),
    Problem: z.string().nullable().meta({ description: 'Why it is on and not heard, and what to do.' }),
    Host: z.string().meta({ description: 'The address of this machine that it listens at; 0.0.0.0 and :: are all.' }),
    Port: z.int(),
    MachineName: z.string().meta({ description: 'Always a name of the station.' }),
    LocalName: z.string().meta({ description: 'The machine’s name for mDNS, ending in .local; always a name.' }),
    Names: z.array(z.string()).meta({ description: 'Further names, as chosen.' }),
    Addresses: z.array(z.string()).meta({ description: 'Of this machine, on networks that others can be on.' }),
    NamesOutsideCa: z.array(z.string()).meta({
      description:
        'Names and addresses that the CA may not speak for: they are not in the certificate. A new CA takes them in.',
    }),
    Origins: z
      .array(z.string())
      .meta({ description: 'Where other hosts reach the station: names first; empty while it is off.' }),
    AllowList: z.array(z.string()).meta({
      description: 'Networks (CIDR) that may come; empty means every private network. This machine may always.',
    }),
    AllowedNetworks: z.array(z.string()).meta({ description: 'Those in force: the list, or every private network.' }),
    Ca: CertificateModel.nullable().meta({
      description: 'Null until it is turned on for the first time.',
    }),
    Certificate: CertificateModel.nullable(),
    PreviousCa: z
      .object({ Sha256Fingerprint: z.string(), ReplacedTimeUtc: Time })
      .nullable()
      .meta({ description: 'Hosts that were paired with this one have to pair again.' }),
    Announced: z.object({
      State: z.enum(['announced', 'off', 'failed']),
      Service: z.string().meta({ description: 'What is announced by mDNS: name and type.' }),
      Problem: z.string().nullable(),
    }),
    Refused: z.object({
      Connections: z.int().meta({ description: 'Since it was turned on, of addresses that are not on the list.' }),
      LastAddress: z.string().nullable(),
      LastTimeUtc: Time.nullable(),
    }),
    Connected: z.int().meta({ description: 'Hosts that are there now.' }),
  })
  .meta({ id: 'Lan' })

/** `10.0.0.0/8`, `fd00::/8`, or one address. Whether it is one the service says. */
export const LONGEST_NETWORK = 64
const Network = line(LONGEST_NETWORK, 1)
const HostName = line(LONGEST_HOST_NAME, 1)

const HIGHEST_PORT = 65_535
/** As LanChange asks it of the port. */
export const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= HIGHEST_PORT

export const LanChange = z
  .object({
    Enabled: z.boolean().optional(),
    Port: z.int().min(1).max(HIGHEST_PORT).optional(),
    Names: z.array(HostName).max(20).optional().meta({ description: 'All further names; the list is replaced.' }),
    AllowList: z.array(Network).max(100).optional().meta({ description: 'All of them; the list is replaced.' }),
    LockMeOut: z.boolean().optional().meta({
      description: 'Without it a change after which the caller could not come any more is refused: LanWouldLockYouOut.',
    }),
    NewCa: z.boolean().optional().meta({
      description:
        'Names that the CA may not speak for need a new one, with which every host pairs again. Without this they are refused: LanNewCaNeeded.',
    }),
  })
  .meta({ id: 'LanChange' })

export const LanHostModel = z
  .object({
    Address: z.string(),
    HostName: z.string().nullable().meta({ description: 'By which name of the station it came last.' }),
    People: z
      .array(z.object({ PrincipalId: z.string(), Name: z.string(), PrincipalType: z.string() }))
      .meta({ description: 'Who worked from there in these connections; empty while nobody is signed in.' }),
    SinceUtc: Time,
    LastRequestTimeUtc: Time.nullable(),
    LastRequest: z.string().nullable().meta({ description: 'Operation or page; never with its parameters.' }),
    Connections: z.int(),
    Requests: z.int(),
    RequestsUnderWay: z.int(),
    BytesReceived: z.int(),
    BytesSent: z.int(),
    ThisOne: z.boolean().meta({ description: 'The caller’s own address.' }),
  })
  .meta({ id: 'LanHost' })

export const PairingModel = z
  .object({
    StationName: z.string(),
    Enabled: z.boolean(),
    Ca: z
      .object({
        Subject: z.string(),
        NotBeforeUtc: Time,
        NotAfterUtc: Time,
        Sha256Fingerprint: z.string(),
        Words: z.array(z.string()).length(8),
        Pem: z.string().meta({ description: 'Address of the CA as PEM.' }),
        Der: z.string().meta({ description: 'Address of the CA as DER.' }),
      })
      .nullable(),
    Origins: z.array(z.string()),
    Secure: z.boolean().meta({ description: 'Whether this answer came over TLS.' }),
  })
  .meta({ id: 'Pairing' })

const administrator = { kind: 'administrator' } as const
const anyone = { kind: 'anyone' } as const
const at = (path: string) => `/api/v1/tenant/:tenantId/station/lan${path}` as const

export const getLan = route({
  id: 'getLan',
  interface: 'operations',
  method: 'GET',
  path: at(''),
  origin: 'extension',
  summary: 'How the station stands on its network',
  permission: administrator,
  audit: { by: 'read', action: 'lan.read', objectType: 'lan' },
  params: Tenant,
  responses: { 200: LanModel },
  errors: ['TenantNotFound'],
})

export const changeLan = route({
  id: 'changeLan',
  interface: 'operations',
  method: 'PATCH',
  path: at(''),
  origin: 'extension',
  summary: 'Turn the LAN on or off, change its port, names and networks',
  description:
    'What is not sent stays. Answered when the change is in force: the listener is there or gone, the certificate has its names. A change of who may come also ends the connections of those who no longer may. Addresses of the machine itself are let in always.',
  permission: administrator,
  audit: { by: 'own', actions: ['lan.changed', 'lan.caMade', 'lan.certificateMade'] },
  params: Tenant,
  body: LanChange,
  responses: { 200: LanModel },
  errors: ['InvalidModel', 'LanWouldLockYouOut', 'LanNewCaNeeded', 'LanPortTaken', 'TenantNotFound', 'ReadOnly'],
})

export const renewLanCertificate = route({
  id: 'renewLanCertificate',
  interface: 'operations',
  method: 'POST',
  path: at('/renew'),
  origin: 'extension',
  summary: 'Make a new certificate by the same CA',
  description: 'Paired hosts see no difference; connections go on.',
  permission: administrator,
  audit: { by: 'own', actions: ['lan.certificateMade'] },
  params: Tenant,
  responses: { 200: LanModel },
  errors: ['LanOff', 'TenantNotFound', 'ReadOnly'],
})

export const replaceLanCa = route({
  id: 'replaceLanCa',
  interface: 'operations',
  method: 'POST',
  path: at('/new-ca'),
  origin: 'extension',
  summary: 'Make a new CA, and a certificate by it',
  description:
    'Every host has to pair again: none trusts the new one. `Sha256Fingerprint` is that of the CA to be replaced, so that nobody replaces one that they have not seen.',
  permission: administrator,
  audit: { by: 'own', actions: ['lan.caMade', 'lan.certificateMade'] },
  params: Tenant,
  body: z.object({ Sha256Fingerprint: line(64, 64) }).meta({ id: 'LanCaReplacement' }),
  responses: { 200: LanModel },
  errors: ['InvalidModel', 'LanOff', 'LanCaNotCurrent', 'TenantNotFound', 'ReadOnly'],
})

export const listLanHosts = route({
  id: 'listLanHosts',
  interface: 'operations',
  method: 'GET',
  path: at('/host'),
  origin: 'extension',
  summary: 'Which hosts are connected',
  permission: administrator,
  audit: { by: 'read', action: 'list.read', objectType: 'lanHost' },
  params: Tenant,
  responses: { 200: z.object({ TimeUtc: Time, Items: z.array(LanHostModel) }).meta({ id: 'LanHosts' }) },
  errors: ['TenantNotFound'],
})

export const disconnectLanHost = route({
  id: 'disconnectLanHost',
  interface: 'operations',
  method: 'POST',
  path: at('/disconnect'),
  origin: 'extension',
  summary: 'End the connections of one host',
  description:
    'It may come again at once: who must not, is kept away by the allow-list, and a person by disabling them. What is under way is cut; an upload goes on with the next connection.',
  permission: administrator,
  audit: { by: 'own', actions: ['lan.disconnected'] },
  params: Tenant,
  body: z.object({ Address: line(64, 1) }).meta({ id: 'LanDisconnection' }),
  responses: { 200: z.object({ Connections: z.int() }).meta({ id: 'LanDisconnected' }) },
  errors: ['InvalidModel', 'LanHostNotFound', 'TenantNotFound', 'ReadOnly'],
})

const publicly = {
  by: 'none',
  reason: 'Says what every host is shown before anybody signs in: the station’s name and its public certificate.',
} as const

export const getPairing = route({
  id: 'getPairing',
  interface: 'operations',
  method: 'GET',
  path: '/api/v1/pairing',
  origin: 'extension',
  summary: 'What a host needs to pair: the station’s name, its CA and the words of its fingerprint',
  permission: anyone,
  audit: publicly,
  responses: { 200: PairingModel },
  errors: [],
})

/** The CA is public; what makes it trusted is that somebody compared its words at both screens. */
export const getCaPem = route({
  id: 'getCaPem',
  interface: 'operations',
  method: 'GET',
  path: '/pairing/ca.pem',
  origin: 'extension',
  summary: 'The station’s CA as PEM',
  permission: anyone,
  audit: publicly,
  offers: ['application/x-pem-file'],
  responses: { 200: 'bytes' },
  errors: ['CertificateNotFound'],
})

export const getCaDer = route({
  id: 'getCaDer',
  interface: 'operations',
  method: 'GET',
  path: '/pairing/ca.crt',
  origin: 'extension',
  summary: 'The station’s CA as DER, which Windows, macOS and Android open by themselves',
  permission: anyone,
  audit: publicly,
  offers: ['application/x-x509-ca-cert'],
  responses: { 200: 'bytes' },
  errors: ['CertificateNotFound'],
})
