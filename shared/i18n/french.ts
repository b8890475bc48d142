import type { Catalogue } from './index.ts'
import { common } from './fr/common.ts'
import { evidence } from './fr/evidence.ts'
import { frame } from './fr/frame.ts'
import { signIn } from './fr/sign-in.ts'
import { ui } from './fr/ui.ts'

export const fr: Catalogue = { common, frame, signIn, ui, evidence }
