/** Loaded into a station's process with `--import`: its clock is ahead by TEST_CLOCK_SHIFT milliseconds. */
const shift = Number(process.env['TEST_CLOCK_SHIFT'] ?? 0)
const Real = Date
class Shifted extends Real {
  constructor(...given: ConstructorParameters<typeof Date> | []) {
    if (given.length === 0) super(Real.now() + shift)
    else super(...(given as ConstructorParameters<typeof Date>))
  }
  static override now(): number {
    return Real.now() + shift
  }
}
if (shift !== 0) globalThis.Date = Shifted as DateConstructor
