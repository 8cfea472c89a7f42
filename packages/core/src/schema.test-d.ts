import { expectTypeOf, test } from 'vitest'
import {
  either,
  fn,
  list,
  number,
  object,
  oneOf,
  options,
  text,
  typed,
  variants,
  type OptionsOf,
  type StandardSchema,
} from './schema.js'

const shelf = options('shelf()', {
  folders: either(list(text()), fn<(home: string) => readonly string[]>()).default(['.claude']),
  wins: oneOf('first', 'last').default('first'),
  signal: typed<AbortSignal>('an AbortSignal', 'aborted').required(),
  limit: number({ above: 0 }),
  suggest: object({ isShort: oneOf(true, false).default(true), most: number() }).default({}),
})

test('the type of options follows from their schema, and takes undefined for what may be left out', () => {
  expectTypeOf<OptionsOf<typeof shelf>>().toEqualTypeOf<{
    readonly signal: AbortSignal
    readonly folders?: readonly string[] | ((home: string) => readonly string[]) | undefined
    readonly wins?: 'first' | 'last' | undefined
    readonly limit?: number | undefined
    readonly suggest?: { readonly isShort?: boolean | undefined; readonly most?: number | undefined } | undefined
  }>()
})

test('what is read has what has a default, and may lack the rest', () => {
  expectTypeOf(shelf.read({})).toEqualTypeOf<{
    readonly folders: readonly string[] | ((home: string) => readonly string[])
    readonly wins: 'first' | 'last'
    readonly signal: AbortSignal
    readonly suggest: { readonly isShort: boolean; readonly most?: number }
    readonly limit?: number
  }>()
})

test('a schema of another library brings its types along', () => {
  const other = options('x()', {
    at: {} as StandardSchema<string | undefined, Date>,
    must: {} as StandardSchema<string, number>,
  })
  expectTypeOf<OptionsOf<typeof other>>().toEqualTypeOf<{ readonly must: string; readonly at?: string | undefined }>()
  expectTypeOf(other.read()).toEqualTypeOf<{ readonly at: Date; readonly must: number }>()
})

test('options in several shapes are a union', () => {
  const formatter = variants(
    'format()',
    'strategy',
    { strategy: oneOf('fair').default('fair'), floor: number().default(0.2) },
    { strategy: oneOf('xml').required(), joiner: oneOf('space', 'newline') },
  )
  expectTypeOf<OptionsOf<typeof formatter>>().toEqualTypeOf<
    | { readonly strategy?: 'fair' | undefined; readonly floor?: number | undefined }
    | { readonly strategy: 'xml'; readonly joiner?: 'space' | 'newline' | undefined }
  >()
})
