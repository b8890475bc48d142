import type { Survivor } from '../survivor.ts'

export const DISPOSITION: readonly Survivor[] = []
