/** The scripts that a page fetched so far, counted and as gzip (promise V6). */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'

const built = fileURLToPath(new URL('../../../dist/renderer', import.meta.url))

export interface Scripts {
  readonly files: number
  /** Of 1,000 bytes. */
  readonly gzipKilobytes: number
  /** Each with its kilobytes. */
  readonly each: readonly string[]
}

/** @param before only those that it began to fetch by then, in milliseconds of its own clock */
export async function scriptsOf(page: Page, before = Number.MAX_SAFE_INTEGER): Promise<Scripts> {
  const names = await page.evaluate(
    (until) =>
      performance
        .getEntriesByType('resource')
        .flatMap(({ name, startTime }) => (startTime < until && name.endsWith('.js') ? [new URL(name).pathname] : [])),
    before,
  )
  const sizes = [...new Set(names)].map((name) => {
    const bytes = gzipSync(readFileSync(join(built, name)), { level: 9 }).length
    return { name: basename(name, '.js'), kilobytes: bytes / 1000 }
  })
  return {
    files: sizes.length,
    gzipKilobytes: tenths(sizes.reduce((sum, { kilobytes }) => sum + kilobytes, 0)),
    each: sizes.map(({ name, kilobytes }) => `${name} ${tenths(kilobytes)}`),
  }
}

const tenths = (value: number): number => Math.round(value * 10) / 10
