/** What a page is and where the window announces it: route, rail, palette, path in the header and keys follow from it (renderer/app/pages.ts). */
import type { ComponentType } from 'react'
import type { IconName } from '../ui/icon/icon.tsx'
import type { State } from '../ui/state/state.tsx'
import type { Session } from './session.tsx'
import type { PlainKey } from './translate.ts'

/** Words of the frame that stand by themselves: without a number and without a part to fill in. */
export type FrameWord = PlainKey<'frame'>

/** What stands behind a name in the rail. */
export interface RailMark {
  readonly count: number
  /** There are more than were counted. */
  readonly more?: boolean
  /** Somebody has to do something about it. */
  readonly asks?: { readonly state: State; readonly label: string; readonly uncounted?: boolean }
}

export interface Page<Path extends string = string, Search extends object = object> {
  readonly path: Path
  /** The component, with its words. What its address names it is given as a property. */
  readonly load: () => Promise<ComponentType<never>>
  readonly readSearch: (given: Record<string, unknown>) => Search
  /** What rail, path and palette call it. */
  readonly name?: FrameWord
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
  readonly command?: { readonly name: FrameWord | 'commandAdministration'; readonly icon: IconName }
  /** After G. */
  readonly key?: { readonly letter: string; readonly does: FrameWord }
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
