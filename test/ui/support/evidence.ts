/** An evidence on a station of its own, and somebody who looks at its page. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { type Given, givenStation, type Json } from '../../support/given.ts'
import { look, type Looking, type LookOptions, signIn } from './window.ts'

/** What a page comes to, on a machine that has other work too. */
export const soon = <T>(look: () => T) => expect.poll(look, { timeout: 10_000, interval: 60 })

export interface OnPage extends Looking {
  readonly given: Given
  readonly evidenceId: string
}

export const stationForPages = (): Promise<Given> =>
  givenStation({ settings: { stationName: 'Harrow Quay', timeZone: 'Europe/Berlin' } })

/** Members of the evidence and of its resource as they are said when they are made. */
export interface Said {
  readonly evidence?: Record<string, unknown>
  readonly resource?: Record<string, unknown>
}

/** Adds a file the way strangers do. */
export async function added(
  given: Given,
  file: string | { readonly name: string; readonly bytes: Uint8Array },
  { evidence = {}, resource = {} }: Said = {},
): Promise<{ evidenceId: string; resourceId: string }> {
  const { name, bytes } = typeof file === 'string' ? { name: path.basename(file), bytes: readFileSync(file) } : file
  const { EvidenceId: evidenceId } = await given.evidence({ Name: name, ...evidence })
  const open: Json = await given.resource(evidenceId, { Name: name, ...resource })
  await given.put(open.UploadUri, bytes)
  await given.expecting(
    200,
    given.call('POST', `${given.documents}/evidence/${evidenceId}/resource/${open.ResourceId}/complete`, { body: {} }),
  )
  return { evidenceId, resourceId: open.ResourceId }
}

/** Looks at an evidence whose work is done. */
export async function onPage(
  given: Given,
  evidenceId: string,
  options: LookOptions & { at?: string } = {},
): Promise<OnPage> {
  await given.settled(evidenceId)
  const looking = await look(given.url, options)
  await signIn(looking.page, given.url, `/evidence/${evidenceId}${options.at ?? ''}`)
  return { ...looking, given, evidenceId }
}

/** A station for one test. */
export async function givenPage(
  file: Parameters<typeof added>[1],
  said: Said = {},
  options: LookOptions & { at?: string } = {},
) {
  const given = await stationForPages()
  onTestFinished(() => given.close())
  const { evidenceId, resourceId } = await added(given, file, said)
  return { ...(await onPage(given, evidenceId, options)), resourceId }
}
