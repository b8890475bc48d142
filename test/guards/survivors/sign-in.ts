import type { Survivor } from '../survivor.ts'

export const SIGN_IN: readonly Survivor[] = []
