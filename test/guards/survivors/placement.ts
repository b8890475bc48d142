import type { Survivor } from '../survivor.ts'

export const PLACEMENT: readonly Survivor[] = []
