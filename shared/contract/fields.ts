import { z } from 'zod'

/** Text members, with what no text may hold. */

/** 0x00–0x1F and 0x7F–0x9F: nothing a person types, and the stuff of header and log splits. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_OR_BREAK = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

const wellFormed = (text: string): boolean => text.isWellFormed()

/** One line of text: no control characters, no line breaks, no lone surrogates. Lengths count UTF-16 units. */
export const line = (max: number, min = 0) =>
  z
    .string()
    .min(min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
    .max(max, `must not be longer than ${max} characters`)
    .refine((text) => !CONTROL_OR_BREAK.test(text), 'must not hold control characters or line breaks')
    .refine(wellFormed, 'must be well-formed Unicode')

/** Text of several lines. */
export const text = (max: number) =>
  z
    .string()
    .max(max, `must not be longer than ${max} characters`)
    .refine((value) => !CONTROL.test(value), 'must not hold control characters')
    .refine(wellFormed, 'must be well-formed Unicode')
