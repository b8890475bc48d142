import { useCallback } from 'react'
import { chooseFiles } from './choose.ts'
import { uploads } from './uploads.ts'

const begun = new Set<() => void>()

/** Told whenever files were added by a person's choice; the frame opens its panel then. */
export function onFilesAdded(listener: () => void): () => void {
  begun.add(listener)
  return () => begun.delete(listener)
}

/** Asks for files and begins to send them. */
export function useAddEvidence(): () => void {
  return useCallback(() => {
    void chooseFiles().then(async (files) => {
      if (files.length === 0) return
      await uploads.add(files)
      for (const listener of begun) listener()
    })
  }, [])
}
