export const evidencePage = {} as const
