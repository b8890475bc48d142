import { type ComponentType, Suspense } from 'react'
import { lazyPart } from './load-chunk.ts'

/** A dialog or a panel that is fetched when it is first opened; what stands behind it stays meanwhile. */
export function lazyOpened<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Fetched: ComponentType<Props> = lazyPart(async () => ({ default: await load() }))
  return (props) => (
    <Suspense fallback={null}>
      <Fetched {...props} />
    </Suspense>
  )
}
