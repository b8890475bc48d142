import type { Survivor } from '../survivor.ts'

export const CLEARING: readonly Survivor[] = []
