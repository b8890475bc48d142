/** What the code of a label says. Labels and printed pages hold the address of an evidence or a case (shared/reports/labels.ts). Pure. */

export interface Labelled {
  readonly kind: 'case' | 'evidence'
  readonly id: string
}

export type LabelSays =
  /** Of this station: can be opened. */
  | { readonly at: 'here'; readonly item: Labelled }
  /** The same kind of address at another one. It may be this station by another name, or another station: a person decides. */
  | { readonly at: 'elsewhere'; readonly host: string; readonly item: Labelled }
  /** Not a label of a station. */
  | { readonly at: 'nowhere' }

const PLACES = [
  { kind: 'evidence', form: /^\/evidence\/(\d{1,19})\/?$/ },
  { kind: 'case', form: /^\/cases\/([0-9A-Za-z-]{1,64})\/?$/ },
] as const

/** @param origin of this page: nothing that a code names is opened at another one */
export function labelSays(text: string, origin: string): LabelSays {
  const url = URL.parse(text.trim())
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return { at: 'nowhere' }
  for (const { kind, form } of PLACES) {
    const id = form.exec(url.pathname)?.[1]
    if (id === undefined) continue
    const item = { kind, id }
    return url.origin === origin ? { at: 'here', item } : { at: 'elsewhere', host: url.host, item }
  }
  return { at: 'nowhere' }
}
