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

const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The library's announcer names a button that is busy, for seven seconds, also when its page is gone by then. */
const ANNOUNCER: readonly (readonly string[])[] = [['[data-live-announcer]']]

export async function findings(page: Page, except = ANNOUNCER): Promise<string[]> {
  return run(page, { type: 'tag', values: EVERYTHING }, except)
}

/** Everything in the light theme; of the others what a theme can change, the contrast, on the very same screen. */
export async function findingsInThemes(page: Page): Promise<string[]> {
  const found = await run(page, { type: 'tag', values: EVERYTHING }, ANNOUNCER)
  for (const theme of ['dark', 'contrast']) {
    await wear(page, theme)
    for (const line of await run(page, { type: 'rule', values: ['color-contrast'] }, ANNOUNCER))
      found.push(`${theme}: ${line}`)
  }
  await page.evaluate(() => {
    delete document.documentElement.dataset['theme']
  })
  return found
}

/** Puts what is on the screen into a theme. */
export async function wear(page: Page, theme: string): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset['theme'] = name
  }, theme)
  await transitionsEnded(page)
}

/** Colours, and dialogs that open or close, change over time, on a busy machine over more of it: half-way a contrast is too low. */
async function transitionsEnded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let now = running(); now.length > 0; now = running()) await Promise.allSettled(now.map((one) => one.finished))

    function running(): Animation[] {
      void document.body.offsetWidth
      return document.getAnimations().filter((one) => one instanceof CSSTransition && one.playState === 'running')
    }
  })
}

async function run(
  page: Page,
  runOnly: { type: 'tag' | 'rule'; values: readonly string[] },
  except: readonly (readonly string[])[],
): Promise<string[]> {
  // Through the debugger: the page's own policy allows no script that is not the station's.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  await transitionsEnded(page)
  const violations = (await page.evaluate(
    async ([exclude, only]) => {
      const { axe } = window as unknown as {
        axe: { run(context: unknown, options: unknown): Promise<{ violations: unknown }> }
      }
      return (await axe.run({ exclude }, { runOnly: only, resultTypes: ['violations'] })).violations
    },
    [except, runOnly] as const,
  )) as readonly Finding[]
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${id} (${help}): ${html.slice(0, 200)} ${failureSummary.replaceAll(/\s+/g, ' ')}`,
    ),
  )
}
