import { useState } from 'react'
import { AS_IT_IS, asItIs } from './levels.tsx'
import { NOTHING_MEASURED } from './measuring.tsx'

/** What a person chose to look at the picture with. All of it is a view: nothing of it goes to the station. */
export function useTools() {
  const [levels, setLevels] = useState(AS_IT_IS)
  const [levelling, setLevelling] = useState(false)
  const [loupe, setLoupe] = useState(false)
  const [isMeasuring, setIsMeasuring] = useState(false)
  const [measuring, setMeasuring] = useState(NOTHING_MEASURED)
  return {
    levels,
    setLevels,
    levelling,
    setLevelling,
    loupe,
    setLoupe,
    isMeasuring,
    setIsMeasuring,
    measuring,
    setMeasuring,
    atStart: asItIs(levels) && !loupe && measuring === NOTHING_MEASURED,
    reset: () => {
      setLevels(AS_IT_IS)
      setLoupe(false)
      setMeasuring(NOTHING_MEASURED)
    },
  }
}

export type PictureTools = ReturnType<typeof useTools>
