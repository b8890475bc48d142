/** What was called, what came back, and whether that is as specified: for people, and with `--json` for programs. */
import { countsOf, type Row } from './run.ts'

const WIDTH = { operation: 34, section: 36, request: 64, status: 6 }

const cell = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width)

const verdictOf = ({ outcome, reason }: Row): string => (reason === '' ? outcome : `${outcome}: ${reason}`)

export function table(rows: readonly Row[]): string {
  const line = (operation: string, section: string, request: string, status: string, verdict: string): string =>
    `${cell(operation, WIDTH.operation)} ${cell(section, WIDTH.section)} ${cell(request, WIDTH.request)} ${cell(status, WIDTH.status)} ${verdict}`
  return [
    line('operation', 'section', 'request', 'status', 'verdict'),
    ...rows.map((row) =>
      line(row.operation, row.section, row.request, row.status === null ? '' : String(row.status), verdictOf(row)),
    ),
    lastLine(rows),
  ].join('\n')
}

function lastLine(rows: readonly Row[]): string {
  const { operations, ok, FAILED, ...rest } = countsOf(rows)
  return `${operations} operations, ${rows.length} calls: ${ok} ok, ${FAILED} failed, ${rest['not allowed']} not allowed, ${rest['not tried']} not tried`
}
