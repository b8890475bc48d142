import { isIP } from 'node:net'
import { z } from 'zod'
import { readClearRule } from '../../shared/docking/docking.ts'
import { RECIPIENT_ROLES } from '../../shared/disclosure/kinds.ts'
import { BlobUrl } from './blob-url.ts'
import { DesktopClients } from './desktop-clients.ts'
import { DockRules } from './dock-rules.ts'
import { DockSync } from './dock-sync.ts'

/**
 * All settings of a station with name, type and default. `loadSettings` reads them from `SALLYPORT_*` (the name in upper snake case); the
 * command line takes precedence. It is a pure function, and the only place that knows the names in the environment.
 */
const bytes = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const port = z.coerce.number().int().min(0).max(65_535)
const RecipientRoles = z.union([
  z.array(z.enum(RECIPIENT_ROLES)),
  z.literal('all').transform(() => [...RECIPIENT_ROLES]),
  z
    .string()
    .transform((text) => [...new Set(text.split(',').map((role) => role.trim()))].filter((role) => role !== ''))
    .pipe(z.array(z.enum(RECIPIENT_ROLES, `must be all, or of: ${RECIPIENT_ROLES.join(', ')}`))),
])
const flag = z.union([
  z.boolean(),
  z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1'),
])

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1
  return more.length === 0 && bits > 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
}

