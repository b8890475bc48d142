/**
 * Third-party notices: name, version, licence, licence text and, where the licence asks for it, the address of the source of every package
 * that ships. Packages of the program come from package-lock.json; those of the pages from what the bundler put into them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Notice {
  readonly name: string
  readonly version: string
  /** An SPDX expression. */
  readonly license: string
  readonly author: string
  /** Where the source is; null where the package does not say. */
  readonly source: string | null
  readonly text: string
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string | { readonly type: string }
  readonly author?: string | { readonly name: string }
  readonly repository?: string | { readonly url: string }
}

/** Manifests that name no licence; what their licence file says. */
const UNNAMED_LICENSES: Readonly<Record<string, string>> = { 'png-js': 'MIT' }

/** Licences under which the source of the package has to be named to whoever gets the program. */
const SOURCE_REQUIRED = /\b[AL]?GPL|MPL|EPL|CDDL/

/** Folders below node_modules of every package that the program needs when it runs and that is installed on this machine. */
export function programPackages(): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>
  }
  return Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
    .map(([path]) => path)
    .filter((path) => existsSync(join(root, path, 'package.json')))
}

/** The folder of the package that a bundled file comes from, relative to the repository; null for files of our own. */
export function packageOf(file: string): string | null {
  const found = /^(?:.*?\/)?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(
    file.replaceAll('\\', '/'),
  )
  return found?.[1] ?? null
}

/** @throws where a package names no licence, or one whose source nobody can find. */
export function noticeOf(folder: string): Notice {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
  const { name, version } = manifest
  const declared = typeof manifest.license === 'object' ? manifest.license.type : manifest.license
  const license = declared ?? UNNAMED_LICENSES[name]
  if (license === undefined)
    throw new Error(`${name} ${version} names no licence. Read its files and add it to UNNAMED_LICENSES.`)
  const source = addressOf(manifest.repository)
  if (source === null && SOURCE_REQUIRED.test(license))
    throw new Error(`${name} ${version} (${license}) names no source.`)
  const author =
    typeof manifest.author === 'object' ? manifest.author.name : (manifest.author ?? `the authors of ${name}`)
  return { name, version, license, author, source, text: licenseText(folder) ?? standardText(license, author) }
}

function addressOf(repository: Manifest['repository']): string | null {
  const url = typeof repository === 'object' ? repository.url : repository
  if (url === undefined) return null
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(url)
  return short
    ? `https://github.com/${short[1]}`
    : url
        .replace(/^git\+/, '')
        .replace(/^git:/, 'https:')
        .replace(/\.git$/, '')
}

/** Licence and notice files as they lie in the package; null where it has none. */
function licenseText(folder: string): string | null {
  const files = readdirSync(join(root, folder))
    .filter((file) => /^(?:licen[cs]e|copying|notice|ofl)(?:[-.].*)?$/i.test(file))
    .toSorted()
  if (files.length === 0) return null
  return files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim()).join('\n\n')
}

/** For packages that name a licence and carry no text of it. */
function standardText(license: string, author: string): string {
  if (license === 'MIT') return MIT.replace('<holder>', author)
  return `Licensed under ${license}; the package carries no text of it. See https://spdx.org/licenses/${license}.html`
}

export function noticesText(title: string, notices: readonly Notice[]): string {
  const sorted = notices.toSorted((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version))
  const head = `${title}\n\n${sorted.map(({ name, version, license }) => `${name} ${version}: ${license}`).join('\n')}\n`
  const parts = sorted.map(({ name, version, license, source, text }) =>
    [
      `${'-'.repeat(72)}\n${name} ${version}\nLicence: ${license}`,
      ...(source === null ? [] : [`Source: ${source}`]),
      `\n${text}\n`,
    ].join('\n'),
  )
  return [head, ...parts].join('\n')
}

const MIT = `Copyright (c) <holder>

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH
THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
