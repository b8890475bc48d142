import { useState } from 'react'
import { AS_IT_IS, asItIs } from './levels.tsx'
import type { Area } from './crop.ts'
import { NOTHING_MEASURED } from './measuring.tsx'

/** What a person chose to look at the picture with. All of it is a view; only the rectangle of a crop may go to the station. */
export function useTools() {
  const [levels, setLevels] = useState(AS_IT_IS)
  const [levelling, setLevelling] = useState(false)
  const [loupe, setLoupe] = useState(false)
  const [isMeasuring, setIsMeasuring] = useState(false)
  const [measuring, setMeasuring] = useState(NOTHING_MEASURED)
  const [isCropping, setIsCropping] = useState(false)
  const [area, setArea] = useState<Area | null>(null)
  return {
    levels,
    setLevels,
    levelling,
    setLevelling,
    loupe,
    setLoupe,
    isMeasuring,
    // The pointer draws one thing at a time.
    setIsMeasuring: (on: boolean) => {
      setIsMeasuring(on)
      if (on) setIsCropping(false)
    },
    isCropping,
    setIsCropping: (on: boolean) => {
      setIsCropping(on)
      if (on) setIsMeasuring(false)
    },
    /** What is kept of a crop, in pixels of the whole picture. */
    area,
    setArea,
    measuring,
    setMeasuring,
    atStart: asItIs(levels) && !loupe && measuring === NOTHING_MEASURED && area === null,
    reset: () => {
      setLevels(AS_IT_IS)
      setLoupe(false)
      setMeasuring(NOTHING_MEASURED)
      setArea(null)
    },
  }
}

export type PictureTools = ReturnType<typeof useTools>
