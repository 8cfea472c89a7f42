/**
 * An argument; or several that belong together, as `['--model', '{model}']`, and go together when one of them has no
 * value.
 */
export type Argument = string | readonly string[]

/** What stands for `{name}` in arguments. Undefined: there is none for this fork. */
export type Values = Readonly<
  Record<
    'agentId' | 'agentType' | 'model' | 'effort' | 'maxSteps' | 'depth' | 'system' | 'tools' | 'withoutTools',
    string | undefined
  >
>

const placeholder = /\{(agentId|agentType|model|effort|maxSteps|depth|system|tools|withoutTools)\}/g

/** The arguments of a program, each value one argument or a part of one: no shell reads them. */
export function fillArguments(args: readonly Argument[], values: Values): readonly string[] {
  return args.flatMap(argument => {
    const group = typeof argument === 'string' ? [argument] : argument
    const isMissing = group.some(text => namesIn(text).some(name => valueOf(name, values) === undefined))
    return isMissing
      ? []
      : group.map(text => text.replace(placeholder, (_found, name: string) => valueOf(name, values) ?? ''))
  })
}

/** Whether the arguments hand a value on. */
export function mentions(args: readonly Argument[], name: keyof Values): boolean {
  return args.flat().some(text => namesIn(text).includes(name))
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name)
}

function valueOf(name: string, values: Values): string | undefined {
  return Object.entries(values).find(([key]) => key === name)?.[1]
}
