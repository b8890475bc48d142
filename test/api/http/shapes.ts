/** From left to right, a literal segment comes before a parameter: of the shapes that meet a path, the first one in this order is meant. */
export function compareShapes(a: string, b: string): number {
  const left = a.split('/')
  const right = b.split('/')
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = Number(left[index]?.startsWith(':')) - Number(right[index]?.startsWith(':'))
    if (difference !== 0) return difference
  }
  return left.length - right.length || (a < b ? -1 : 1)
}
