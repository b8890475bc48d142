import type { Page } from 'playwright-core'

/** What is cut off at a side, or too small for a finger; empty where all is well. */
export async function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    /** In a row that is moved sideways, and that itself is within the page. */
    const moves = (element: Element): boolean => {
      for (let above = element.parentElement; above !== null; above = above.parentElement) {
        const { left, right } = above.getBoundingClientRect()
        if (/auto|scroll/.test(getComputedStyle(above).overflowX) && above.scrollWidth > above.clientWidth)
          return left >= -1 && right <= innerWidth + 1
      }
      return false
    }
    if (document.documentElement.scrollWidth > innerWidth)
      found.push(`the page is ${document.documentElement.scrollWidth} px wide`)
    for (const element of document.querySelectorAll<HTMLElement>(
      'main button, main a, main input, header button, nav a, nav button, [role="dialog"] button, [role="dialog"] a',
    )) {
      const { left, right, width, height } = element.getBoundingClientRect()
      // Behind something folded, out of sight, or a word in a line of text.
      if (width < 2 || height < 2 || moves(element) || !element.checkVisibility({ opacityProperty: true })) continue
      const name = (element.getAttribute('aria-label') ?? element.textContent).slice(0, 40)
      if (left < -1 || right > innerWidth + 1) found.push(`${name} reaches from ${left} to ${right}`)
      if (element.matches('button, [role="button"]') && Math.round(height) < 40 && element.closest('p, dd') === null)
        found.push(`${name} is ${Math.round(height)} px high`)
    }
    return found
  })
}
