import { z } from 'zod'
import { readClearRule } from '../../shared/docking/docking.ts'
import { DesktopClients } from './desktop-clients.ts'
import { DockRules } from './dock-rules.ts'
import { DockSync } from './dock-sync.ts'

/**
 * Every setting of a station, once: name, type, default. Read from `SALLYPORT_*` (upper snake case of the name) by `loadSettings`,
 * overridden by the command line. A pure function of what it is given; the only place that knows the environment's names.
 */
const bytes = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const port = z.coerce.number().int().min(0).max(65_535)
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

export const SettingsSchema = z.object({
  /** The station's folder: database, blobs/, keys/. */
  data: z.string().min(1),
  /** Where blobs lie when not in the station's folder (another volume). */
  blobsDir: z.string().min(1).optional(),
  /** Loopback only (decisions 1). */
  host: z.enum(['127.0.0.1', '::1', 'localhost']).default('127.0.0.1'),
  port: port.default(7460),
  /** Turns the LAN on as soon as there is an administrator (decisions 10); they turn it off again. */
  lan: flag.default(false),
  /** At which address of this machine the LAN is listened at; 0.0.0.0 is every IPv4 address, `::` IPv6 too. */
  lanHost: z.union([z.ipv4(), z.ipv6()]).default('0.0.0.0'),
  /** The port of the LAN; wins over what an administrator chose. 7443 where neither says one. */
  lanPort: port.optional(),
  /** Issuer and base of links; the bound loopback origin when not set. */
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .transform((text) => new URL(text).origin)
    .optional(),
  /** Further names the station answers to, comma separated. */
  hostNames: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((name) => name.trim().toLowerCase())
        .filter((name) => name !== ''),
    ),
  tenant: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/)
    .refine((name) => name.toLowerCase() !== 'default', '"default" is no name')
    .default('station'),
  /** In media types such as `<vendor>/json-exif` (decisions 6). */
  vendor: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{0,62}$/)
    .default('sallyport'),
  /** What people call this station; shown where they sign in. */
  stationName: z.string().trim().min(1).max(100).default('Sallyport'),
  /** In which the window shows times, as an IANA name; the machine's own when not set. */
  timeZone: z.string().refine(isTimeZone, 'must be the name of a time zone such as Europe/Vienna').optional(),
  /** Shown and acknowledged at sign-in instead of the text that comes with the program; blank lines part paragraphs. */
  notice: z.string().max(20_000).optional(),
  /** Seconds without anybody at work after which a session locks (decisions 10). */
  idleLockSeconds: z.coerce.number().int().min(10).max(86_400).default(1800),
  /** Seconds after which a session ends for good. */
  sessionSeconds: z.coerce.number().int().min(60).max(604_800).default(43_200),
  /** Seconds for which failed sign-ins lock an account (decisions 13); `until-released`: until an administrator releases it. */
  signInLockSeconds: z
    .union([z.literal('until-released'), z.coerce.number().int().min(1).max(86_400)], {
      error: 'must be a whole number of seconds from 1 to 86400, or until-released',
    })
    .default(900),
  /** Programs that people may let work in their name: JSON, `[{"id":"…","name":"…","redirects":["http://127.0.0.1/callback"]}]`. */
  desktopClients: DesktopClients.default([]),
  /** Hours between the second approval of a destruction and the recycle bin; anybody who may approve can still keep it. */
  coolingOffHours: z.coerce.number().int().min(1).max(8_760).default(72),
  /** Days that evidence lies in the recycle bin. */
  recycleBinDays: z.coerce.number().int().min(1).max(365).default(7),
  /** Days after which whoever created or reset an account is no longer counted as its owner when destructions are approved. */
  approverSettleDays: z.coerce.number().int().min(1).max(90).default(14),
  /** Devices that may be active at a time; every camera is taken in, active or not. */
  maxActiveDevices: z.coerce.number().int().min(0).max(100_000).default(15),
  /** Whether CAD push takes its API key in the query of an address, as the interface has it; the header X-Api-Key always works. */
  apiKeyInQuery: flag.default(true),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Free-space floor; default max(2 % of the volume, 10 GiB) (decisions 12). */
  minFreeBytes: bytes.optional(),
  reserveBytes: bytes.default(256 * 1024 * 1024),
  jsonBodyBytes: bytes.default(8 * 1024 * 1024),
  fileBytes: bytes.default(2 ** 40),
  ratePerson: z.coerce.number().int().min(1).default(600),
  rateService: z.coerce.number().int().min(1).default(6000),
  /** Copies at work at the same time. */
  ingestLanes: z.coerce.number().int().min(1).max(64).default(8),
  /** Whether cameras are looked for at the ports of this machine. */
  dock: flag.default(true),
  /** A folder each of whose folders stands for a camera; then nothing is looked for elsewhere. */
  dockRoot: z.string().min(1).optional(),
  /** Whether the dock wall, which everybody in the room reads, says by surname who wears a camera; decisions 10 ask for no name. */
  dockWallNames: flag.default(false),
  /** Files copied from cameras at the same time. */
  dockLanes: z.coerce.number().int().min(1).max(128).default(32),
  /** When a camera is cleared of what the station has: `never`, `at-once`, or days after it was taken in. */
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
   * Whether files of a camera that the station has already are read again at its next docking: `always`, or only where their name, size
   * or time `changed`. Before a file is cleared it is read in any case.
   */
  dockRehash: z.enum(['changed', 'always']).default('changed'),
  /** A folder on another volume in which everything that cameras bring lies once more before they are cleared. It must exist. */
  dockSecondCopy: z.string().min(1).optional(),
  /** Category and department of recordings: JSON, `[{"when":{"officerDepartment":"Patrol"},"category":"Patrol","department":"Patrol"}]`. */
  dockRules: DockRules.default([]),
  /** Folders that are watched like cameras that are always docked (docs/sync-folders.md): JSON, `[{"folder":"/srv/interviews"}]`. */
  dockSync: DockSync.default([]),
  /** Media jobs at work at the same time. */
  deriveLanes: z.coerce.number().int().min(1).max(16).default(2),
  /** Most bytes a second at which stored bytes are read again while nobody is at work; a quarter of it while people are. */
  fixityBytesPerSecond: z.coerce
    .number()
    .int()
    .min(4096)
    .default(64 * 1024 * 1024),
  /** Folders in which ffmpeg, exiftool, bwrap and the like are looked for, colon separated; the usual ones when not set. */
  toolFolders: z
    .string()
    .transform((text) => text.split(':').filter((folder) => folder !== ''))
    .optional(),
  /** Raster tiles for maps, `https://host/{z}/{x}/{y}.png`; without it the bundled outline is all there is (no network is asked). */
  tileUrl: z
    .url({ protocol: /^https?$/ })
    .refine((url) => ['{z}', '{x}', '{y}'].every((part) => url.includes(part)), 'must hold {z}, {x} and {y}')
    .optional(),
  /** Folder with the media programs that came with the packaged program, looked into before the usual ones. */
  mediaFolder: z.string().min(1).optional(),
  /** Where the desktop program looks for newer ones; without it nowhere. https, since what is found there is run. */
  updateFeed: z.url({ protocol: /^https$/ }).optional(),
  /** Answers are held against the contract and a mismatch is an error of ours; tests turn it on. */
  strictResponses: flag.default(false),
  /** Seconds that running requests get to finish at shutdown. */
  drainSeconds: z.coerce.number().min(0).max(600).default(20),
})

export type Settings = z.output<typeof SettingsSchema>
export type SettingsInput = z.input<typeof SettingsSchema>

/** Names every setting that cannot be used, and why. */
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

/** @param given from the command line; wins over the environment. @throws SettingsError with every problem listed. */
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
