/** Signatures verified by the `openssl` program, as a stranger verifies them: not by the library that made them. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './run.ts'

export interface Openssl {
  /** As the program says, such as `OpenSSL 3.0.17 1 Jul 2025`. */
  readonly version: string
  /** ECDSA over SHA-256, in DER. All three are files. @throws Error when the program cannot be run */
  verifySha256(signed: { readonly key: string; readonly signature: string; readonly content: string }): Promise<boolean>
  /** Ed25519. @throws Error when the program cannot be run */
  verifyEd25519(signed: {
    readonly key: string
    readonly signature: string
    readonly content: string
  }): Promise<boolean>
}

/** @param folders searched, first match wins @returns null where it is not installed */
export async function findOpenssl(folders: readonly string[], signal: AbortSignal): Promise<Openssl | null> {
  for (const folder of folders) {
    const file = join(folder, process.platform === 'win32' ? 'openssl.exe' : 'openssl')
    const isProgram = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (!isProgram) continue
    const call = async (args: readonly string[]): Promise<{ readonly ok: boolean; readonly text: string }> => {
      const { end, stdout, stderr } = await run({ file, args, timeoutMs: 20_000, signal, maxStdout: 64 * 1024 })
      signal.throwIfAborted()
      if (end !== 'ok' && end !== 'failed') throw new Error(`${file} could not be run: ${end} ${stderr}`.trim())
      return { ok: end === 'ok', text: stdout.toString('utf8').trim() }
    }
    const { text } = await call(['version'])
    return {
      version: text.split('\n')[0]?.slice(0, 100) ?? '',
      verifySha256: async ({ key, signature, content }) =>
        (await call(['dgst', '-sha256', '-verify', key, '-signature', signature, content])).ok,
      verifyEd25519: async ({ key, signature, content }) =>
        (await call(['pkeyutl', '-verify', '-pubin', '-inkey', key, '-rawin', '-in', content, '-sigfile', signature]))
          .ok,
    }
  }
  return null
}
