/**
 * A station that was set up and stopped. It is made once a run, by the first test that asks for it; the stations of all others begin with a
 * copy of its folder. So they have the same keys: where two of them meet, one has to be made anew.
 */
import { constants, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import type { ConnectionFile } from './integrator.ts'

export interface Template {
  readonly connection: ConnectionFile
  /** Where it answered; its connection file bears this. */
  readonly url: string
}

/** Names the folder to the processes of a run (vitest.config.ts); where it is not set every station is made anew. */
const FOLDER = 'SALLYPORT_TEST_TEMPLATE'

/** vitest's `globalSetup`: the folder is removed after the suites, and before they run once more over sources that changed. */
export function setup(project: TestProject): () => void {
  const folder = project.config.env[FOLDER]
  const remove = (): void => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
  project.onTestsRerun(remove)
  return remove
}

/** @returns null where the run has no template: then nothing was made */
export async function copyTemplate(data: string, make: (data: string) => Promise<Template>): Promise<Template | null> {
  const folder = process.env[FOLDER]
  if (folder === undefined) return null
  const ready = await made(folder, make)
  cpSync(path.join(ready, 'data'), data, { recursive: true, mode: constants.COPYFILE_FICLONE })
  return JSON.parse(readFileSync(path.join(ready, 'template.json'), 'utf8')) as Template
}

/** Whoever comes first makes it; the others wait. */
async function made(folder: string, make: (data: string) => Promise<Template>): Promise<string> {
  const ready = path.join(folder, 'ready')
  const making = path.join(folder, 'making')
  mkdirSync(folder, { recursive: true })
  while (!existsSync(ready)) {
    if (!isFirst(making)) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      continue
    }
    try {
      // Another one may have made it between the two looks.
      if (existsSync(ready)) break
      const template = await make(path.join(making, 'data'))
      writeFileSync(path.join(making, 'template.json'), JSON.stringify(template))
      renameSync(making, ready)
    } finally {
      rmSync(making, { recursive: true, force: true })
    }
  }
  return ready
}

function isFirst(making: string): boolean {
  try {
    mkdirSync(making)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** The template's connection file as a station at `url` gives it. */
export const connectionAt = ({ connection, url: was }: Template, url: string): ConnectionFile =>
  JSON.parse(JSON.stringify(connection).replaceAll(was, url)) as ConnectionFile
