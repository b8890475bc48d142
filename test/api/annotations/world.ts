/** A station with a second of film, and people who may do more or less with it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { CallOptions, Json, Reply } from '../../support/given.ts'
import { casesWorld, type CasesWorld, type Person } from '../cases/world.ts'

export interface AnnotationWorld extends CasesWorld {
  /** The original of the film; of `maker`, who has Manage. */
  readonly clip: Json
  /** Of the evidence with the film. */
  readonly place: string
  /** Gives a level on the film. */
  allow(who: Person, level: string): Promise<void>
  as(who: Person, method: string, place: string, body?: unknown, more?: CallOptions): Promise<Reply>
}

export async function annotationWorld(): Promise<AnnotationWorld> {
  const world = await casesWorld()
  const { given, maker } = world
  const file = path.join(given.dir, 'clip.mp4')
  const sources = ['-f', 'lavfi', '-i', 'testsrc=s=160x120:r=10:d=2', '-f', 'lavfi', '-i', 'sine=d=2']
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...sources, ...codecs, '-movflags', '+faststart', file])
  const { evidenceId } = await given.completed(readFileSync(file), { name: 'clip.mp4' })
  const clip = (await given.settled(evidenceId)).find((one) => one.Parent === null)
  const place = `${given.documents}/evidence/${evidenceId}`
  const levels = new Map<Person, string>([[maker, 'Manage']])
  const write = async (): Promise<void> => {
    const { ConcurrencyId } = await given.expecting(200, given.call('GET', place))
    const own = {
      Permissions: 'Manage',
      PrincipalId: given.principalId,
      KId: given.connection.ServicePrincipalKey.kid,
      PrincipalType: 'service',
    }
    const AccessPolicies = [own, ...[...levels].map(([who, level]) => world.policy(who, level))]
    await given.expecting(200, given.call('PATCH', place, { body: { ConcurrencyId, AccessPolicies } }))
  }
  await write()
  return {
    ...world,
    clip,
    place,
    allow: async (who, level) => {
      levels.set(who, level)
      await write()
    },
    as: (who, method, address, body, more = {}) =>
      given.call(method, address, { token: who.token, ...(body === undefined ? {} : { body }), ...more }),
  }
}
