/** After electron-builder laid the program down and before it signs it: the fuses. */
import { join } from 'node:path'
import { isTrueRuntime, runtimeFile, setFuses, wrongFuses } from './fuses.ts'

interface Packed {
  readonly appOutDir: string
  readonly electronPlatformName: string
}

/** Set by build/scripts/package.ts, which made the runtime up itself. */
export const MADE_UP = 'SALLYPORT_TEST_MADE_UP_RUNTIME'

export default async function afterPack({ appOutDir, electronPlatformName: platform }: Packed): Promise<void> {
  const file = runtimeFile(platform, appOutDir)
  if (!isTrueRuntime(file)) {
    if (process.env[MADE_UP] !== '1') throw new Error(`${file} is no runtime of Electron: its fuses cannot be set.`)
    process.stderr.write('SKIPPED: the fuses are not set, because this runtime is made up.\n')
    return
  }
  const program = platform === 'darwin' ? join(appOutDir, 'Sallyport.app') : file
  await setFuses(program, platform)
  const wrong = await wrongFuses(program)
  if (wrong.length > 0) throw new Error(`The fuses did not take: ${wrong.join(', ')}.`)
}
