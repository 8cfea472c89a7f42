/**
 * Argument, or several arguments that belong together, such as `['--model', '{model}']`. If one of them has no value,
 * all of them are left out.
 */
export type Argument = string | readonly string[]

/** Values that replace `{name}` in arguments. Undefined if the fork has no such value. */
export type Values = Readonly<
  Record<
    'agentId' | 'agentType' | 'model' | 'effort' | 'maxSteps' | 'depth' | 'system' | 'tools' | 'withoutTools',
    string | undefined
  >
>

const placeholder = /\{(agentId|agentType|model|effort|maxSteps|depth|system|tools|withoutTools)\}/g

/** Returns the arguments of a program. Each value is one argument or a part of one; no shell reads them. */
export function fillArguments(args: readonly Argument[], values: Values): readonly string[] {
  return args.flatMap(argument => {
    const group = typeof argument === 'string' ? [argument] : argument
    const isMissing = group.some(text => namesIn(text).some(name => valueOf(name, values) === undefined))
    return isMissing
      ? []
      : group.map(text => text.replace(placeholder, (_found, name: string) => valueOf(name, values) ?? ''))
  })
}

/** True if the arguments contain a value. */
export function mentions(args: readonly Argument[], name: keyof Values): boolean {
  return args.flat().some(text => namesIn(text).includes(name))
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name)
}

function valueOf(name: string, values: Values): string | undefined {
  return Object.entries(values).find(([key]) => key === name)?.[1]
}
