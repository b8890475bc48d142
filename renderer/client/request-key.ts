import { useCallback, useRef } from 'react'
import { newKey } from './api.ts'

/** One key for one request: the same words again are the same request, other words are another one (decisions 1). */
export function useRequestKey(): (body: unknown) => string {
  const asked = useRef({ body: '', key: '' })
  return useCallback((body) => {
    const text = JSON.stringify(body)
    if (asked.current.body !== text) asked.current = { body: text, key: newKey() }
    return asked.current.key
  }, [])
}
