/** Values of the search that both sides know (decisions 7). */

export const SEARCH_TYPES = ['Case', 'Evidence', 'User', 'Group', 'Device'] as const
export const SEARCH_STATES = [
  'Open',
  'Closed',
  'None',
  'UserCompleted',
  'Protected',
  'Deleted',
  'Enabled',
  'Disabled',
] as const
export const SEARCH_SORTS = ['relevance', 'newest', 'oldest', 'name'] as const
/** Of evidence, by content, in the order of the index. */
export const SEARCHED_MEDIA = ['video', 'audio', 'image', 'document', 'text', 'other', 'none'] as const

/** Metres around a place: less is finer than what receivers know, more is a part of the map. */
export const LEAST_RADIUS = 10
export const MOST_RADIUS = 100_000
