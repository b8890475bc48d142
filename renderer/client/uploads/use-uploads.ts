import { useSyncExternalStore } from 'react'
import { type Upload, uploads } from './uploads.ts'

/** In the order in which they were added. */
export const useUploads = (): readonly Upload[] => useSyncExternalStore(uploads.subscribe, uploads.list)
