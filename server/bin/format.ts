const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Decimal units, unit after a no-break space, as the interface writes them. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit === 0 ? 0 : value >= 10 ? 1 : 2
  return `${value.toFixed(digits)}\u00a0${UNITS[unit]}`
}

/** One line on stderr that is written over on a terminal; every tenth on its own line elsewhere. `null` ends it. */
export function progressLine(): (text: string | null) => void {
  const terminal = process.stderr.isTTY === true
  let shown = false
  let last = 0
  return (text) => {
    if (text === null) {
      if (terminal && shown) process.stderr.write('\r\u001b[K')
      return
    }
    if (terminal) {
      process.stderr.write(`\r\u001b[K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`)
      shown = true
    } else if (Date.now() - last > 2000) {
      last = Date.now()
      process.stderr.write(`${text}\n`)
    }
  }
}
