/**
 * The fields that say what a device is, each of them once (house rule 8): contract, columns, what is stored and changed, answers, form and
 * facts follow from this table.
 */
import { z } from 'zod'
import { type Field, FIELD_KINDS, fieldMembers, line } from '../kernel/fields.ts'
import type { devices } from './messages.en.ts'

type Word = Exclude<keyof typeof devices, `${string}_${'one' | 'other'}`>

export interface DeviceField extends Field<keyof typeof KINDS> {
  readonly most: number
  readonly label: Word
  /** Below its input. */
  readonly how?: Word
  /** No words of a language: its spelling is not checked. */
  readonly code?: true
}

const KINDS = {
  ...FIELD_KINDS,
  /** By these it is recognised: they hold identical values on every call (interfaces.md 2.6). */
  identity: { input: (most: number) => line(most, 1), output: z.string() },
  /** Free text; `None` and `BodyWornCamera` are shown. What is absent or empty is `None`. */
  type: {
    input: (most: number) =>
      line(most)
        .nullish()
        .transform((text) => text || 'None'),
    output: z.string(),
  },
}

export const DEVICE_FIELDS = {
  SerialNumber: {
    kind: 'identity',
    column: 'serial_number',
    most: 256,
    label: 'serial',
    how: 'serialHow',
    code: true,
  },
  Manufacturer: { kind: 'identity', column: 'manufacturer', most: 256, label: 'manufacturer' },
  Model: { kind: 'line', column: 'model', most: 256, label: 'model' },
  CommonName: { kind: 'line', column: 'common_name', most: 256, label: 'commonName', how: 'commonNameHow' },
  DeviceType: { kind: 'type', column: 'device_type', most: 256, label: 'type', how: 'typeHow', code: true },
} as const satisfies Readonly<Record<string, DeviceField>>

type Fields = typeof DEVICE_FIELDS
export type DeviceFieldName = keyof Fields
export type IdentificationName = Exclude<DeviceFieldName, 'DeviceType'>
type OfKind<Kind> = { [N in DeviceFieldName]: Fields[N]['kind'] extends Kind ? N : never }[DeviceFieldName]

/** The columns of the fields, as the table `devices` has them. */
export type DeviceFieldColumns = { [N in OfKind<'identity' | 'type'> as Fields[N]['column']]: string } & {
  [N in OfKind<'line'> as Fields[N]['column']]: string | null
}

export const DEVICE_FIELD_NAMES = Object.keys(DEVICE_FIELDS) as readonly DeviceFieldName[]
export const fieldOf = (name: DeviceFieldName): DeviceField => DEVICE_FIELDS[name]

/** What it is recognised by. */
export const IDENTITY_NAMES = DEVICE_FIELD_NAMES.filter((name) => fieldOf(name).kind === 'identity')
/** What it may say anew. */
export const CHANGEABLE_NAMES = DEVICE_FIELD_NAMES.filter((name) => fieldOf(name).kind !== 'identity')
/** The members of DeviceIdentification. */
export const IDENTIFICATION_NAMES = DEVICE_FIELD_NAMES.filter(
  (name): name is IdentificationName => fieldOf(name).kind !== 'type',
)

export const { inputsOf, outputsOf } = fieldMembers(KINDS, DEVICE_FIELDS)
