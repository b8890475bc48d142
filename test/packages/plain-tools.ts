/** A Debian root that has coreutils, openssl and a POSIX shell, and nothing else: what a stranger verifies a package with. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import path from 'node:path'

export interface PlainTools {
  /** Runs a script by `sh` in the package's folder, which it cannot change. No network, no other file of this machine. */
  run(packageFolder: string, script: string): { readonly code: number; readonly output: string }
}

const SHELL = '/usr/bin/dash'
/** Of bwrap: no network, no other process, no environment. */
const ALONE = ['--unshare-all', '--die-with-parent', '--clearenv', '--setenv', 'PATH', '/usr/bin']
const PRIVATE = ['--dev', '/dev', '--tmpfs', '/tmp']
const SCRIPT = ['--chdir', '/package', '/usr/bin/sh', '-c']
const OPENSSL = '/usr/bin/openssl'

/** @param folder an empty one */
export function plainTools(folder: string): PlainTools {
  const lines = (program: string, ...args: string[]): string[] =>
    execFileSync(program, args, { encoding: 'utf8' }).split('\n')
  const programs = [
    ...lines('dpkg', '-L', 'coreutils').filter((file) => /^\/(usr\/)?bin\/./.test(file)),
    SHELL,
    OPENSSL,
  ].map((file) => realpathSync(file))
  mkdirSync(path.join(folder, 'usr', 'bin'), { recursive: true })
  for (const name of ['dev', 'tmp', 'package']) mkdirSync(path.join(folder, name))
  symlinkSync('usr/bin', path.join(folder, 'bin'))
  for (const one of programs) cpSync(one, path.join(folder, 'usr', 'bin', path.basename(one)))
  symlinkSync('dash', path.join(folder, 'usr', 'bin', 'sh'))
  const libraries = new Set(
    programs.flatMap(
      (one) =>
        // A script has none.
        (spawnSync('ldd', [one], { encoding: 'utf8' }).stdout ?? '').match(/\/\S+\.so\S*/g) ?? [],
    ),
  )
  for (const library of libraries) cpSync(realpathSync(library), path.join(folder, library), { recursive: true })
  return {
    run: (packageFolder, script) => {
      const { status, stdout, stderr } = spawnSync(
        'bwrap',
        [...ALONE, '--ro-bind', folder, '/', ...PRIVATE, '--ro-bind', packageFolder, '/package', ...SCRIPT, script],
        { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
      )
      return { code: status ?? -1, output: `${stdout}${stderr}` }
    },
  }
}

/** The commands of a `VERIFY.txt`, block by block: indented lines, as the text itself says. Not the product's own reader. */
export const commandsOf = (text: string): string[] =>
  [...text.matchAll(/(?:^ {4}.*\n)+/gm)].map(([block]) => block.replaceAll(/^ {4}/gm, ''))
