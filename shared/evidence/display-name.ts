/** The name under which footage from a camera is shown while nobody gave it a title: which camera, when, and where. Never stored. */

export interface CameraFacts {
  /** As the station calls the camera. */
  readonly commonName: string | null
  readonly deviceType: string | null
  readonly serialNumber: string | null
}

/** What a camera of this type is called in front of its number. */
const SHORT_TYPES: Readonly<Record<string, string>> = { BodyWornCamera: 'BWC' }
/** The end of a long number tells cameras apart. */
const MOST_DIGITS = 6
const LEAST_DIGITS = 3

/** Null where nothing tells which camera it was. */
export function cameraLabel({ commonName, deviceType, serialNumber }: CameraFacts): string | null {
  const own = commonName?.trim() ?? ''
  if (own !== '') return own
  const serial = serialNumber?.trim() ?? ''
  if (serial === '') return null
  const short = SHORT_TYPES[deviceType ?? '']
  if (short === undefined) return serial
  const digits = /\d+$/.exec(serial)?.[0] ?? ''
  return `${short} ${digits.length < LEAST_DIGITS ? serial : digits.slice(-MOST_DIGITS)}`
}

const withoutExtension = (name: string): string => name.replace(/\.[^.\s]{1,8}$/, '')

/** Whether nobody chose this name. @param givenNames what it got by itself: the name of its first file, and the camera's own */
export function isGivenName(name: string, givenNames: readonly (string | null)[]): boolean {
  const own = name.trim()
  return own === '' || givenNames.some((one) => one !== null && (one === own || withoutExtension(one) === own))
}

export interface NameParts {
  /** What it is stored as. */
  readonly name: string
  /** Null: no camera is known, and the stored name stays. */
  readonly camera: string | null
  /** Time of day on the station's wall; null: nobody knows. */
  readonly at: string | null
  /** In this order: where it was, or the call that it belongs to. */
  readonly places: readonly (string | null)[]
}

/** Of an address the street: what is behind the first comma is the same for the whole town. */
const shortPlace = (text: string | null): string => text?.split(/[,\n\r]/, 1)[0]?.trim() ?? ''

export function displayName({ name, camera, at, places }: NameParts): string {
  if (camera === null) return name
  const place = places.map(shortPlace).find((one) => one !== '')
  // Without a time only the camera's own name tells two recordings apart.
  return [camera, at ?? name, ...(place === undefined ? [] : [place])].join(', ')
}
