/** From the bytes of a message to what it says, or to why it cannot be read. Pure. */
import type { z } from 'zod'
import { fieldOf, MAPPED_NAMES, type MappedName } from '../../../shared/cases/fields.ts'
import { CadEvent } from '../../../shared/dispatch/cad.contract.ts'
import type { CaseMembers } from '../../kernel/cases/cad-case.ts'
import { Fault } from '../../../shared/kernel/errors.ts'
import { type CadMapping, eventIn, type FieldTexts, isMembers, textsOf } from '../../../shared/dispatch/cad-mapping.ts'
import { cadReason } from '../../../shared/messages/cad-reasons.ts'
import { unusableName } from '../../../shared/kernel/names.ts'

export type Event = z.output<typeof CadEvent>
export interface MessageProblem {
  readonly path: string
  readonly message: string
}

export type Readable = Extract<Read, { readable: true }>
export type Read =
  | {
      readonly readable: true
      readonly event: Event
      /** Its members as they came, without those that say nothing. */
      readonly stated: Readonly<Record<string, unknown>>
      readonly texts: FieldTexts
      /** What did not fit and was left out or cut, in words. */
      readonly notes: readonly string[]
    }
  | {
      readonly readable: false
      readonly problems: readonly MessageProblem[]
      /** Where the message tells at least that much. */
      readonly eventId: string | null
      readonly transactionId: string | null
    }

/** As bodies are read everywhere: strictly, so that nobody reads a message otherwise than the one who sent it. Throws what it cannot read. */
export type ParseJson = (text: string, mostParts?: number) => unknown
/** Undefined: it is not JSON. */
export type Found = { readonly value: unknown } | { readonly problem: MessageProblem } | undefined

/** Members and elements of one message: what is read without anybody else waiting for it. */
export const MOST_MESSAGE_PARTS = 20_000

/** Of a body the one value in it, or the one at a place of a batch, of which nothing else is read. @returns undefined where there is none */
export function valueIn(body: Uint8Array, position: number | null, parse: ParseJson): Found {
  const bytes = position === null ? body : elementsOf(body)?.[position]
  return bytes === undefined ? undefined : valueOf(bytes, parse)
}

export function valueOf(bytes: Uint8Array, parse: ParseJson): Found {
  try {
    return { value: parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), MOST_MESSAGE_PARTS) }
  } catch (error) {
    return error instanceof Fault && error.code === 'BodyTooLarge'
      ? { problem: { path: '', message: cadReason('tooManyParts', { most: MOST_MESSAGE_PARTS }) } }
      : undefined
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The bytes of each element of a well-formed JSON array, in one pass and without building anything; null for any other value. */
export function elementsOf(body: Uint8Array): Uint8Array[] | null {
  const elements: Uint8Array[] = []
  let depth = 0
  let start = -1
  const end = (at: number): void => {
    if (start !== -1) elements.push(body.subarray(start, at))
    start = -1
  }
  for (let at = 0; at < body.length; at++) {
    const code = body[at] as number
    // White space, and the byte order mark in front of everything.
    if (code <= 0x20 || (depth === 0 && code >= 0x80)) continue
    if (depth === 0 && code !== 0x5b) return elements.length > 0 ? elements : null
    if (depth === 1 && start === -1 && code !== 0x2c && code !== 0x5d) start = at
    if (code === QUOTE) {
      at++
      while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1
    } else if (code === 0x7b || code === 0x5b) depth++
    else if (code === 0x7d || code === 0x5d) {
      if (--depth === 0) {
        end(at)
        return elements
      }
    } else if (code === 0x2c && depth === 1) end(at)
  }
  return null
}

const NOT_JSON: MessageProblem = { path: '', message: cadReason('notJson') }
const MOST_CUSTOM_BYTES = 64 * 1024

export function readMessage(found: Found, mapping: CadMapping): Read {
  const unreadable = (problems: readonly MessageProblem[], stated: Readonly<Record<string, unknown>> = {}): Read => ({
    readable: false,
    problems,
    eventId: shortText(stated['eventId']),
    transactionId: shortText(stated['transactionId']),
  })
  if (found === undefined) return unreadable([NOT_JSON])
  if ('problem' in found) return unreadable([found.problem])
  if (!isMembers(found.value)) return unreadable([{ path: '', message: cadReason('noObject') }])
  const stated = eventIn(found.value, mapping)
  const parsed = CadEvent.safeParse(stated)
  if (!parsed.success)
    return unreadable(
      parsed.error.issues.map(({ path, message }) => ({
        path: path.map(String).join('.'),
        message: stated[String(path[0])] === undefined ? cadReason('missing') : message,
      })),
      stated,
    )
  const notes: string[] = []
  return {
    readable: true,
    event: parsed.data,
    stated,
    texts: fitting(textsOf(found.value, stated, mapping), notes),
    notes,
  }
}

/** The fields of a case that an event fills, under the names of CaseModel. The category and the place are looked up or put together apart. */
export function caseMembers({ event, texts }: Readable): CaseMembers {
  return {
    ...texts.members,
    ExternalReferenceId2: event.eventId,
    OccurredOn: event.eventStartTimeUtc.text,
    EndedOn: event.eventEndTimeUtc?.text,
  }
}

const shortText = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= 256 && value.isWellFormed() && !value.includes('\0')
    ? value
    : typeof value === 'number'
      ? String(value)
      : null

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** A field as a sentence begins with it. The title of a case is the name of its event. */
function whatIs(name: MappedName): string {
  const what = name === 'Title' ? 'the name' : (fieldOf(name).description ?? name)
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}`
}

/** What is taken of a text that a person could not have typed: a call must not be lost for it. */
function fitting(texts: FieldTexts, notes: string[]): FieldTexts {
  const plain = (text: string): string => text.toWellFormed().replaceAll(CONTROL, ' ').normalize('NFC')
  const oneLine = (text: string, most: number, what: string): string | undefined => {
    const line = plain(text).replaceAll(/\s+/gu, ' ').trim()
    if (line.length > most) notes.push(cadReason('cut', { what, most }))
    return line === '' ? undefined : line.slice(0, most).toWellFormed().trim()
  }
  const category = texts.category === undefined ? undefined : oneLine(texts.category, 256, cadReason('theCategory'))
  const members = MAPPED_NAMES.flatMap((name) => {
    const text = texts.members[name]
    if (text === undefined) return []
    const { kind, most = 0 } = fieldOf(name)
    const fits = kind === 'text' ? plain(text).slice(0, most).toWellFormed() : oneLine(text, most, whatIs(name))
    return fits === undefined ? [] : [[name, fits] as const]
  })
  const custom = Object.entries(texts.custom).flatMap((given) => {
    const [name, value] = given.map((text) => text.replaceAll('\0', ' ')) as [string, string]
    const usable = name !== '' && name.length <= 256 && name.isWellFormed()
    const small = Buffer.byteLength(value) <= MOST_CUSTOM_BYTES && value.isWellFormed()
    if (usable && small) return [[name, value] as const]
    notes.push(cadReason('noField', { name: plain(name).slice(0, 64) }))
    return []
  })
  return {
    members: Object.fromEntries(members) as FieldTexts['members'],
    category: category !== undefined && unusableName(category) === null ? category : undefined,
    tags: texts.tags.flatMap((tag) => oneLine(tag, 64, cadReason('aTag')) ?? []),
    custom: Object.fromEntries(custom),
  }
}
