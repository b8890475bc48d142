/** The same keys as in English, and the plural forms that only this language has (`…_many`). */
export type Translated<English> = { readonly [Key in keyof English]: string } & {
  readonly [key: `${string}_many`]: string
}