export const SettingsSchema = z.object({
  /** The station's folder: database, blobs/, keys/. */
  data: z.string().min(1),
  /** A PostgreSQL database, `postgres://user@host/database`, instead of SQLite in the station's folder (docs/operate/headquarters.md). */
  databaseUrl: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  /** File with the key that wraps the keys in a PostgreSQL database (decisions 28). The same on every node. */
  wrappingKeyFile: z.string().min(1).optional(),
  /** The same key itself, where it comes from the environment and not from a file. */
  wrappingKey: z.string().min(1).optional(),
  /** Folder of the blobs, if it is not in the station's folder (another volume). */
  blobsDir: z.string().min(1).optional(),
  /** Keeps blobs in an object store: `s3://bucket/prefix?endpoint=https://…&region=…&pathStyle=true`. The folder of the blobs is scratch space then. */
  blobUrl: BlobUrl.optional(),
  /** Most bytes of copies of blobs in the scratch folder at the same time, for programs that read files only. */
  scratchBytes: bytes.default(64 * 1024 ** 3),
  /** Loopback only (decisions 1). */
  host: z.enum(['127.0.0.1', '::1', 'localhost']).default('127.0.0.1'),
  port: port.default(7460),
  /** Turns the LAN on as soon as there is an administrator (decisions 10), who can turn it off again. */
  lan: flag.default(false),
  /** Address of this machine on which the LAN's listener is bound; 0.0.0.0 means all IPv4 addresses, `::` IPv6 too. */
  lanHost: z.union([z.ipv4(), z.ipv6()]).default('0.0.0.0'),
  /** Port of the LAN; takes precedence over an administrator's choice. Default: 7443. */
  lanPort: port.optional(),
  /** Issuer and base of links. Default: the bound loopback origin. */
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .transform((text) => new URL(text).origin)
    .optional(),
  /** Further host names of the station, comma separated. */
  hostNames: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((name) => name.trim().toLowerCase())
        .filter((name) => name !== ''),
    ),
  /** Addresses and networks of proxies whose X-Forwarded-For counts, comma separated. */
  proxies: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((network) => network.trim())
        .filter((network) => network !== ''),
    )
    .refine((networks) => networks.every(isNetwork), 'must be addresses or networks such as 10.0.0.5 or 10.0.0.0/24'),
  tenant: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/)
    .refine((name) => name.toLowerCase() !== 'default', '"default" is no name')
    .default('station'),
  /** Vendor in media types such as `<vendor>/json-exif` (decisions 6). */
  vendor: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{0,62}$/)
    .default('sallyport'),
  /** Name of the station, shown at sign-in. */
  stationName: z.string().trim().min(1).max(100).default('Sallyport'),
  /** Name of this process among the nodes of one database. Default: the name of the machine, and the port. */
  nodeName: z.string().trim().min(1).max(100).optional(),
  /** Time zone of times in the window, as an IANA name. Default: that of the machine. */
  timeZone: z.string().refine(isTimeZone, 'must be the name of a time zone such as Europe/Vienna').optional(),
  /** Notice to be acknowledged at sign-in, instead of the program's text. Blank lines separate paragraphs. */
  notice: z.string().max(20_000).optional(),
  /** Seconds without activity after which a session locks (decisions 10). */
  idleLockSeconds: z.coerce.number().int().min(10).max(86_400).default(1800),
  /** Seconds after which a session ends for good. */
  sessionSeconds: z.coerce.number().int().min(60).max(604_800).default(43_200),
  /** Seconds for which failed sign-ins lock an account (decisions 13); `until-released`: until an administrator releases it. */
  signInLockSeconds: z
    .union([z.literal('until-released'), z.coerce.number().int().min(1).max(86_400)], {
      error: 'must be a whole number of seconds from 1 to 86400, or until-released',
    })
    .default(900),
  /** Programs that people may authorise to act for them: JSON, `[{"id":"…","name":"…","redirects":["http://127.0.0.1/callback"]}]`. */
  desktopClients: DesktopClients.default([]),
  /** Hours between the second approval of a destruction and the recycle bin. In this time every approver can still keep the evidence. */
  coolingOffHours: z.coerce.number().int().min(1).max(8_760).default(72),
  /** Whether a package for the defence says how many items are withheld on the schedule of sensitive material (decisions 35). */
  defenceKnowsCount: flag.default(false),
  /** Recipients to whom nothing is disclosed before a second person approved it: roles with commas between them, or `all` (decisions 40). */
  disclosureApproval: RecipientRoles.default([]),
  /** Days that evidence stays in the recycle bin. */
  recycleBinDays: z.coerce.number().int().min(1).max(365).default(7),
  /** Days after which the person who created or reset an account no longer counts as its owner in approvals of destructions. */
  approverSettleDays: z.coerce.number().int().min(1).max(90).default(14),
  /** Most active devices. Recordings of all cameras are taken in, active or not. */
  maxActiveDevices: z.coerce.number().int().min(0).max(100_000).default(15),
  /** Whether CAD push accepts the API key in the query, as the interface defines. The header X-Api-Key always works. */
  apiKeyInQuery: flag.default(true),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Free-space floor; default max(2 % of the volume, 10 GiB) (decisions 12). */
  minFreeBytes: bytes.optional(),
  reserveBytes: bytes.default(256 * 1024 * 1024),
  jsonBodyBytes: bytes.default(8 * 1024 * 1024),
  fileBytes: bytes.default(2 ** 40),
  ratePerson: z.coerce.number().int().min(1).default(600),
  rateService: z.coerce.number().int().min(1).default(6000),
  /** Concurrent copies. */
  ingestLanes: z.coerce.number().int().min(1).max(64).default(8),
  /** Whether the station looks for cameras at the ports of this machine. */
  dock: flag.default(true),
  /** A folder whose sub-folders count as cameras. The station then looks for cameras nowhere else. */
  dockRoot: z.string().min(1).optional(),
  /** Whether the dock wall shows officers' surnames to everybody in the room; decisions 10 ask for no names. */
  dockWallNames: flag.default(false),
  /** Files copied from cameras at the same time. */
  dockLanes: z.coerce.number().int().min(1).max(128).default(32),
  /** When files that were taken in are removed from the camera: `never`, `at-once`, or after this many days. */
  dockClear: z
    .string()
    .default('never')
    .transform((text, context) => {
      const rule = readClearRule(text)
      if (rule !== null && rule.kind !== 'move') return rule
      context.addIssue({ code: 'custom', message: 'must be never, at-once, or a number of days' })
      return z.NEVER
    }),
  /**
   * Whether files that the station already has are read again at the camera's next docking: `always`, or only when name, size or time
   * `changed`. A file is always read again before it is cleared.
   */
  dockRehash: z.enum(['changed', 'always']).default('changed'),
  /** A folder on another volume for second copies, made before cameras are cleared. It must exist. */
  dockSecondCopy: z.string().min(1).optional(),
  /** Category and department of recordings: JSON, `[{"when":{"officerDepartment":"Patrol"},"category":"Patrol","department":"Patrol"}]`. */
  dockRules: DockRules.default([]),
  /** Watched folders, treated like cameras that are always docked (docs/sync-folders.md): JSON, `[{"folder":"/srv/interviews"}]`. */
  dockSync: DockSync.default([]),
  /** Concurrent media jobs. */
  deriveLanes: z.coerce.number().int().min(1).max(16).default(2),
  /** Most bytes per second for reading stored blobs again while nobody is at work; a quarter of it otherwise. */
  fixityBytesPerSecond: z.coerce
    .number()
    .int()
    .min(4096)
    .default(64 * 1024 * 1024),
  /** Folders that are searched for ffmpeg, exiftool, bwrap and other tools, colon separated. Default: the usual ones. */
  toolFolders: z
    .string()
    .transform((text) => text.split(':').filter((folder) => folder !== ''))
    .optional(),
  /** Raster tiles for maps, `https://host/{z}/{x}/{y}.png`. By default maps show the bundled outline only, without network access. */
  tileUrl: z
    .url({ protocol: /^https?$/ })
    .refine((url) => ['{z}', '{x}', '{y}'].every((part) => url.includes(part)), 'must hold {z}, {x} and {y}')
    .optional(),
  /** Folder of the media programs in the packaged program, searched before the usual ones. */
  mediaFolder: z.string().min(1).optional(),
  /** An authority for timestamps (RFC 3161) of packages that leave the station; none by default. */
  timestampUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** File with the certificates (PEM) of that authority, obtained from it. Answers of nobody else are believed. */
  timestampRoots: z.string().min(1).optional(),
  /** File with the certificate (PEM) with which the agency signs its packages, then those between it and the root of its authority. None by default. */
  signingCertificate: z.string().min(1).optional(),
  /** File with the private key (PEM, without a passphrase) of that certificate. */
  signingKey: z.string().min(1).optional(),
  /** Update feed of the desktop program; none by default. It must be https, since updates are executed. */
  updateFeed: z.url({ protocol: /^https$/ }).optional(),
  /** Whether an answer that breaks the contract becomes an error; tests turn it on. */
  strictResponses: flag.default(false),
  /** Seconds for running requests to finish at shutdown. */
  drainSeconds: z.coerce.number().min(0).max(600).default(20),
})

