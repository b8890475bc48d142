/** Work for a station that takes as long as a test wants, and how it is seen from outside. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { NODE } from '../support/station.ts'
import { cleanEnvironment, ROOT } from './shell.ts'

export const readyz = async (url: string): Promise<string> =>
  ((await (await fetch(`${url}/readyz`)).json()) as { Status: string }).Status

/** Media programs that never end: whatever the station does with them goes on until it stops them. */
export function endlessTools(folder: string): string {
  const tools = path.join(folder, 'tools')
  mkdirSync(tools)
  for (const name of ['ffmpeg', 'ffprobe']) {
    const file = path.join(tools, name)
    writeFileSync(file, `#!/bin/sh\ncase "$*" in *-version*) echo "${name} version 1.0" ;; *) exec sleep 300 ;; esac\n`)
    chmodSync(file, 0o755)
  }
  return tools
}

/** A small true MP4. */
export function aClip(folder: string): string {
  const file = path.join(folder, 'clip.mp4')
  const args = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=d=1:s=160x120:r=5', '-pix_fmt', 'yuv420p', '-y', file]
  const made = spawnSync('ffmpeg', args)
  if (made.status !== 0) throw new Error(`ffmpeg made no clip: ${made.stderr?.toString()}`)
  return file
}

/** A command of the terminal, at the running station. @throws with what it said when it did not do what it says. */
export function command(data: string, name: string, ...given: readonly string[]): string {
  const args = ['server/bin/sallyport.ts', name, '--data', data, ...given]
  const done = spawnSync(NODE, args, { cwd: ROOT, env: cleanEnvironment() })
  if (done.status !== 0) throw new Error(`The station did not do ${name}: ${done.stderr.toString()}`)
  return done.stdout.toString()
}

/** Takes a file in, as a person at the terminal does. */
export const ingest = (data: string, file: string): string => command(data, 'ingest', file)
