/** What a page is and where the window announces it: route, rail, palette, path in the header and keys follow from it (renderer/app/pages.ts). */
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { Language } from '../../shared/messages/index.ts'
import type { IconName } from '../ui/icon/icon.tsx'
import type { State } from '../ui/state/state.tsx'
import type { Session } from './session.tsx'

/**
 * A text in every language; the type check fails where one is missing. The frame names pages whose catalogues are not fetched yet, so the
 * names of a page stand in its description.
 */
export type LocalizedText = Readonly<Record<Language, string>>

/** What stands behind a name in the rail. */
export interface RailMark {
  readonly count: number
  /** There are more than were counted. */
  readonly more?: boolean
  /** Somebody has to do something about it. */
  readonly asks?: { readonly state: State; readonly label: string; readonly uncounted?: boolean }
}

/** What a page is asked to ask for. */
export interface Ahead {
  readonly queries: QueryClient
  readonly tenant: string
  /** What the address names, and what it says of the view. */
  readonly params: Readonly<Record<string, string>>
  readonly search: Readonly<Record<string, unknown>>
}

/** @member ahead asks the station for what the page shows first, while the page is still being put together */
export type PageView = ComponentType<never> & { readonly ahead?: (given: Ahead) => Promise<unknown> }

export interface Page<Path extends string = string, Search extends object = object> {
  readonly path: Path
  /** The component, with its words. What its address names it is given as a property. */
  readonly load: () => Promise<PageView>
  readonly readSearch: (given: Record<string, unknown>) => Search
  /** What rail, path and palette call it. */
  readonly name?: LocalizedText
  /** A hook: the name of what the page shows, where that has one. @param id the last parameter of the address */
  readonly useName?: (id: string) => string
  /** That name is a number or an id. */
  readonly isId?: boolean
  /** The page above it in the path of the header, by its address. */
  readonly under?: string
  /** Whether it is offered; the station judges. Left out: to everybody. */
  readonly isOffered?: (session: Session) => boolean
  readonly rail?: {
    readonly group: 'areas' | 'integrity'
    readonly icon: IconName
    /** A hook. */
    readonly useMark?: () => RailMark | null
  }
  /** In the palette. @member words further words by which it is found */
  readonly command?: { readonly name: LocalizedText; readonly icon: IconName; readonly words?: LocalizedText }
  /** After G; what it does is said on the sheet of keys. */
  readonly key?: { readonly letter: string; readonly does: LocalizedText }
  /** Needs much and is seldom opened: it is not fetched ahead of time. */
  readonly isLarge?: boolean
}

type Given<Path extends string, Search extends object> = Omit<Page<Path, Search>, 'readSearch'> & {
  readonly readSearch?: (given: Record<string, unknown>) => Search
}

export const definePage = <const Path extends string, Search extends object = object>({
  readSearch = (given) => given as Search,
  ...page
}: Given<Path, Search>): Page<Path, Search> => ({ ...page, readSearch })
