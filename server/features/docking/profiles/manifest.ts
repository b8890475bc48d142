import { z } from 'zod'
import { parseTime } from '../../../../shared/kernel/time.ts'

/** `camera.json`, by which a camera says everything about itself (docs/camera-profiles.md). Whatever is not understood is looked over. */

const Words = z.string().trim().min(1).max(200)
const Instant = z
  .string()
  .max(40)
  .transform((text, context) => {
    const time = parseTime(text, { utcMember: false })
    if (time !== null) return Number(time.ticks / 10_000n)
    context.addIssue({ code: 'custom', message: 'is no time with Z or an offset' })
    return z.NEVER
  })

const Point = z.object({
  atUtc: Instant,
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
})

const Recording = z.object({
  id: Words.optional(),
  title: Words.optional(),
  startUtc: Instant,
  endUtc: Instant.optional(),
  officer: Words.optional(),
  /** In order: the parts of one recording. Paths below the root, with `/`. */
  files: z
    .array(
      z.object({
        path: z.string().min(1).max(4096),
        /** When this part began; else it goes on where the one before ends. */
        startUtc: Instant.optional(),
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/i)
          .transform((digits) => digits.toLowerCase())
          .optional(),
      }),
    )
    .min(1)
    .max(1000),
  marks: z
    .array(z.object({ atUtc: Instant, label: Words.default('Event') }))
    .max(1000)
    .default([]),
  /** A GPX file, or the points. */
  track: z.union([z.string().min(1).max(4096), z.array(Point).max(86_400)]).optional(),
})

const Camera = z.object({
  manufacturer: Words,
  model: Words.nullish(),
  serialNumber: Words,
  commonName: Words.nullish(),
  firmware: Words.nullish(),
})

const Clock = z.object({
  /** What the camera's clock showed when it wrote this, which it does when it is plugged in. */
  nowUtc: Instant,
  uncertaintyMs: z.number().int().min(0).max(86_400_000).default(1000),
})

const Whole = z.object({
  format: z.literal('sallyport-camera/1'),
  camera: Camera,
  clock: Clock.optional(),
  officer: Words.nullish(),
  /** As it is in effect on the camera: what is submitted when the configuration is negotiated. */
  configuration: z.record(z.string(), z.json()).nullish(),
  capabilities: z.record(z.string(), z.json()).nullish(),
  recordings: z.array(z.unknown()).max(50_000).default([]),
})

export type ManifestRecording = z.output<typeof Recording>

export interface Manifest {
  readonly camera: z.output<typeof Camera>
  readonly clock: z.output<typeof Clock> | null
  readonly officer: string | null
  readonly configuration: z.core.util.JSONType | null
  readonly capabilities: z.core.util.JSONType | null
  readonly recordings: readonly ManifestRecording[]
  /** What of it could not be used. One bad entry costs that entry, not the card. */
  readonly problems: readonly string[]
}

/** More are not reported. */
const MOST_PROBLEMS = 100

/** @returns null, or why not, when it says nothing about a camera */
export function readManifest(bytes: Buffer): Manifest | string {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return 'camera.json is no JSON.'
  }
  const whole = Whole.safeParse(value)
  if (!whole.success) return `camera.json: ${firstIssue(whole.error)}`
  const recordings: ManifestRecording[] = []
  const problems: string[] = []
  whole.data.recordings.forEach((entry, at) => {
    const read = Recording.safeParse(entry)
    if (read.success) recordings.push(read.data)
    else if (problems.length < MOST_PROBLEMS) problems.push(`camera.json: recordings.${at}.${firstIssue(read.error)}`)
  })
  const { camera, clock, officer, configuration, capabilities } = whole.data
  return {
    camera,
    clock: clock ?? null,
    officer: officer ?? null,
    configuration: configuration ?? null,
    capabilities: capabilities ?? null,
    recordings,
    problems,
  }
}

const firstIssue = (error: z.ZodError): string => {
  const [issue] = error.issues
  return issue === undefined ? 'is not understood' : `${issue.path.map(String).join('.')}: ${issue.message}`
}
