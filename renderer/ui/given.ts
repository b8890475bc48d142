/** Props as the component library wants them: what is undefined is left out, because its types tell the two apart. */
export type Given<Props> = {
  [Key in keyof Props as undefined extends Props[Key] ? never : Key]: Props[Key]
} & {
  [Key in keyof Props as undefined extends Props[Key] ? Key : never]?: Exclude<Props[Key], undefined>
}

export function given<Props extends object>(props: Props): Given<Props> {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as Given<Props>
}

/** Class names side by side; what is false or missing is left out. */
export function cx(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ')
}
