/** Messages between whoever waits for a ZIP file and the thread that writes it. */
import type { Failure } from '../workers/messages.ts'
import type { WrittenFile } from './package-writer.ts'
import type { ZipOptions } from './zip-file.ts'

export type ZipSettings = Omit<ZipOptions, 'onBytes'>

export type AskedOfZip =
  | { readonly op: 'file'; readonly source: string; readonly to: WrittenFile }
  | { readonly op: 'bytes'; readonly path: string; readonly bytes: Uint8Array }
  | { readonly op: 'layout' }
  | { readonly op: 'end' }
  | { readonly op: 'close' }
export type ToZip = AskedOfZip & { readonly id: number }

export type FromZip =
  | { readonly op: 'done'; readonly id: number; readonly answer: unknown }
  | { readonly op: 'failed'; readonly id: number; readonly failure: Failure }
  /** Bytes read since the last one. */
  | { readonly op: 'progress'; readonly bytes: number }
