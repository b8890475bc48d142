import type { Survivor } from '../survivor.ts'

export const RESTORE: readonly Survivor[] = []
