import type { z } from 'zod'
import type * as contract from '../../../../shared/docking/contract.ts'

export type Session = z.output<typeof contract.DockSessionModel>
