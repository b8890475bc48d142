/** Rows of tables as lines of JSON: an object for each row, with its columns in order. */
import type { RowValue } from '../../../kernel/database/row-copy.ts'

export type JsonValue = string | number | null | { readonly $int: string } | { readonly $bytes: string }
export type JsonRow = Readonly<Record<string, JsonValue>>

export function jsonValue(value: RowValue): JsonValue {
  if (typeof value === 'bigint')
    return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER)
      ? Number(value)
      : { $int: String(value) }
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') }
  return value
}

export const rowLine = (row: JsonRow): string => `${JSON.stringify(row)}\n`

/** @throws Error for anything but an object of columns */
export function readRowLine(line: string): JsonRow {
  const row = JSON.parse(line) as unknown
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new Error('It is no row.')
  for (const [column, value] of Object.entries(row)) if (!isValue(value)) throw new Error(`${column} is no value.`)
  return row as JsonRow
}

function isValue(value: unknown): value is JsonValue {
  if (value === null || typeof value === 'string') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || Object.keys(value).length !== 1) return false
  if ('$int' in value) return typeof value.$int === 'string' && /^-?\d{1,19}$/.test(value.$int)
  return '$bytes' in value && typeof value.$bytes === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value.$bytes)
}

/** As a statement takes it. */
export function boundValue(value: JsonValue): string | number | bigint | Uint8Array | null {
  if (value === null || typeof value !== 'object') return value
  return '$int' in value ? BigInt(value.$int) : Buffer.from(value.$bytes, 'base64')
}
