import { Problem } from '../../ui/problem/problem.tsx'
import { toDoOf } from './disclosure.ts'

/** A refusal in the words of the station, and what to do about it. */
export function Refusal({ error, title }: { readonly error: Error; readonly title: string }) {
  return (
    <Problem error={error} title={title}>
      {toDoOf(error)}
    </Problem>
  )
}
