/** Content negotiation: the media type of an answer (decisions 1). */
import { fault } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'

export const JSON_OFFERS = ['application/json', 'text/json', 'text/plain'] as const

interface Range {
  readonly type: string
  readonly subtype: string
  readonly quality: number
}

/** RFC 9110 12.5.1. Malformed ranges are ignored, and of the parameters only `q` counts. */
function parseAccept(header: string): Range[] {
  return header.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';')
    const match = /^\s*([A-Za-z0-9!#$%&'*+.^_`|~-]+)\/([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*$/.exec(range)
    if (match === null) return []
    const weight = parameters
      .map((one) => /^\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/i.exec(one)?.[1])
      .find((value) => value !== undefined)
    return [
      {
        type: (match[1] as string).toLowerCase(),
        subtype: (match[2] as string).toLowerCase(),
        quality: weight === undefined ? 1 : Number(weight),
      },
    ]
  })
}

function qualityOf(offer: string, ranges: readonly Range[]): number {
  const [type, subtype] = offer.split('/')
  let best = { specificity: -1, quality: 0 }
  for (const range of ranges) {
    const specificity =
      range.type === type && range.subtype === subtype
        ? 2
        : range.type === type && range.subtype === '*'
          ? 1
          : range.type === '*' && range.subtype === '*'
            ? 0
            : -1
    if (specificity > best.specificity) best = { specificity, quality: range.quality }
  }
  return best.quality
}

/** @returns the offer of the highest quality, the first of equal ones; null when none is acceptable */
export function chooseType(accept: string | undefined, offers: readonly string[]): string | null {
  if (accept === undefined || accept.trim() === '') return offers[0] ?? null
  const ranges = parseAccept(accept)
  let chosen: string | null = null
  let quality = 0
  for (const offer of offers) {
    const offerQuality = qualityOf(offer, ranges)
    if (offerQuality > quality) [chosen, quality] = [offer, offerQuality]
  }
  return chosen
}

/** The Content-Type of a route's JSON answer. @throws Fault NotAcceptable */
export function answerType(route: RouteDefinition, accept: string | undefined): string {
  const hasContent = Object.values(route.responses).some((schema) => schema !== null && schema !== 'bytes')
  const chosen = chooseType(accept, route.offers ?? JSON_OFFERS)
  if (chosen === null && hasContent)
    throw fault('NotAcceptable', `The answer is offered as ${(route.offers ?? JSON_OFFERS).join(', ')}.`)
  return `${chosen ?? 'application/json'}; charset=utf-8`
}
