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

/**
 * One line for a terminal or a list: what would break it, move the cursor or turn the reading direction is escaped. Names of files
 * come from strangers, and a name must not be able to say `evidence 7` on a line of its own.
 */
export const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (sign) => {
    const code = sign.codePointAt(0) as number
    return sign === '\n' ? '\\n' : code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`
  })

/** One line on stderr that is written over on a terminal; at most one in two seconds on its own line elsewhere. `null` ends it. */
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
      process.stderr.write(`\r\u001b[K${oneLine(text).slice(0, (process.stderr.columns ?? 80) - 1)}`)
      shown = true
    } else if (Date.now() - last > 2000) {
      last = Date.now()
      process.stderr.write(`${oneLine(text)}\n`)
    }
  }
}
