import { z } from 'zod'
import { compileTemplate } from './template.ts'
import { isZone } from '../../../../shared/kernel/time-zones.ts'

/** A camera profile (docs/camera-profiles.md): how one kind of camera is recognised and read. Profiles are data and have no code. */

const Template = z
  .string()
  .min(1)
  .max(255)
  .superRefine((text, context) => {
    try {
      compileTemplate(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message })
    }
  })

/** A path below the root, without a way out of it; `*` for a part of a name, `**` at the end for all below. */
const Pattern = z
  .string()
  .min(1)
  .max(255)
  .refine(
    (text) =>
      text
        .split('/')
        .every(
          (part, at, all) => part !== '' && part !== '.' && part !== '..' && (part !== '**' || at === all.length - 1),
        ),
    'is a path below the root; ** stands at its end only',
  )

const Hex = z.string().regex(/^[0-9a-f]{4}$/, 'is four lower-case hexadecimal digits')
const Extension = z.string().regex(/^[a-z0-9]{1,8}$/, 'is an extension in lower case, without the dot')
const Words = z.string().trim().min(1).max(100)

const Match = z.strictObject({
  usb: z
    .array(z.strictObject({ vendorId: Hex, productId: Hex.optional() }))
    .max(100)
    .default([]),
  /** Volume labels, `*` for any part. */
  labels: z.array(Words).max(20).default([]),
  /** Files that only this kind of camera has. */
  markers: z.array(Pattern).max(20).default([]),
  /** Folders that only this kind of camera has; they stay when it has been emptied. */
  folders: z.array(Pattern).max(20).default([]),
  /** A file in the place of its media with a name of its media is enough. */
  media: z.boolean().default(false),
})

const Sidecar = z.strictObject({
  extension: Extension,
  /** `gps` is read; `keep` is taken along with its recording. */
  as: z.enum(['gps', 'keep']),
  format: z.enum(['gpx', 'nmea']).optional(),
  /** `stem`: the recording's name with another extension. `prefix`: the recording's name begins with it. */
  match: z.enum(['stem', 'prefix']).default('stem'),
})

const Mark = z.strictObject({
  field: z.enum(['event', 'type']),
  /** Those that are marks; without it any. */
  values: z.array(z.string().min(1).max(16)).min(1).max(50).optional(),
  label: Words,
})

const Join = z.strictObject({
  /**
   * `part`: names that differ in `{part}` alone. `continues`: a file whose name says that it goes on with the one before.
   * `gap`: a file that begins when the one before has been filled.
   */
  by: z.enum(['none', 'part', 'continues', 'gap']).default('none'),
  /** How long a full part is, for `continues` and `gap`. */
  partSeconds: z.number().int().min(1).max(86_400).default(600),
  toleranceSeconds: z.number().int().min(0).max(3_600).default(5),
})

export const Profile = z
  .strictObject({
    format: z.literal('sallyport-profile/1'),
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,47}$/, 'is lower-case letters, digits and dashes'),
    name: Words,
    /** Where the facts are from. */
    source: z.string().max(500).optional(),
    /** Of several that match the greatest is taken; then the first by id. */
    rank: z.number().int().min(0).max(100).default(50),
    match: Match,
    identity: z.strictObject({
      manufacturer: Words.nullable(),
      model: Words.nullable(),
      /** In this order: the first that says something. */
      serial: z
        .array(z.enum(['manifest', 'name', 'usb', 'label', 'filesystem']))
        .min(1)
        .max(5),
    }),
    /** The file in which the camera says everything about itself (docs/camera-profiles.md). */
    manifest: Pattern.refine((path) => !path.includes('*'), 'is one file')
      .nullable()
      .default(null),
    /** The file in which the camera finds the configuration that it is to have. */
    configuration: Pattern.refine((path) => !path.includes('*'), 'is one file')
      .nullable()
      .default(null),
    media: z.strictObject({
      folders: z.array(Pattern).min(1).max(20),
      extensions: z.array(Extension).min(1).max(30),
      names: z.array(Template).max(20).default([]),
    }),
    time: z.strictObject({
      zone: z.string().refine(isZone, 'is utc, station, an offset like +01:00 or a name of the time zone database'),
      /** What the time of a file's last change is. Cameras close a file when its recording ends. */
      modified: z.enum(['end', 'start', 'nothing']).default('end'),
    }),
    join: Join.prefault({}),
    marks: z.array(Mark).max(20).default([]),
    sidecars: z.array(Sidecar).max(20).default([]),
    /** How the camera's clock is known when it is docked. */
    clock: z.enum(['none', 'manifest', 'gps']).default('none'),
    clear: z.strictObject({
      media: z.boolean(),
      sidecars: z.boolean(),
      /** Whatever else is said. */
      never: z.array(Pattern).max(50).default([]),
    }),
  })
  .superRefine((profile, context) => {
    const { usb, labels, markers, folders, media } = profile.match
    const issue = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message })
    if (usb.length + labels.length + markers.length + folders.length === 0 && !media)
      issue('match', 'would match nothing')
    if (profile.manifest === null && profile.identity.serial.includes('manifest'))
      issue('identity', 'there is no manifest')
    if (profile.manifest === null && profile.clock === 'manifest') issue('clock', 'there is no manifest')
    for (const sidecar of profile.sidecars)
      if ((sidecar.as === 'gps') !== (sidecar.format !== undefined))
        issue('sidecars', 'gps has a format, keep has none')
  })

export type Profile = z.output<typeof Profile>

export interface ProfileProblem {
  readonly file: string
  readonly message: string
}

/**
 * The shipped profiles and those of the drop-in folder. One of the same id takes the shipped one's place. A file that is no profile is a
 * problem to be told, and the others still count: a station with a misspelt profile must go on taking cameras.
 */
export function profilesFrom(
  shipped: readonly Profile[],
  files: readonly { readonly name: string; readonly text: string }[],
): { profiles: Profile[]; problems: ProfileProblem[] } {
  const problems: ProfileProblem[] = []
  const own = new Map<string, Profile>()
  for (const { name, text } of files) {
    const read = readProfile(text)
    if (typeof read === 'string') problems.push({ file: name, message: read })
    else if (own.has(read.id)) problems.push({ file: name, message: `another file is the profile ${read.id} already` })
    else own.set(read.id, read)
  }
  const profiles = [...shipped.filter(({ id }) => !own.has(id)), ...own.values()]
  return { profiles: profiles.sort((a, b) => b.rank - a.rank || (a.id < b.id ? -1 : 1)), problems }
}

function readProfile(text: string): Profile | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'is no JSON'
  }
  const read = Profile.safeParse(value)
  if (read.success) return read.data
  return read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
}
