import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Given, Json } from '../../support/given.ts'

export const resourcePath = (given: Given, one: Json): string =>
  `${given.documents}/evidence/${one.EvidenceId}/resource/${one.ResourceId}`

/** A second of video with sound, of which everything was made; once for each station. */
const clips = new WeakMap<Given, Promise<Json>>()
export function clipOf({ given }: { readonly given: Given }): Promise<Json> {
  const known = clips.get(given) ?? makeClip(given)
  clips.set(given, known)
  return known
}
async function makeClip(given: Given): Promise<Json> {
  const file = path.join(given.dir, 'clip.mp4')
  const picture = ['-f', 'lavfi', '-i', 'testsrc=s=160x120:r=10:d=1', '-f', 'lavfi', '-i', 'sine=d=1']
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...picture, ...codecs, '-movflags', '+faststart', file])
  const { evidenceId } = await given.completed(readFileSync(file), { name: 'clip.mp4' })
  return (await given.settled(evidenceId)).find((one) => one.Parent === null)
}
