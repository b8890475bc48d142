/** `50 m`, `1.5 km`: lengths on a map, as short as they go. */
export function metresText(metres: number, locale: string): string {
  const [value, unit] = Math.abs(metres) < 1_000 ? [Math.round(metres), 'meter'] : [metres / 1_000, 'kilometer']
  const digits = unit === 'meter' || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: digits })
    .format(value)
    .replace(' ', '\u00a0')
}
