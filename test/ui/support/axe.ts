/** axe-core over what is on the screen now (WCAG 2.2 AA and its best practices), a line for each finding. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

export async function findings(page: Page): Promise<string[]> {
  // Through the debugger: the page's own policy allows no script that is not the station's.
  await page.evaluate(source)
  const violations = (await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(context: unknown, options: unknown): Promise<{ violations: unknown }> }
    }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    // The library's announcer names a button that is busy, for seven seconds, also when its page is gone by then.
    const what = { exclude: [['[data-live-announcer]']] }
    return (await axe.run(what, { runOnly: { type: 'tag', values: tags } })).violations
  })) as readonly Finding[]
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${id} (${help}): ${html.slice(0, 200)} ${failureSummary.replaceAll(/\s+/g, ' ')}`,
    ),
  )
}
