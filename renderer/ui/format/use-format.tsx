import { createContext, type ReactNode, use, useMemo } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import * as write from './format.ts'
import './pressable.module.css'
import { tagOf } from './number-labels.ts'

export interface FormatContext {
  readonly locale: string
  /** IANA name of the station's zone: every time is shown in it, whatever the reader's own is. */
  readonly zone: string
}

const Context = createContext<FormatContext>({ locale: 'en', zone: 'UTC' })

/**
 * The component library puts a style element of this id into the page unless one is there. The page's policy would refuse it and say
 * so on the console; the rule itself is in pressable.module.css.
 */
const PRESSABLE = 'react-aria-pressable-style'

/** Language and zone for every part below it; dates in the library's own parts follow too. */
export function FormatProvider({ locale, zone, children }: FormatContext & { readonly children: ReactNode }) {
  return (
    <I18nProvider locale={tagOf(locale)}>
      <meta id={PRESSABLE} name="parts" content="pressable" />
      <Context value={useMemo(() => ({ locale, zone }), [locale, zone])}>{children}</Context>
    </I18nProvider>
  )
}

function bind({ locale, zone }: FormatContext) {
  return {
    locale,
    zone,
    count: (value: number) => write.count(locale, value),
    percent: (share: number) => write.percent(locale, share),
    bytes: (value: number) => write.bytes(locale, value),
    exactBytes: (value: number) => write.exactBytes(locale, value),
    speed: (bytesPerSecond: number) => write.speed(locale, bytesPerSecond),
    duration: (seconds: number) => write.duration(locale, seconds),
    position: write.position,
    timeLeft: (seconds: number, sure = false) => write.timeLeft(locale, seconds, sure),
    instant: (at: write.Instant, options?: write.InstantOptions) => write.instant(locale, zone, at, options),
    day: (at: write.Instant, year = true) => write.day(locale, zone, at, year),
    timeOfDay: (at: write.Instant, precision: 'minute' | 'second' | 'millisecond' = 'minute') =>
      write.timeOfDay(locale, zone, at, precision),
    timeOrDay: (at: write.Instant, now: write.Instant = Date.now()) => write.timeOrDay(locale, zone, at, now),
    relative: (at: write.Instant, now: write.Instant = Date.now()) => write.relative(locale, zone, at, now),
    zoneLetters: (at: write.Instant = Date.now()) => write.zoneLetters(zone, at),
    offset: (seconds: number) => write.offset(locale, seconds),
    person: write.person,
    personInList: write.personInList,
    initials: write.initials,
  }
}

export type Format = ReturnType<typeof bind>

/** Everything of format.ts, bound to the language and the zone in force here. */
export function useFormat(): Format {
  const context = use(Context)
  return useMemo(() => bind(context), [context])
}
