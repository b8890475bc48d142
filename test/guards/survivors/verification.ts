import type { Survivor } from '../survivor.ts'

export const VERIFICATION: readonly Survivor[] = []
