import type { Survivor } from '../survivor.ts'

export const LEDGER: readonly Survivor[] = []
