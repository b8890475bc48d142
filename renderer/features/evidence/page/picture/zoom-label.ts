/** A zoom as `146 %`: unlike a share of a whole it may be more than all. */
export const zoomWords = (locale: string, scale: number): string =>
  `${new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(scale * 100)}\u00a0%`
