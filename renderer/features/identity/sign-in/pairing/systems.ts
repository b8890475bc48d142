/** Which system and which browser somebody sits at, and what is to be done there first. Pure. */

export const SYSTEMS = ['windows', 'macos', 'linux', 'chrome', 'firefox', 'ios', 'android'] as const
export type System = (typeof SYSTEMS)[number]

export interface Here {
  readonly system: System | null
  /** Only where it has a list of authorities of its own. */
  readonly browser: 'chrome' | 'firefox' | null
}

/** @param touches how many fingers it knows: an iPad says that it is a Mac, and no Mac has a touch screen. */
export function systemHere(userAgent: string, touches: number): Here {
  const system = systemOf(userAgent, touches)
  if (system === 'ios' || system === 'android') return { system, browser: null }
  if (/\bFirefox\//.test(userAgent)) return { system, browser: 'firefox' }
  return { system, browser: system === 'linux' && /Chrom(e|ium)\//.test(userAgent) ? 'chrome' : null }
}

function systemOf(userAgent: string, touches: number): System | null {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios'
  if (/Android/.test(userAgent)) return 'android'
  if (/Macintosh/.test(userAgent)) return touches > 1 ? 'ios' : 'macos'
  if (/Windows NT/.test(userAgent)) return 'windows'
  return /Linux|X11|CrOS/.test(userAgent) ? 'linux' : null
}

/** Its own first. */
export function inOrder({ system, browser }: Here): readonly System[] {
  const own = [system, browser].filter((one) => one !== null)
  return [...own, ...SYSTEMS.filter((one) => !own.includes(one))]
}
