/** The switches that are burnt into the packaged runtime (docs/guarantees.md, Electron), and whether they are as they must be. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { flipFuses, FuseState, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses'

/** `true`: on. A fuse that is not named stays as Electron has it. */
export const FUSES = {
  RunAsNode: false,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  OnlyLoadAppFromAsar: true,
  EnableEmbeddedAsarIntegrityValidation: true,
  EnableCookieEncryption: true,
  GrantFileProtocolExtraPrivileges: false,
} as const satisfies Partial<Record<keyof typeof FuseV1Options, boolean>>

/** In every true runtime, before its fuses. */
const SENTINEL = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX')

/** Where the fuses of a packaged program lie. @param folder as electron-builder names it. */
export function runtimeFile(platform: string, folder: string): string {
  if (platform === 'darwin')
    return join(folder, 'Sallyport.app/Contents/Frameworks/Electron Framework.framework/Electron Framework')
  return join(folder, platform === 'win32' ? 'Sallyport.exe' : 'sallyport')
}

export const isTrueRuntime = (file: string): boolean => readFileSync(file).includes(SENTINEL)

/** @param program the executable, or the .app folder on macOS. */
export async function setFuses(program: string, platform: string): Promise<void> {
  await flipFuses(program, {
    version: FuseVersion.V1,
    // A changed binary has lost its signature, and arm64 starts no unsigned one.
    resetAdHocDarwinSignature: platform === 'darwin',
    ...Object.fromEntries(Object.entries(FUSES).map(([name, on]) => [FuseV1Options[name as keyof typeof FUSES], on])),
  } as Parameters<typeof flipFuses>[1])
}

/** @returns every fuse that is not as it must be; empty when all is well. */
export async function wrongFuses(program: string): Promise<string[]> {
  const wire = await getCurrentFuseWire(program)
  return Object.entries(FUSES).flatMap(([name, on]) => {
    const found = wire[FuseV1Options[name as keyof typeof FUSES]]
    return found === (on ? FuseState.ENABLE : FuseState.DISABLE) ? [] : [`${name} must be ${on ? 'on' : 'off'}`]
  })
}
