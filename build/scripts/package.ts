/**
 * `npm run package -- [--dir] [--linux|--win|--mac] …`: builds, then electron-builder with the further arguments. With `--dir` and no
 * runtime to be had, one is made up, so that what is packed can be looked at; it says so, and nothing of it can be released.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MADE_UP } from './after-pack.ts'
import { ensureApp } from './app.ts'
import { ensureRenderer } from './renderer.ts'
import { whyUnreachable } from './runtime.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** As little as electron-builder takes for a runtime on Linux. */
function madeUpRuntime(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-runtime-'))
  mkdirSync(join(folder, 'resources'))
  mkdirSync(join(folder, 'locales'))
  for (const name of ['en-US', 'fr', 'de']) writeFileSync(join(folder, `locales/${name}.pak`), '')
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version']) writeFileSync(join(folder, name), 'made up\n')
  writeFileSync(join(folder, 'electron'), '#!/bin/sh\necho "This runtime is made up." >&2\nexit 1\n')
  chmodSync(join(folder, 'electron'), 0o755)
  return folder
}

async function main(args: readonly string[]): Promise<number> {
  await ensureApp()
  await ensureRenderer()
  const dir = args.includes('--dir')
  const unreachable = dir && process.platform === 'linux' ? await whyUnreachable(process.env) : null
  const runtime = unreachable === null ? null : madeUpRuntime()
  if (runtime !== null)
    process.stderr.write(
      `Electron's runtime cannot be fetched (${unreachable}): this package is around a made-up one.\n`,
    )
  try {
    const builder = join(root, 'node_modules/electron-builder/cli.js')
    const given = runtime === null ? [] : [`-c.electronDist=${runtime}`]
    const { status } = spawnSync(process.execPath, [builder, '--publish', 'never', ...args, ...given], {
      cwd: root,
      stdio: 'inherit',
      env: {
        // A secret that is not set comes as an empty variable, which electron-builder takes for a file's name.
        ...Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== '')),
        SALLYPORT_RELEASE_FEED: process.env['SALLYPORT_RELEASE_FEED'] || 'https://sallyport.example/updates',
        ...(runtime === null ? {} : { [MADE_UP]: '1' }),
      },
    })
    return status ?? 1
  } finally {
    if (runtime !== null) rmSync(runtime, { recursive: true, force: true })
  }
}

process.exitCode = await main(process.argv.slice(2))
