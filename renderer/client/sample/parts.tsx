/** The parts of sample data, fetched with their words when an administrator first sees them. */
import { Suspense } from 'react'
import { withWords } from '../i18n.ts'
import { lazyPart } from '../load-chunk.ts'
import { useSession } from '../session.tsx'

const Data = lazyPart(() => withWords(import('./sample-data.tsx'), 'sample'))
const NoteOf = lazyPart(() => withWords(import('./sample-note.tsx'), 'sample'))

const useAdministers = (): boolean => useSession().session.User?.Administrator === true

export function SampleData() {
  if (!useAdministers()) return null
  return (
    <Suspense fallback={null}>
      <Data />
    </Suspense>
  )
}

export function SampleNote(props: { readonly kind: 'evidence' | 'case'; readonly id: string }) {
  if (!useAdministers()) return null
  return (
    <Suspense fallback={null}>
      <NoteOf {...props} />
    </Suspense>
  )
}
