import type { Volume } from '../../../platform/volumes/volumes.ts'
import { type CardFile, type CardListing, fits, foldCase, stemOf } from './card.ts'
import { type Manifest, readManifest } from './manifest.ts'
import type { Profile } from './profile.ts'
import { compileTemplate } from './template.ts'

/** What of a card has been read, by the files' keys. */
export type ReadFiles = ReadonlyMap<string, Buffer>

export interface Camera {
  readonly profile: Profile
  /** Null where nothing on it or about it is its own: then it cannot be told from others of its kind. */
  readonly serial: string | null
  readonly serialFrom: Profile['identity']['serial'][number] | null
  readonly manufacturer: string | null
  readonly model: string | null
  readonly commonName: string | null
  /** Whom the camera says it belongs to. A claim, for people. */
  readonly officer: string | null
  readonly manifest: Manifest | null
  /** Where sources contradict each other, in sentences: a serial number that lies is seen here. */
  readonly disagreements: readonly string[]
}

/** Why a volume is left alone. */
export interface NotACamera {
  readonly notACamera: string
}

/** Larger manifests are no manifests. */
export const MANIFEST_BYTES = 8 * 1024 * 1024
/** Larger tracks and notes are kept and not read. */
export const SIDECAR_BYTES = 1024 * 1024

/** The manifests that profiles would want to look into before anything can be said. */
export function manifestsIn(profiles: readonly Profile[], card: CardListing): CardFile[] {
  const wanted = new Set(profiles.flatMap(({ manifest }) => (manifest === null ? [] : [foldCase(manifest)])))
  return card.files.filter(({ path, length }) => wanted.has(foldCase(path)) && length <= MANIFEST_BYTES)
}

/**
 * Which camera this is. Pure. @param profiles in the order of `profilesFrom`
 * @param read the manifests, as far as they could be read
 */
export function identify(
  profiles: readonly Profile[],
  volume: Volume,
  card: CardListing,
  read: ReadFiles,
): Camera | NotACamera {
  for (const profile of profiles) {
    if (!matches(profile, volume, card)) continue
    const manifest = manifestOf(profile, card, read)
    // A marker with nothing in it that can be used: the files are still taken, by the next profile that knows them.
    if (typeof manifest === 'string' && profile.identity.serial[0] === 'manifest') continue
    return cameraBy(profile, volume, card, typeof manifest === 'string' ? null : manifest)
  }
  if (card.files.length === 0 && card.skipped.length > 0)
    return { notACamera: 'Nothing on it could be read, so that nothing can be said of it.' }
  return { notACamera: 'No profile knows it: neither its USB numbers, its label nor the files on it.' }
}

/** Whether any sign of the profile is there: USB numbers, label, marker, folder or a file of its media. */
export function matches(profile: Profile, volume: Volume, card: CardListing): boolean {
  const { usb, labels, markers, folders, media } = profile.match
  const { vendorId, productId } = volume.usb ?? { vendorId: '', productId: '' }
  if (usb.some((one) => one.vendorId === vendorId && (one.productId === undefined || one.productId === productId)))
    return true
  const label = volume.label?.replaceAll('/', ' ')
  if (label !== undefined && labels.some((pattern) => fits(label, pattern))) return true
  if (markers.some((pattern) => card.files.some(({ path }) => fits(path, pattern)))) return true
  if (folders.some((pattern) => card.folders.some((path) => fits(path, pattern)))) return true
  if (!media) return false
  const named = namesOf(profile)
  return card.files.some(
    (file) => isMedia(profile, file) && (profile.media.names.length === 0 || named(file.name) !== null),
  )
}

export const isMedia = ({ media }: Profile, { path, name }: CardFile): boolean =>
  media.extensions.includes(stemOf(name).extension) && media.folders.some((pattern) => fits(path, pattern))

/** Compiled once for all files of a card. */
export function namesOf({ media }: Profile) {
  const templates = media.names.map(compileTemplate)
  return (name: string) => {
    for (const template of templates) {
      const parts = template.match(name)
      if (parts !== null) return parts
    }
    return null
  }
}

function manifestOf(profile: Profile, card: CardListing, read: ReadFiles): Manifest | string {
  const path = profile.manifest
  if (path === null) return 'This profile has no manifest.'
  // Twins in case only: the first by its bytes, which is how the card was walked.
  const file = card.files.find((one) => foldCase(one.path) === foldCase(path))
  const bytes = file === undefined ? undefined : read.get(file.key)
  return bytes === undefined ? `${path} could not be read.` : readManifest(bytes)
}

function cameraBy(profile: Profile, volume: Volume, card: CardListing, manifest: Manifest | null): Camera {
  const named = namesOf(profile)
  const inNames = new Set<string>()
  for (const file of card.files) {
    const serial = isMedia(profile, file) ? named(file.name)?.fields.get('serial') : undefined
    if (serial !== undefined) inNames.add(serial)
  }
  const [ofNames, ...others] = inNames
  const serials: Record<Profile['identity']['serial'][number], string | null> = {
    manifest: manifest?.camera.serialNumber ?? null,
    usb: volume.usb?.serial ?? null,
    // Several serial numbers on one card are no serial number of the card.
    name: others.length === 0 ? (ofNames ?? null) : null,
    label: volume.label,
    filesystem: volume.uuid,
  }
  const serialFrom = profile.identity.serial.find((source) => serials[source] !== null) ?? null
  return {
    profile,
    serial: serialFrom === null ? null : serials[serialFrom],
    serialFrom,
    manufacturer: manifest?.camera.manufacturer ?? profile.identity.manufacturer,
    model: manifest?.camera.model ?? profile.identity.model,
    commonName: manifest?.camera.commonName ?? null,
    officer: manifest?.officer ?? null,
    manifest,
    disagreements: disagreementsOf(serials, [...inNames]),
  }
}

/** Only of what speaks of the camera itself: a card's label and number are the card's. */
function disagreementsOf(
  serials: Readonly<Record<'manifest' | 'usb', string | null>>,
  inNames: readonly string[],
): string[] {
  const found: string[] = []
  const { manifest, usb } = serials
  if (manifest !== null && usb !== null && manifest !== usb)
    found.push(`Its manifest says serial number ${manifest}, the USB device says ${usb}.`)
  const other = inNames.filter((serial) => serial !== (manifest ?? inNames[0]))
  if (other.length > 0)
    found.push(
      `Files on it are named for other serial numbers: ${other.slice(0, 5).join(', ')}${other.length > 5 ? ' …' : ''}.`,
    )
  return found
}
