import type { Survivor } from '../survivor.ts'

export const ACCESS: readonly Survivor[] = []