export type Settings = z.output<typeof SettingsSchema>
/** Lists every invalid setting with the reason. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`Some settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** `blobsDir` → `SALLYPORT_BLOBS_DIR`. */
export const environmentName = (setting: string): string =>
  `SALLYPORT_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

/** @param given from the command line; takes precedence over the environment @throws SettingsError with all problems */
export function loadSettings(
  environment: Readonly<Record<string, string | undefined>>,
  given: Partial<Record<keyof Settings, unknown>> = {},
): Settings {
  const raw: Record<string, unknown> = {}
  const known = new Set<string>()
  for (const name of Object.keys(SettingsSchema.shape)) {
    known.add(environmentName(name))
    const value = given[name as keyof Settings] ?? environment[environmentName(name)]
    if (value !== undefined && value !== '') raw[name] = value
  }
  const problems = Object.keys(environment)
    .filter((name) => name.startsWith('SALLYPORT_') && !name.startsWith('SALLYPORT_TEST_') && !known.has(name))
    .map((name) => `${name}: there is no such setting`)
  const parsed = SettingsSchema.safeParse(raw)
  if (!parsed.success) {
    for (const issue of parsed.error.issues)
      problems.push(`${environmentName(String(issue.path[0]))}: ${issue.message}`)
  }
  if (!parsed.success || problems.length > 0) throw new SettingsError(problems)
  return parsed.data
}
